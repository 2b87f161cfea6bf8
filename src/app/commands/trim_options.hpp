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
  std::vector<std::string> others;  ///< alignments of the same sequences
  /// Paths of files; empty: not written. `map`: the number of each column before and after
  /// trimming. `left_out`: the removed rows and columns, with the reasons. `complement`: an
  /// alignment of the removed columns. `page`: a page of HTML that shows the whole alignment.
  std::string map, left_out, complement, page;
};

/// Adds to `table` the options that only `accord trim` has. An option stores its value in `values`,
/// which must outlive the table.
void add_trim_options(OptionTable& table, TrimOptions& values);

}  // namespace accord
