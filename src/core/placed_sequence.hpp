// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <limits>
#include <vector>

namespace accord {

/// In place of the column of a residue that no column takes.
constexpr std::uint32_t kInserted = std::numeric_limits<std::uint32_t>::max();

/// The evidence for a residue of a placed sequence: for a residue in a column, that it is aligned
/// with the residues of its nearest members there; for an inserted one, that it is aligned with no
/// residue of any of them.
struct PlacedResidue {
  std::uint32_t pairs = 0;  ///< whose probabilities are summed
  std::uint32_t units = 0;  ///< sum of probabilities, in units of 2^-16
};

/// A sequence in the columns of a part.
struct PlacedSequence {
  std::vector<std::uint32_t> column;  ///< of each residue, strictly increasing, or kInserted
  std::uint32_t nearest = 0;          ///< place of the member at the smallest distance
  float distance = 1;                 ///< from it, see expected_accuracy_distance
  /// The score of its alignment with the columns, as a share of the score if all pairs were
  /// certain.
  float accuracy = 1;
  std::vector<PlacedResidue> residues;  ///< only if they are asked for
};

}  // namespace accord
