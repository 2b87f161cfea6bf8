// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "method/anchors.hpp"

namespace accord {

/// The stretches of single diagonals on which two sequences are surely aligned: those that they
/// share (anchor_chain), joined across substitutions and unknown bases wherever no path beside the
/// diagonal is nearly as good. Increasing in both; residues differ in them.
///
/// With 1 for equal bases, -1 for different ones and 0 for unknown ones, a part of the diagonal
/// between two shared stretches is in doubt, and left out, if
///   - a diagonal at a distance s of at most kMostShift has a score there that is kDoubtfulGain +
///     s / 4 or more above its own: two gaps of s bases would then pay, or nearly;
///   - its own score is -kDoubtfulLoss or less: the two may be unrelated there.
///
/// `x`, `y`: codes of nucleotides, the bases below 4; `chain`: their anchor_chain().
/// Cost    time proportional to the residues between stretches of one diagonal, times 2 kMostShift
///         where they differ more than once.
std::vector<Anchor> sure_runs(std::span<const std::uint8_t> x, std::span<const std::uint8_t> y,
                              std::span<const Anchor> chain);

constexpr std::uint32_t kMostShift = 32;
constexpr int kDoubtfulGain = 4;  // two substitutions become matches
constexpr int kDoubtfulLoss = 6;

}  // namespace accord
