// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "method/settings.hpp"

namespace accord {

/// The number of sequences of a family that are aligned with the whole method: all of them, or the
/// backbone of a large family, to which the other sequences are then added.
///
/// With LargeFamilies::automatic, a family is large if it has more than kWholeSequences sequences,
/// or if all of its pairs have more than kWholeCells cells: beyond that, all pairs need more time
/// and memory than most machines have. The rule depends on the lengths alone, so that every machine
/// aligns a family alike. The backbone has settings.backbone sequences; if that is 0, it has
/// LargeEffort::backbone sequences, or fewer if that many of mean length have more than
/// kBackboneResidues residues, but at least kLeastBackbone.
///
/// `lengths`: of all sequences. A family without more sequences than its backbone is not large.
std::size_t backbone_size(std::span<const std::uint32_t> lengths, const AlignSettings& settings);

constexpr std::size_t kWholeSequences = 700;
constexpr double kWholeCells = 1e11;
constexpr std::size_t kLeastBackbone = 50;
constexpr std::uint64_t kBackboneResidues = 200'000;

/// The number of nearest sequences that each added sequence is aligned with: `most`, or fewer if
/// the pairs would have more than kPlacedCells cells, but at least kLeastNearest.
///
/// `lengths`: of the added sequences, or of the whole family.
std::size_t nearest_count(std::span<const std::uint32_t> lengths, std::size_t most);

constexpr double kPlacedCells = 2.5e10;
constexpr std::size_t kLeastNearest = 32;

/// The number of rows of the posterior matrices of placed sequences that are computed at a time.
/// Twice as many may be in memory if unsure sequences are placed again.
constexpr std::uint64_t kPlacedRows = 4'000'000;

}  // namespace accord
