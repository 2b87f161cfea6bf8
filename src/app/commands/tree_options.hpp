// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "app/cli/options.hpp"
#include "method/settings.hpp"

namespace accord {

/// The options of `accord tree`.
struct TreeOptions : RunOptions {
  std::string output = "-";
  bool neighbor_joining = false;
  bool from_distances = false;
  MethodOptions method;
};

/// Adds all options of `accord tree`; they write to `values`.
void add_tree_options(OptionTable& table, TreeOptions& values);

}  // namespace accord
