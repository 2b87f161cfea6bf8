// SPDX-License-Identifier: Apache-2.0
// What `likelihood` and `tree --ml` have in common.
#pragma once
#include <string>

#include "app/cli/command.hpp"
#include "run/ml_tree_run.hpp"

namespace accord {

/// How a tree is searched, and where the models of a choice are written.
struct TreeSearchOptions {
  run::TreeSearch search;
  std::string models_output;  ///< path; empty: not written
};

/// Adds --model, --models, --spr and --support; each help ends with `suffix`.
void add_tree_search_options(OptionTable& table, TreeSearchOptions& options,
                             const std::string& suffix);

/// Refuses --models without a choice.
/// Throws  Error{usage}
void check_models_output(const TreeSearchOptions& options);

}  // namespace accord
