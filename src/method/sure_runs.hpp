// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "method/anchors.hpp"

namespace accord {

/// Finds stretches of diagonals on which two nucleotide sequences are surely aligned. The function
/// begins with the stretches that the sequences share (anchor_chain). It joins two of them on one
/// diagonal across substitutions and unknown bases, unless the part between them is in doubt. So
/// bases within a returned stretch may differ. x and y increase from one stretch to the next.
///
/// Equal bases score 1, different bases -1, unknown bases 0. A part of the diagonal between two
/// shared stretches is in doubt, and left out, if
///   - another diagonal, at most kMostShift bases away, has a much higher score in that part: by at
///     least kDoubtfulGain + s / 4 for a distance of s bases, which may pay for two gaps of s
///     bases;
///   - the diagonal scores -kDoubtfulLoss or less in that part: the sequences may be unrelated.
///
/// `x`, `y`: codes of nucleotides, bases below 4; `chain`: their anchor_chain() (anchors.hpp).
/// Cost    time proportional to the residues between stretches of one diagonal, times 2 kMostShift
///         where more than one base differs.
std::vector<Anchor> sure_runs(std::span<const std::uint8_t> x, std::span<const std::uint8_t> y,
                              std::span<const Anchor> chain);

constexpr std::uint32_t kMostShift = 32;  ///< largest distance of another diagonal, in bases
constexpr int kDoubtfulGain = 4;          ///< in scores: two substitutions become matches
constexpr int kDoubtfulLoss = 6;          ///< in scores: see sure_runs()

}  // namespace accord
