// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "app/cli/options.hpp"
#include "method/settings.hpp"

namespace accord {

/// The options of `accord tree`.
struct TreeOptions : RunOptions {
  std::string output = "-";       ///< path of the tree; "-": standard output
  bool neighbor_joining = false;  ///< else UPGMA
  bool from_distances = false;    ///< the input is a distance matrix
  bool is_aligned = false;        ///< the input is an alignment
  MethodOptions method;
};

/// Adds to `table` all options of `accord tree`; they write to `values`, which must outlive the
/// table.
void add_tree_options(OptionTable& table, TreeOptions& values);

/// Refuses options that exclude each other.
/// Throws  Error{usage}
void check_tree_options(const TreeOptions& options);

}  // namespace accord
