// SPDX-License-Identifier: Apache-2.0
#include "app/commands/tree_search_options.hpp"

#include <utility>

#include "app/cli/option_values.hpp"
#include "app/cli/options.hpp"

namespace accord {
void add_tree_search_options(OptionTable& table, TreeSearchOptions& options,
                             const std::string& suffix) {
  const auto add = [&](const char* name, const char* value, const std::string& help,
                       OptionTopic topic, std::function<void(const std::string&)> set) {
    table.push_back({.name = name,
                     .value = value,
                     .help = help,
                     .topic = topic,
                     .common = true,
                     .set = std::move(set)});
  };
  add("model", "MODEL",
      "the model, such as WAG+F+G4 or HKY+I; auto: the model of the lowest BIC" + suffix +
          " (LG+G4, or GTR+G4)",
      OptionTopic::method, keep_in(options.search.model));
  add("models", "FILE", "write a table of the models that auto has fitted here (TSV)" + suffix,
      OptionTopic::output, keep_in(options.models_output));
  add("spr", "RADIUS",
      "after interchanges, prune subtrees and regraft them up to RADIUS branches away" + suffix +
          " (0)",
      OptionTopic::method, count_in(options.search.regraft_radius, "spr"));
  add("support", "KINDS",
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
