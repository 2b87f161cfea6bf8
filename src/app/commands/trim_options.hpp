// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "app/cli/options.hpp"
#include "tools/trimming.hpp"

namespace accord {

/// What `accord trim` is asked for.
struct TrimOptions : RunOptions {
  OutputOptions output;
  MethodOptions method;
  std::vector<ColumnRange> ranges;  ///< an end may lie behind every alignment
  std::string row;                  ///< whose columns with residues are kept; empty: not asked for
  std::optional<double> most_gaps, most_row_gaps, least_confidence, least_consistency, mask;
  std::vector<std::string> others;  ///< alignments of the same sequences
  bool ends_only = false, whole_codons = false, keeps_names = false;
  std::string map, left_out, complement, page;  ///< paths; empty: not written

  /// What columns are judged by: without a word on gaps, those of mostly gaps go if nothing else
  /// says what is kept.
  TrimRules rules() const;
};

/// Those of trimming alone.
void add_trim_options(OptionTable& table, TrimOptions& values);

/// Columns such as "5-90,120-" or "-40", numbered from 1.
/// Throws  Error{usage}
std::vector<ColumnRange> parse_columns(const std::string& text);

}  // namespace accord
