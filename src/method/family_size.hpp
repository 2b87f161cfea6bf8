// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "method/settings.hpp"

namespace accord {

/// The number of sequences of a family that are aligned with the whole method: all of them, or the
/// backbone of a large family, to which the others are then added.
///
/// LargeFamilies::automatic treats a family as large if it has more than kWholeSequences sequences,
/// or if all of its pairs have more than kWholeCells cells: beyond that the time and the memory of
/// all pairs exceed what most machines have. The rule depends on the lengths alone, so that a
/// family is aligned alike everywhere. The backbone has settings.backbone sequences; if that is 0,
/// it has those of the effort (LargeEffort::backbone), or as many as have kBackboneResidues
/// residues on average, but no fewer than kLeastBackbone.
///
/// `lengths` of all sequences. A family that has no more sequences than its backbone is not large.
std::size_t backbone_size(std::span<const std::uint32_t> lengths, const AlignSettings& settings);

constexpr std::size_t kWholeSequences = 700;
constexpr double kWholeCells = 1e11;
constexpr std::size_t kLeastBackbone = 50;
constexpr std::uint64_t kBackboneResidues = 200'000;

/// Of each sequence that is added to others, how many of these it is aligned with, the nearest
/// ones: `most` of them, or in a family of so many residues that their pairs would have more than
/// kPlacedCells cells, fewer, but no fewer than kLeastNearest.
///
/// `lengths` of the sequences that are added, or of the whole family.
std::size_t nearest_count(std::span<const std::uint32_t> lengths, std::size_t most);

constexpr double kPlacedCells = 2.5e10;
constexpr std::size_t kLeastNearest = 32;

/// Rows of the posterior matrices with these that are computed at a time; twice as many may be in
/// memory where unsure sequences are placed again.
constexpr std::uint64_t kPlacedRows = 4'000'000;

}  // namespace accord
