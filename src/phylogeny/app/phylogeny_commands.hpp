// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "app/commands/commands.hpp"

namespace accord {

/// `accord tree` with trees of maximum likelihood (--ml).
Command ml_tree_command();

/// `accord likelihood`: the likelihood of a tree for an alignment, and fitted branch lengths.
Command likelihood_command();

/// Extends the commands of the aligner by those of phylogeny: adds a command `likelihood`, trees of
/// maximum likelihood to `tree`, models of substitution to `dist`, and the likelihood stage to
/// `devices`.
void add_phylogeny(std::vector<Command>& commands);

}  // namespace accord
