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

/// A sequence placed into the columns of an AlignedPart, an alignment whose columns stay.
struct PlacedSequence {
  /// [residue]: its column, from 0, strictly increasing; kInserted for an inserted residue.
  std::vector<std::uint32_t> column;
  std::uint32_t nearest = 0;  ///< index in the part's members of the one at the smallest distance
  float distance = 1;         ///< distance from that member: 1 minus the expected accuracy
  /// The score of the alignment of the sequence with the columns, as a share of the score that it
  /// would have if all pairs were certain.
  float accuracy = 1;
  std::vector<PlacedResidue> residues;  ///< [residue]; empty unless the caller requested it
};

}  // namespace accord
