// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace accord {

/// The sizes of teams for which there are kernels, the smallest first. A team is a number of
/// work-items that compute a pair together in the group layout, and take strips of 8 columns in
/// turn.
inline constexpr std::array<std::uint32_t, 3> kTeams = {8, 16, 64};

/// The fewest work-items of a group. Most GPUs compute this number of items in step, so that
/// barriers cost little.
inline constexpr std::uint32_t kTeamGroup = 32;
/// Work-items of a group for teams of a size: a larger team is a group by itself.
constexpr std::uint32_t group_of(std::uint32_t team) { return std::max(kTeamGroup, team); }

/// The longest sequence for which the exponents of the group layout have room
/// (kernels/posteriors/group_match.h).
inline constexpr std::uint32_t kGroupResidues = 3'000'000;

/// Pairs with at least this number of cells are long: they may get larger teams than
/// others.
inline constexpr std::uint64_t kLongCells = 1'000'000;

/// The lengths of the sequences of a pair; the residues of x are the rows.
struct PairLengths {
  std::uint32_t x, y;
};

/// Chooses the size of the team of each pair, for a device that computes `groups` groups of
/// kTeamGroup items at the same time; `groups` is at least 1. The result has one of kTeams for each
/// pair, in the order of `pairs`.
///
/// In a small team, fewer items are without a strip: with 300 columns, the items of a team of 8
/// work in 91 % of the steps, and those of a team of 16 in 69 %. A large team finishes a pair
/// sooner, which counts if the pairs are too few to fill the device: a pair of 1000 x 1000 residues
/// takes 1022 steps in a team of 16 (15 ms on an H100), and 314 steps in a team of 64. The time of
/// a choice is estimated in steps, and is the larger of two numbers: the steps of the longest pair,
/// and the steps of all pairs divided among the items of the device. Long pairs may get another
/// team than the others, and are then computed after them. A larger team must save a quarter of the
/// time. Pure.
std::vector<std::uint32_t> plan_teams(std::span<const PairLengths> pairs, std::size_t groups);

}  // namespace accord
