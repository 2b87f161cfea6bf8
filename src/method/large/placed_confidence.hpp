// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>

#include "core/confidence.hpp"
#include "method/large/insertions.hpp"
#include "method/large/placing.hpp"

namespace accord {

/// Computes the confidence of an alignment of a part and placed sequences, over the pairs whose
/// posteriors are known: the pairs within the part (`part_confidence`), and the pairs of each
/// placed sequence with its nearest members (PlacedSequence::residues, which must have been
/// requested). placed[k] is the placement of the sequence with the canonical index sequences[k].
/// The confidence of a column without a known pair is NaN; a row that is neither in the part nor
/// placed gets no values.
Confidence placed_confidence(const Placed& combined, const AlignedPart& part,
                             const Confidence& part_confidence,
                             std::span<const std::uint32_t> sequences,
                             std::span<const PlacedSequence> placed);

/// The confidence of a part without known posteriors: NaN for all residues and columns. The rows of
/// the result are the members of the part, in their order.
Confidence unknown_confidence(const AlignedPart& part);

}  // namespace accord
