// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>

#include "app/cli/options.hpp"
#include "app/commands/tree_search_options.hpp"
#include "method/settings.hpp"

namespace accord {

/// The options of `accord tree`.
struct TreeOptions : RunOptions {
  std::string output = "-";
  bool neighbor_joining = false;
  bool from_distances = false;
  bool is_ml = false;       ///< --ml: a tree of maximum likelihood
  bool is_aligned = false;  ///< with --ml: the input is an alignment
  bool prunes = false;      ///< with --ml: leaves out rows without a known residue
  TreeSearchOptions search;
  std::string table_output;
  std::optional<int> code;  ///< genetic code, for models of codons
  MethodOptions method;
};

/// Adds all options of `accord tree`; they write to `values`.
void add_tree_options(OptionTable& table, TreeOptions& values);

/// Refuses options that exclude each other.
/// Throws  Error{usage}
void check_tree_options(const TreeOptions& options);

}  // namespace accord
