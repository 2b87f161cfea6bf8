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
  table.push_back({.name = "aligned",
                   .help = "IN is an alignment, which is taken as it is, even without gaps",
                   .topic = OptionTopic::input,
                   .common = true,
                   .set = flag_in(values.is_aligned)});
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

void check_tree_options(const TreeOptions& options) {
  if (!options.is_aligned) return;
  if (options.from_distances) {
    usage_error("--aligned is for sequences, --from-distances for distances",
                "leave one of them out");
  }
  if (options.input.files.size() > 1) {
    usage_error("--aligned: more than one alignment", "name one file");
  }
}

}  // namespace accord
