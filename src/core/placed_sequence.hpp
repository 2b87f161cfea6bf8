// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <limits>
#include <vector>

namespace accord {

/// Stands in place of a column for a residue that is inserted between columns.
constexpr std::uint32_t kInserted = std::numeric_limits<std::uint32_t>::max();

/// The evidence for one residue of a placed sequence. For a residue in a column, this is the
/// evidence that it is aligned with the residues of the nearest members in that column; for an
/// inserted residue, that it is aligned with no residue of these members.
struct PlacedResidue {
  std::uint32_t pairs = 0;  ///< number of the summed probabilities
  std::uint32_t units = 0;  ///< sum of probabilities, in units of 2^-16
};

/// A sequence placed into the columns of an AlignedPart.
struct PlacedSequence {
  std::vector<std::uint32_t> column;  ///< of each residue, strictly increasing, or kInserted
  std::uint32_t nearest = 0;  ///< position in the part of the member at the smallest distance
  float distance = 1;         ///< distance from that member, see expected_accuracy_distance
  /// The score of the alignment of the sequence with the columns, as a share of the score that it
  /// would have if all pairs were certain.
  float accuracy = 1;
  std::vector<PlacedResidue> residues;  ///< empty unless requested
};

}  // namespace accord
