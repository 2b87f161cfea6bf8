// SPDX-License-Identifier: Apache-2.0
#include "phylogeny/app/ml_tree_options.hpp"

#include "accord/base/error.hpp"
#include "app/cli/option_values.hpp"

namespace accord {

void add_ml_tree_options(OptionTable& table, MlTreeOptions& options) {
  const auto flag = [&](const char* name, const char* help, OptionTopic topic, bool& target) {
    table.push_back(
        {.name = name, .help = help, .topic = topic, .common = true, .set = flag_in(target)});
  };
  flag("ml", "a tree of maximum likelihood, with lengths in substitutions per site",
       OptionTopic::method, options.is_ml);
  flag("prune",
       "leave out rows without a known residue, with a warning; they are an error otherwise "
       "(--ml)",
       OptionTopic::method, options.prunes);
  add_tree_search_options(table, options.search, " (--ml)");
  add_code_option(table, options.code);
  table.push_back({.name = "table",
                   .value = "FILE",
                   .help = "write the logarithm of the likelihood and the parameters here (--ml)",
                   .topic = OptionTopic::output,
                   .common = true,
                   .set = keep_in(options.table_output)});
}

void check_ml_tree_options(const MlTreeOptions& options) {
  if (options.is_ml && options.guide->from_distances) {
    throw Error(ErrorKind::usage, "--ml needs sequences, --from-distances has none",
                "leave one of them out");
  }
  check_tree_options(*options.guide);
  check_models_output(options.search);
  if (options.is_ml) return;
  const run::TreeSearch& search = options.search.search;
  const char* const without = options.prunes                  ? "--prune"
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
