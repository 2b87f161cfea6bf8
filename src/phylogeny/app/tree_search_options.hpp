// SPDX-License-Identifier: Apache-2.0
// What `likelihood` and `tree --ml` have in common.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "app/cli/command.hpp"
#include "phylogeny/model_choice.hpp"
#include "phylogeny/support.hpp"

namespace accord {

/// How a tree is searched, and what is told of it.
struct TreeSearchOptions {
  std::string model;                 ///< empty: see likelihood_input
  std::string models_output;         ///< the table of a choice
  std::uint32_t regraft_radius = 0;  ///< 0: interchanges alone
  std::vector<SupportKind> supports;

  bool chooses_model() const { return asks_for_choice(model); }
};

/// Adds --model, --models, --spr and --support; each help ends with `suffix`.
void add_tree_search_options(OptionTable& table, TreeSearchOptions& options,
                             const std::string& suffix);

/// Refuses --models without a choice.
/// Throws  Error{usage}
void check_models_output(const TreeSearchOptions& options);

}  // namespace accord
