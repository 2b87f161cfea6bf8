// SPDX-License-Identifier: Apache-2.0
#include "app/commands/commands.hpp"

namespace accord {

std::vector<Command> aligner_commands() {
  std::vector<Command> commands;
  commands.push_back(align_command());
  commands.push_back(batch_command());
  commands.push_back(ensemble_command());
  commands.push_back(add_command());
  commands.push_back(merge_command());
  commands.push_back(core_command());
  commands.push_back(join_command());
  commands.push_back(confidence_command());
  commands.push_back(tree_command());
  commands.push_back(dist_command());
  commands.push_back(check_command());
  commands.push_back(convert_command());
  commands.push_back(view_command());
  commands.push_back(stats_command());
  commands.push_back(trim_command());
  commands.push_back(codon_command());
  commands.push_back(score_command());
  commands.push_back(compare_command());
  commands.push_back(verify_command());
  commands.push_back(devices_command());
  return commands;
}

}  // namespace accord
