// SPDX-License-Identifier: Apache-2.0
#include "stages/posteriors/team_plan.hpp"

#include "posteriors/workspace.h"

namespace accord {
namespace {

bool is_long(const PairLengths& pair) { return std::uint64_t{pair.x} * pair.y >= kLongCells; }

/// The time of pairs in teams of a size, in steps: of the longest pair, and of all pairs on a
/// device that they fill.
struct TeamTime {
  double longest = 0, filled = 0;
  double all() const { return std::max(longest, filled); }
};

TeamTime time_of(std::span<const PairLengths> pairs, std::uint32_t team, std::size_t groups) {
  constexpr double kOfLargeGroup = 1.2;  // items wait for each other (measured on an H200)
  const double of_step = group_of(team) > kTeamGroup ? kOfLargeGroup : 1.0;
  const double share =
      of_step * team / (static_cast<double>(groups) * kTeamGroup);  // of the device in a step
  TeamTime time;
  for (const PairLengths& pair : pairs) {
    const double steps =
        accord_team_steps(pair.x / ACCORD_TILE + 1, pair.y / ACCORD_TILE + 1, team);
    time.filled += steps * share;
    time.longest = std::max(time.longest, steps * of_step);
  }
  return time;
}

}  // namespace

std::vector<std::uint32_t> plan_teams(std::span<const PairLengths> pairs, std::size_t groups) {
  constexpr double kWorthIt = 0.75;
  const TeamTime smallest = time_of(pairs, kTeams.front(), groups);
  if (smallest.filled >= smallest.longest) return std::vector(pairs.size(), kTeams.front());
  std::vector<PairLengths> others, long_ones;
  for (const PairLengths& pair : pairs) (is_long(pair) ? long_ones : others).push_back(pair);
  std::uint32_t usual = kTeams.front(), of_long = usual;
  double best = smallest.all();
  const auto consider = [&](std::uint32_t team, std::uint32_t team_of_long, double steps) {
    if (steps > kWorthIt * best) return;
    usual = team;
    of_long = team_of_long;
    best = steps;
  };
  for (const std::uint32_t team : kTeams) {
    consider(team, team, time_of(pairs, team, groups).all());
    if (long_ones.empty() || others.empty()) continue;
    consider(team, kTeams.back(),
             time_of(others, team, groups).all() + time_of(long_ones, kTeams.back(), groups).all());
  }
  std::vector<std::uint32_t> teams;
  for (const PairLengths& pair : pairs) teams.push_back(is_long(pair) ? of_long : usual);
  return teams;
}

}  // namespace accord
