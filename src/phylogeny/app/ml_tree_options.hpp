// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "app/commands/tree_options.hpp"
#include "phylogeny/app/tree_search_options.hpp"

namespace accord {

/// What `accord tree` is asked for, if it can make trees of maximum likelihood.
struct MlTreeOptions {
  /// The options of guide trees. Of these, trees of maximum likelihood take the input, the output,
  /// the method of their alignment, and how they are computed.
  std::shared_ptr<TreeOptions> guide = std::make_shared<TreeOptions>();
  bool is_ml = false;       ///< a tree of maximum likelihood,
  bool is_aligned = false;  ///< of the alignment that IN is,
  bool prunes = false;      ///< leaves out rows that have no known residue
  TreeSearchOptions search;
  std::string table_output;
  std::optional<int> code;  ///< of codons
};

/// Adds the options of trees of maximum likelihood.
void add_ml_tree_options(OptionTable& table, MlTreeOptions& options);

/// Refuses options that do not go together.
/// Throws  Error{usage}
void check_ml_tree_options(const MlTreeOptions& options);

}  // namespace accord
