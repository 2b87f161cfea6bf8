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

/// What a column must have to be kept.
struct ColumnFilter {
  double most_gaps = 1;  ///< largest share of rows with a gap
  /// Least confidence; a column of a single residue, which has none, is then left out.
  std::optional<double> least_confidence = {};
  /// Least consistency with other alignments, likewise (see column_consistency).
  std::optional<double> least_consistency = {};
};

/// Why a column is left out, in the order in which columns are judged: the first that holds.
enum class ColumnFate {
  kept,
  not_selected,  ///< it is none of the columns that were asked for
  no_residue,    ///< all rows that are left have a gap
  gaps,
  confidence,
  consistency,
  codon,  ///< another column of its codon is left out
};

/// A fate in a word, "kept", "gaps".
std::string_view fate_name(ColumnFate fate);

/// The share of the rows that have a gap, for each column.
std::vector<double> gap_shares(const AlignmentText& alignment);

/// What becomes of each column by the filter. The alignment must have its confidence if the filter
/// asks for it; `consistency` has a value for each column if the filter asks for that.
std::vector<ColumnFate> judge_columns(const AlignmentText& alignment, const ColumnFilter& filter,
                                      const std::vector<double>& consistency = {});

/// The columns that are kept.
std::vector<bool> kept_columns(const std::vector<ColumnFate>& fates);

/// Which columns pass the filter, as judge_columns().
std::vector<bool> passing_columns(const AlignmentText& alignment, const ColumnFilter& filter);

/// Leaves out all columns but those that are `kept`, in rows, confidence and markup.
void keep_columns(AlignmentText& alignment, const std::vector<bool>& kept);

/// A table with a line for each column of the alignment before columns were left out: its number,
/// its number after that or `-`, gap share, confidence, consistency (`NA`: not known), and its
/// fate_name(). Numbers are from 1.
std::string format_column_map(const AlignmentText& alignment, const std::vector<ColumnFate>& fates,
                              const std::vector<double>& consistency = {});

/// Residues whose confidence is below `least` get lower case, all others upper case. The rows are
/// in input order.
void mask_residues(AlignmentText& alignment, const SequenceSet& set, const Confidence& confidence,
                   double least);

}  // namespace accord
