// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/aligned_part.hpp"
#include "core/sequence_set.hpp"
#include "method/large/placing.hpp"
#include "method/large/representatives.hpp"

namespace accord {

/// The placed sequences that are placed again, increasing: those with an accuracy below
/// kUncertainAccuracy, but no more than an eighth of all, the least accurate ones.
std::vector<std::size_t> uncertain_placements(std::span<const PlacedSequence> placed);

constexpr float kUncertainAccuracy = 0.4f;
constexpr std::size_t kUncertainShare = 8;  // of the placed sequences, at most one in so many

/// Rows that uncertain sequences are placed again with.
struct Neighbours {
  AlignedPart part;        ///< rows of an alignment, with all of its columns
  NearestMembers nearest;  ///< of each uncertain sequence
};

/// For sequences that are to be placed again, those members of the backbone that they had
/// (`before`), and half as many of the other rows, the nearest of at most kNeighbourRows
/// representatives: a relative that stands between a sequence and the backbone says more than the
/// backbone alone.
///
/// `aligned`: the backbone and sequences that were placed in it.
Neighbours neighbours_of(const SequenceSet& set, std::span<const std::uint32_t> uncertain,
                         const AlignedPart& aligned, std::span<const std::uint32_t> backbone,
                         const NearestMembers& before);

constexpr std::size_t kNeighbourRows = 2000;

}  // namespace accord
