// SPDX-License-Identifier: Apache-2.0
#include "phylogeny/app/phylogeny_commands.hpp"

#include <utility>

#include "phylogeny/likelihood/likelihood_call.hpp"
#include "phylogeny/likely_distances.hpp"

namespace accord {

void add_phylogeny(std::vector<Command>& commands) {
  std::vector<Command> all;
  for (Command& command : commands) {
    if (command.name == "tree") {
      all.push_back(ml_tree_command());
    } else if (command.name == "dist") {
      all.push_back(dist_command(&likely_distance_models()));
      all.push_back(likelihood_command());
    } else if (command.name == "devices") {
      all.push_back(devices_command({&LikelihoodCall::stage}));
    } else {
      all.push_back(std::move(command));
    }
  }
  commands = std::move(all);
}

}  // namespace accord
