// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "app/cli/options.hpp"
#include "phylogeny/app/tree_search_options.hpp"
#include "phylogeny/likelihood_search.hpp"

namespace accord {

/// The options of `accord likelihood`.
struct LikelihoodOptions : RunOptions {
  TreeSearchOptions search;
  LikelihoodQuery query;  ///< without the fields that `search` and `tree` set
  std::string tree;       ///< path of the tree; empty: a neighbour-joining tree
  /// Paths of the output files: the table ("-": standard output), the tree, and the logarithms of
  /// the likelihoods of the sites. Empty: not written.
  std::string output = "-", tree_output, sites_output;
};

/// Adds to `table` all options of `accord likelihood`; they write to `options`, which must outlive
/// the table.
void add_likelihood_options(OptionTable& table, LikelihoodOptions& options);

}  // namespace accord
