// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "app/commands/tree_options.hpp"

namespace accord {

/// Runs `accord tree --ml`: writes a tree of maximum likelihood, and the tables that the options
/// name.
void run_ml_tree(const TreeOptions& options);

}  // namespace accord
