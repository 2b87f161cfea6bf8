// SPDX-License-Identifier: Apache-2.0
#include "phylogeny/app/phylogeny_commands.hpp"

#include <utility>

#include "app/cli/option_values.hpp"
#include "app/cli/options.hpp"
#include "phylogeny/likelihood/likelihood_call.hpp"
#include "phylogeny/ml_distances.hpp"

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

void add_tree_search_options(OptionTable& table, TreeSearchOptions& options,
                             const std::string& suffix) {
  add_common_option(table, "model", "MODEL",
                    "the model, such as WAG+F+G4 or HKY+I; auto: the model of the lowest BIC" +
                        suffix + " (LG+G4, or GTR+G4)",
                    OptionTopic::method, keep_in(options.search.model));
  add_common_option(table, "models", "FILE",
                    "write a table of the models that auto has fitted here (TSV)" + suffix,
                    OptionTopic::output, keep_in(options.models_output));
  add_common_option(
      table, "spr", "RADIUS",
      "after interchanges, prune subtrees and regraft them up to RADIUS branches away" + suffix +
          " (0)",
      OptionTopic::method, count_in(options.search.regraft_radius, "spr"));
  add_common_option(
      table, "support", "KINDS",
      "label branches of the tree with their support: sh-alrt, alrt, abayes, or several with "
      "commas between" +
          suffix,
      OptionTopic::method, [&options](const std::string& text) {
        options.search.supports = support_kinds(text, "--support");
      });
}

void check_models_output(const TreeSearchOptions& options) {
  if (options.models_output.empty() || options.search.chooses_model()) return;
  usage_error("--models is for a choice of models", "add --model auto");
}

}  // namespace accord
