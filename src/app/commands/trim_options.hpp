// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "app/cli/options.hpp"
#include "tools/trim_alignment.hpp"

namespace accord {

/// The options of `accord trim`.
struct TrimOptions : RunOptions {
  OutputOptions output;
  MethodOptions method;
  TrimRequest request;
  std::vector<std::string> others;              ///< alignments of the same sequences
  std::string map, left_out, complement, page;  ///< paths; empty: not written
};

/// Adds the options of `accord trim` that no other command has; they write to `values`.
void add_trim_options(OptionTable& table, TrimOptions& values);

}  // namespace accord
