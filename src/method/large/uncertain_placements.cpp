// SPDX-License-Identifier: Apache-2.0
#include "method/large/uncertain_placements.hpp"

#include <algorithm>
#include <iterator>

namespace accord {
namespace {

std::uint32_t place_of(std::uint32_t member, std::span<const std::uint32_t> members) {
  return static_cast<std::uint32_t>(std::ranges::lower_bound(members, member) - members.begin());
}

}  // namespace

std::vector<std::size_t> uncertain_placements(std::span<const PlacedSequence> placed) {
  std::vector<std::size_t> uncertain;
  for (std::size_t k = 0; k < placed.size(); ++k) {
    if (placed[k].accuracy < kUncertainAccuracy) uncertain.push_back(k);
  }
  const auto is_less_accurate = [&](std::size_t a, std::size_t b) {
    return placed[a].accuracy != placed[b].accuracy ? placed[a].accuracy < placed[b].accuracy
                                                    : a < b;
  };
  std::ranges::sort(uncertain, is_less_accurate);
  uncertain.resize(std::min(uncertain.size(), placed.size() / kUncertainShare));
  std::ranges::sort(uncertain);
  return uncertain;
}

Neighbours neighbours_of(const SequenceSet& set, std::span<const std::uint32_t> uncertain,
                         const AlignedPart& aligned, std::span<const std::uint32_t> backbone,
                         const NearestMembers& before) {
  std::vector<std::uint32_t> others;
  std::ranges::set_difference(aligned.members, backbone, std::back_inserter(others));
  const std::vector<std::uint32_t> rows = select_representatives(set, others, kNeighbourRows);
  const NearestMembers beside =
      nearest_members(set, uncertain, rows, (before.most() + 1) / 2, nullptr);

  Neighbours result;
  AlignedPart& part = result.part;
  std::ranges::set_union(backbone, rows, std::back_inserter(part.members));
  part.msa.columns = aligned.msa.columns;
  for (const std::uint32_t x : part.members) {
    part.msa.column_of.push_back(aligned.msa.column_of[place_of(x, aligned.members)]);
  }
  for (std::size_t k = 0; k < uncertain.size(); ++k) {
    std::vector<std::uint32_t> places;
    for (const std::uint32_t place : before.of(k)) {
      places.push_back(place_of(backbone[place], part.members));
    }
    for (const std::uint32_t place : beside.of(k)) {
      places.push_back(place_of(rows[place], part.members));
    }
    result.nearest.add(places);
  }
  return result;
}

}  // namespace accord
