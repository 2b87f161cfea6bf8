// SPDX-License-Identifier: Apache-2.0
#include "app/commands/tree_options.hpp"

#include "accord/base/error.hpp"
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
  const auto flag = [&](const char* name, const char* help, OptionTopic topic, bool& target) {
    table.push_back(
        {.name = name, .help = help, .topic = topic, .common = true, .set = flag_in(target)});
  };
  flag("ml", "a tree of maximum likelihood, with lengths in substitutions per site",
       OptionTopic::method, values.is_ml);
  flag("aligned", "IN is an alignment; its gaps are kept (--ml)", OptionTopic::input,
       values.is_aligned);
  flag("prune",
       "leave out rows without a known residue, with a warning; they are an error otherwise "
       "(--ml)",
       OptionTopic::method, values.prunes);
  add_tree_search_options(table, values.search, " (--ml)");
  add_code_option(table, values.code);
  table.push_back({.name = "table",
                   .value = "FILE",
                   .help = "write the logarithm of the likelihood and the parameters here (--ml)",
                   .topic = OptionTopic::output,
                   .common = true,
                   .set = keep_in(values.table_output)});
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
  if (options.is_ml && options.from_distances) {
    throw Error(ErrorKind::usage, "--ml needs sequences, --from-distances has none",
                "leave one of them out");
  }
  if (options.is_aligned && options.input.files.size() > 1) {
    throw Error(ErrorKind::usage, "--aligned: more than one alignment", "name one file");
  }
  check_models_output(options.search);
  if (options.is_ml) return;
  const run::TreeSearch& search = options.search.search;
  const char* const without = options.is_aligned              ? "--aligned"
                              : options.prunes                ? "--prune"
                              : !search.model.empty()         ? "--model"
                              : options.code                  ? "--code"
                              : search.regraft_radius > 0     ? "--spr"
                              : !search.supports.empty()      ? "--support"
                              : !options.table_output.empty() ? "--table"
                                                              : nullptr;
  if (without == nullptr) return;
  throw Error(ErrorKind::usage, std::string(without) + " is for trees of maximum likelihood",
              "add --ml");
}

}  // namespace accord
