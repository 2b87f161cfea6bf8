// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/confidence.hpp"
#include "core/msa.hpp"
#include "core/sequence_set.hpp"
#include "method/align_result.hpp"

namespace accord {

/// An alignment that combines given alignments, or a given alignment and added sequences. A given
/// alignment is one that the user passes in.
struct CombinedAlignment {
  Msa msa;                            ///< rows of all sequences
  std::vector<bool> is_given_column;  ///< for each column, whether it is from a given alignment
  /// For each given alignment, in order, the new column of each of its columns.
  std::vector<std::vector<std::uint32_t>> given_columns;
  /// Only if the settings ask for it. It is over the pairs whose posteriors are known; the rows of
  /// such a pair were not aligned with each other before.
  std::optional<Confidence> confidence;
  std::vector<StageRecord> stages;
  FamilyFacts facts = {};
};

/// Residues first ... last, from 0 and inclusive, of a sequence (canonical index).
struct ResidueRange {
  std::size_t sequence, first, last;
};

/// The residues that are not in a given column, by sequence in the order of the input.
std::vector<ResidueRange> residues_left_out(const SequenceSet& set,
                                            const CombinedAlignment& combined);

/// Warns of residues without a column, if there are any.
void warn_of_residues_left_out(const std::vector<ResidueRange>& ranges);

}  // namespace accord
