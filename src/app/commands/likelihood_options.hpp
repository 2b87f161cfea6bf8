// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "app/cli/options.hpp"
#include "app/commands/tree_search_options.hpp"
#include "phylogeny/likelihood_search.hpp"

namespace accord {

/// What `accord likelihood` is asked for.
struct LikelihoodOptions : RunOptions {
  TreeSearchOptions search;
  LikelihoodQuery query;  ///< but for what `search` has, and the tree
  std::string tree;       ///< empty: of neighbour joining
  std::string output = "-", tree_output, sites_output;
};

/// All options of `accord likelihood`.
void add_likelihood_options(OptionTable& table, LikelihoodOptions& options);

}  // namespace accord
