// SPDX-License-Identifier: Apache-2.0
#include "app/all_commands.hpp"

#include "app/commands/commands.hpp"
#include "app/names/as_command.hpp"
#ifdef ACCORD_PHYLOGENY
#include "phylogeny/app/phylogeny_commands.hpp"
#endif

namespace accord {

std::vector<Command> all_commands() {
  std::vector<Command> commands = aligner_commands();
#ifdef ACCORD_PHYLOGENY
  add_phylogeny(commands);
#endif
  commands.push_back(as_command(all_commands));
  return commands;
}

}  // namespace accord
