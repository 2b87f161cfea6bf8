// SPDX-License-Identifier: Apache-2.0
// An alignment without some of its rows and columns, as `accord trim` makes it.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/aligned_rows.hpp"
#include "core/confidence.hpp"
#include "io/aligned_reader.hpp"
#include "tools/trimming.hpp"

namespace accord {

/// What is to be left of an alignment. Shares are in [0, 1].
struct TrimRequest {
  std::vector<ColumnRange> ranges;  ///< an end may lie behind every alignment
  std::string row;                  ///< whose columns with residues are kept; empty: not asked for
  std::optional<double> most_gaps, most_row_gaps, least_confidence, least_consistency, mask;
  bool ends_only = false, whole_codons = false, keeps_names = false;
  bool upper_case = false;  ///< of the letters that are left

  /// What columns are judged by: without a word on gaps, those of mostly gaps go if nothing else
  /// says what is kept.
  TrimRules rules() const;
  /// Whether the confidence decides anything.
  bool needs_confidence() const { return least_confidence || mask; }
};

/// Columns such as "5-90,120-" or "-40", numbered from 1.
/// Throws  Error{usage}
std::vector<ColumnRange> parse_columns(const std::string& text);

/// What is left of an alignment, and what it has lost.
struct TrimmedAlignment {
  AlignmentText text;   ///< what is left, with the names that it has then
  AlignmentText whole;  ///< the rows that are left, with all columns
  std::vector<RowLeftOut> rows;
  std::vector<ColumnFate> columns;
  std::vector<double> consistency;  ///< of the columns with `others`; empty if there are none
  SequenceSet set;                  ///< of the rows that are left
  bool keeps_names = false;
};

/// The confidence of the columns of an alignment, all of them.
using JudgeAlignment = std::function<Confidence(const AlignedFamily&)>;

/// Trims an alignment. First its ranges and its row say which columns are wanted; then rows with
/// too many gaps in these go; then the columns are judged by the rows that are left, with `judge`
/// for their confidence, if it is set. `others` are alignments of the same sequences. Warnings name
/// rows without a residue, and names whose numbers cannot be set.
/// Throws  Error{usage} for a column or a row that is not there; Error{bad_input} for codons of
///         proteins or of no whole number, and if no row is left; as column_consistency and
///         `judge`; Error{internal} for a confidence that is wanted without `judge`.
TrimmedAlignment trim_alignment(AlignedFamily aligned, const TrimRequest& request,
                                const std::vector<AlignedRows>& others,
                                const JudgeAlignment& judge = {});

/// The columns that went, with the names that the rows have then.
AlignmentText complement_of(const TrimmedAlignment& trimmed);

/// The rows of an alignment with their names, for comparisons.
AlignedRows named_rows(const AlignedFamily& aligned);

}  // namespace accord
