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
  MethodOptions method;
};

/// Adds to `table` all options of `accord tree`; they write to `values`, which must outlive the
/// table.
void add_tree_options(OptionTable& table, TreeOptions& values);

}  // namespace accord
