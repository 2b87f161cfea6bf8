// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace accord {

/// The sizes of teams: work-items that walk a pair together in the group layout and take strips of
/// 8 columns in turn. The sizes for which there is a kernel, the smallest first.
inline constexpr std::array<std::uint32_t, 3> kTeams = {8, 16, 64};

/// Work-items of a group: as many as compute in step on most GPUs, so that no barrier holds up
/// others, or one team.
inline constexpr std::uint32_t kTeamGroup = 32;
constexpr std::uint32_t group_of(std::uint32_t team) { return std::max(kTeamGroup, team); }

/// Residues of a sequence for which the group layout's exponents have room (kernels/posteriors/
/// group_match.h).
inline constexpr std::uint32_t kGroupResidues = 3'000'000;

/// Pairs with at least this number of cells are long: they may get larger teams than
/// others.
inline constexpr std::uint64_t kLongCells = 1'000'000;

/// Lengths of the sequences of a pair: x are rows.
struct PairLengths {
  std::uint32_t x, y;
};

/// The team of each pair, for a device that computes `groups` groups of kTeamGroup items at the
/// same time.
///
/// A small team leaves the fewest items without a strip: of 300 columns one of 8 is at work in 91 %
/// of its steps, one of 16 in 69 %. A large one is done sooner with a pair, which is what counts
/// where pairs are too few to fill the device: 1000 x 1000 are 1022 steps in a team of 16, 15 ms on
/// an H100, and 314 in one of 64. So a step of any team is taken for as long as another, and all
/// pairs for the longest one or for what fills the device, whichever is more; long pairs may be
/// apart, after the others. A larger team must save a quarter. Pure.
std::vector<std::uint32_t> plan_teams(std::span<const PairLengths> pairs, std::size_t groups);

}  // namespace accord
