// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>

#include "app/cli/options.hpp"
#include "app/commands/tree_search_options.hpp"
#include "method/settings.hpp"

namespace accord {

/// What `accord tree` is asked for.
struct TreeOptions : RunOptions {
  std::string output = "-";
  bool neighbor_joining = false;
  bool from_distances = false;
  bool is_ml = false;       ///< a tree of maximum likelihood,
  bool is_aligned = false;  ///< of the alignment that IN is,
  bool prunes = false;      ///< leaves out rows that have no known residue
  TreeSearchOptions search;
  std::string table_output;
  std::optional<int> code;  ///< of codons
  MethodOptions method;
};

/// All options of `accord tree`.
void add_tree_options(OptionTable& table, TreeOptions& values);

/// Refuses options that do not go together.
/// Throws  Error{usage}
void check_tree_options(const TreeOptions& options);

}  // namespace accord
