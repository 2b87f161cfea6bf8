// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <optional>
#include <vector>

#include "core/confidence.hpp"
#include "core/msa.hpp"
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

}  // namespace accord
