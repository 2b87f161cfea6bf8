// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>

#include "core/confidence.hpp"
#include "method/large/insertions.hpp"
#include "method/large/placing.hpp"

namespace accord {

/// The confidence of an alignment that sequences were placed in, from the pairs whose posteriors
/// are known: those of the part with each other (`part_confidence`) and of each sequence with its
/// nearest members (PlacedSequence::residues). A column in which no such pair stands has none
/// (NaN), neither have rows that are neither in the part nor placed.
Confidence placed_confidence(const Placed& combined, const AlignedPart& part,
                             const Confidence& part_confidence,
                             std::span<const std::uint32_t> sequences,
                             std::span<const PlacedSequence> placed);

/// In place of the confidence of a part whose own pairs are not known.
Confidence unknown_confidence(const AlignedPart& part);

}  // namespace accord
