// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "app/cli/options.hpp"
#include "method/settings.hpp"

namespace accord {

/// What `accord tree` is asked for.
struct TreeOptions : RunOptions {
  std::string output = "-";
  bool neighbor_joining = false;
  bool from_distances = false;
  MethodOptions method;
};

/// All options of `accord tree`.
void add_tree_options(OptionTable& table, TreeOptions& values);

}  // namespace accord
