// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>

#include "core/confidence.hpp"
#include "method/large/insertions.hpp"
#include "method/large/placing.hpp"

namespace accord {

/// The confidence of an alignment into which sequences were placed, over the pairs whose posteriors
/// are known: the pairs within the part (`part_confidence`), and the pairs of each placed sequence
/// with its nearest members (PlacedSequence::residues). The confidence is NaN for a column without
/// such a pair, and for rows that are neither in the part nor placed.
Confidence placed_confidence(const Placed& combined, const AlignedPart& part,
                             const Confidence& part_confidence,
                             std::span<const std::uint32_t> sequences,
                             std::span<const PlacedSequence> placed);

/// The confidence of a part whose pairs are unknown.
Confidence unknown_confidence(const AlignedPart& part);

}  // namespace accord
