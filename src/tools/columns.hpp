// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/confidence.hpp"
#include "core/sequence_set.hpp"
#include "io/formats/alignment_text.hpp"

namespace accord {

/// The requirements for a column to be kept.
struct ColumnFilter {
  double most_gaps = 1;  ///< largest share of rows with a gap
  /// Least confidence. A column of a single residue has no confidence and does not pass.
  std::optional<double> least_confidence = {};
  /// Least consistency with other alignments (see column_consistency). A column without a value,
  /// which is NaN, does not pass.
  std::optional<double> least_consistency = {};
};

/// Why a column is left out. The order is that of judging: the first reason that applies counts.
enum class ColumnFate {
  kept,
  not_selected,  ///< the user did not select it
  no_residue,    ///< all remaining rows have a gap
  gaps,          ///< the share of gaps is too large
  confidence,    ///< the confidence is too low, or there is none
  consistency,   ///< the consistency is too low, or there is none
  codon,         ///< another column of its codon is left out
};

/// The name of a fate in tables and messages, such as "kept" or "gaps".
std::string_view fate_name(ColumnFate fate);

/// For each column, the share of the rows with a gap.
std::vector<double> gap_shares(const AlignmentText& alignment);

/// Judges each column by the filter: the fate is `kept`, `gaps`, `confidence` or `consistency`; the
/// caller sets the other fates. `consistency` has a value for each column; it may be empty if the
/// filter does not use it.
/// Throws  Error{internal} if the filter uses a confidence that the alignment lacks, or a missing
///         consistency.
std::vector<ColumnFate> judge_columns(const AlignmentText& alignment, const ColumnFilter& filter,
                                      const std::vector<double>& consistency = {});

/// For each column, whether it is kept.
std::vector<bool> kept_columns(const std::vector<ColumnFate>& fates);

/// For each column, whether it passes the filter, as in judge_columns(). The filter must not use
/// consistency.
std::vector<bool> passing_columns(const AlignmentText& alignment, const ColumnFilter& filter);

/// Removes the columns c with !kept[c] from rows, confidence and markup.
void keep_columns(AlignmentText& alignment, const std::vector<bool>& kept);

/// A table with a line for each column of the alignment: its number, its number among the kept
/// columns or `-`, gap share, confidence and consistency (`NA`: unknown), and its fate_name().
/// Numbers start at 1.
std::string format_column_map(const AlignmentText& alignment, const std::vector<ColumnFate>& fates,
                              const std::vector<double>& consistency = {});

/// Writes residues with a confidence below `least` in lower case, and all others in upper case. The
/// rows are in input order.
void mask_residues(AlignmentText& alignment, const SequenceSet& set, const Confidence& confidence,
                   double least);

}  // namespace accord
