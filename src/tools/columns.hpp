// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <optional>
#include <string>
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
};

/// The share of the rows that have a gap, for each column.
std::vector<double> gap_shares(const AlignmentText& alignment);

/// Which columns pass the filter. The alignment must have its confidence if the filter asks for it.
std::vector<bool> passing_columns(const AlignmentText& alignment, const ColumnFilter& filter);

/// Leaves out all columns but those that are `kept`, in rows, confidence and markup.
void keep_columns(AlignmentText& alignment, const std::vector<bool>& kept);

/// A table with a line for each column of the alignment before columns were left out: its number,
/// its number after that or `-`, gap share, confidence (`NA`: not known). Numbers are from 1.
std::string format_column_map(const AlignmentText& alignment, const std::vector<bool>& kept);

/// Residues whose confidence is below `least` get lower case, all others upper case. The rows are
/// in input order.
void mask_residues(AlignmentText& alignment, const SequenceSet& set, const Confidence& confidence,
                   double least);

}  // namespace accord
