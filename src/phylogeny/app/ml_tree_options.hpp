// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "app/commands/tree_options.hpp"
#include "phylogeny/app/tree_search_options.hpp"

namespace accord {

/// The options of `accord tree` with trees of maximum likelihood.
struct MlTreeOptions {
  /// The options of guide trees. Trees of maximum likelihood take the input, the output, the method
  /// of the alignment, and the options of the run from these.
  std::shared_ptr<TreeOptions> guide = std::make_shared<TreeOptions>();
  bool is_ml = false;   ///< --ml: a tree of maximum likelihood
  bool prunes = false;  ///< with --ml: leaves out rows without a known residue
  TreeSearchOptions search;
  std::string table_output;  ///< --table: the file for the summary of the fit; empty: none
  std::optional<int> code;   ///< number of the genetic code, for models of codons
};

/// Adds to `table` the options of trees of maximum likelihood, without those of guide trees. They
/// write to `options`, which must outlive the table.
void add_ml_tree_options(OptionTable& table, MlTreeOptions& options);

/// Refuses options that exclude each other.
/// Throws  Error{usage}
void check_ml_tree_options(const MlTreeOptions& options);

}  // namespace accord
