// SPDX-License-Identifier: Apache-2.0
#include "accord/app/commands.hpp"

namespace accord {

std::vector<Command> all_commands() {
  return {align_command(), confidence_command(), tree_command(),
          dist_command(),  score_command(),      devices_command()};
}

}  // namespace accord
