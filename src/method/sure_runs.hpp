// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "method/anchors.hpp"

namespace accord {

/// Finds the stretches of single diagonals on which two sequences are surely aligned. These are the
/// stretches that the sequences share (anchor_chain), joined across substitutions and unknown bases
/// wherever no other path is nearly as good. x and y increase; bases within a stretch may differ.
///
/// Equal bases score 1, different bases -1, unknown bases 0. A part of the diagonal between two
/// shared stretches is in doubt, and left out, if
///   - a diagonal at a distance s of at most kMostShift scores kDoubtfulGain + s / 4 or more above
///     it in that part: two gaps of s bases would then pay, or nearly;
///   - it scores -kDoubtfulLoss or less: the sequences may be unrelated there.
///
/// `x`, `y`: codes of nucleotides, bases below 4; `chain`: their anchor_chain().
/// Cost    time proportional to the residues between stretches of one diagonal, times 2 kMostShift
///         where more than one base differs.
std::vector<Anchor> sure_runs(std::span<const std::uint8_t> x, std::span<const std::uint8_t> y,
                              std::span<const Anchor> chain);

constexpr std::uint32_t kMostShift = 32;
constexpr int kDoubtfulGain = 4;  // two substitutions become matches
constexpr int kDoubtfulLoss = 6;

}  // namespace accord
