// SPDX-License-Identifier: Apache-2.0
// The commands of phylogeny, and the options that `likelihood` and `tree --ml` have in common.
#pragma once
#include <string>
#include <vector>

#include "app/cli/command.hpp"
#include "app/commands/commands.hpp"
#include "phylogeny/run/ml_tree_run.hpp"

namespace accord {

/// `accord tree` with trees of maximum likelihood (--ml).
Command ml_tree_command();

/// `accord likelihood`: the likelihood of a tree for an alignment, and fitted branch lengths.
Command likelihood_command();

/// Extends the commands of the aligner by those of phylogeny: adds a command `likelihood`, trees of
/// maximum likelihood to `tree`, models of substitution to `dist`, and the likelihood stage to
/// `devices`.
void add_phylogeny(std::vector<Command>& commands);

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
