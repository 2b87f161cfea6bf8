// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/confidence.hpp"
#include "core/msa.hpp"
#include "core/sequence_set.hpp"
#include "method/pipeline.hpp"

namespace accord {

/// An alignment that combines given alignments, or a given alignment and added sequences.
struct CombinedAlignment {
  Msa msa;                            ///< rows of all sequences
  std::vector<bool> is_given_column;  ///< of each column: whether a given alignment had it
  /// Of each given alignment, in their order, the column that each of its columns has become.
  std::vector<std::vector<std::uint32_t>> given_columns;
  /// If the settings ask for it: that of the pairs whose posteriors are known, which are of rows
  /// that were not aligned before.
  std::optional<Confidence> confidence;
  std::vector<StageRecord> stages;
};

/// A stretch of residues of a sequence (canonical index), from 0, the last one included.
struct ResidueRange {
  std::size_t sequence, first, last;
};

/// The residues that stand in no given column, sequence by sequence in the order of the input.
std::vector<ResidueRange> residues_left_out(const SequenceSet& set,
                                            const CombinedAlignment& combined);

/// Says how many residues have no column, if there are any.
void warn_of_left_out(const std::vector<ResidueRange>& ranges);

}  // namespace accord
