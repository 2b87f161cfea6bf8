// SPDX-License-Identifier: Apache-2.0
#include "app/commands/tree_options.hpp"

#include "app/cli/option_values.hpp"

namespace accord {

void add_tree_options(OptionTable& table, TreeOptions& values) {
  add_family_options(table, values.input);
  table.push_back({.name = "from-distances",
                   .help = "IN is a distance matrix (PHYLIP, TSV or CSV)",
                   .topic = OptionTopic::input,
                   .common = true,
                   .set = flag_in(values.from_distances)});
  add_text_output_option(table, "the tree", values.output);
  table.push_back({.name = "method",
                   .value = "METHOD",
                   .help = "upgma, or nj: neighbour joining, rooted at its midpoint (upgma)",
                   .topic = OptionTopic::method,
                   .common = true,
                   .set = choice_in(values.neighbor_joining, "method", "upgma", "nj")});
  add_model_options(table, values.method);
  add_run_options(table, values);
}

}  // namespace accord
