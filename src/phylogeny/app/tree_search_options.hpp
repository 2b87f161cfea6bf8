// SPDX-License-Identifier: Apache-2.0
// The options that `likelihood` and `tree --ml` have in common.
#pragma once
#include <string>

#include "app/cli/command.hpp"
#include "phylogeny/run/ml_tree_run.hpp"

namespace accord {

/// How a tree is searched, and where the table of the fitted models is written.
struct TreeSearchOptions {
  run::TreeSearch search;
  std::string models_output;  ///< path; empty: not written
};

/// Adds --model, --models, --spr and --support, which write into `options`; `options` must outlive
/// the use of the table. `suffix` follows the help of each option, such as " (--ml)".
void add_tree_search_options(OptionTable& table, TreeSearchOptions& options,
                             const std::string& suffix);

/// Refuses --models if the options choose no model.
/// Throws  Error{usage}
void check_models_output(const TreeSearchOptions& options);

}  // namespace accord
