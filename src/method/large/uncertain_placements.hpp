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

/// The indices in `placed` of the sequences to place again, increasing: those with an accuracy
/// below kUncertainAccuracy, but at most 1 / kUncertainShare of all (rounded down), the least
/// accurate ones.
std::vector<std::size_t> uncertain_placements(std::span<const PlacedSequence> placed);

constexpr float kUncertainAccuracy = 0.4f;  // bound of PlacedSequence::accuracy
constexpr std::size_t kUncertainShare = 8;  // at most 1 / kUncertainShare of all

/// The rows with which uncertain sequences are placed again.
struct Neighbours {
  AlignedPart part;        ///< rows of an alignment, with all of its columns
  NearestMembers nearest;  ///< [uncertain sequence]: indices of its rows in `part`
};

/// Finds the rows with which uncertain sequences are placed again. Each sequence gets the members
/// of the backbone that `before` lists for it, and half of before.most() rows outside the backbone
/// (rounded up): the nearest of at most kNeighbourRows representatives of the other aligned rows. A
/// row between a sequence and the backbone adds evidence that the backbone lacks.
///
/// `uncertain`, `backbone`: canonical indices; those of the backbone increase. `aligned`: the
/// backbone, and the sequences that were placed in it, without the uncertain ones. `before`: for
/// each uncertain sequence, places in `backbone`.
Neighbours neighbours_of(const SequenceSet& set, std::span<const std::uint32_t> uncertain,
                         const AlignedPart& aligned, std::span<const std::uint32_t> backbone,
                         const NearestMembers& before);

constexpr std::size_t kNeighbourRows = 2000;  // see neighbours_of()

}  // namespace accord
