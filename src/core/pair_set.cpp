// SPDX-License-Identifier: Apache-2.0
#include "core/pair_set.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <tuple>
#include <utility>

#include "accord/base/error.hpp"

namespace accord {
namespace {

/// Sorts the members of a group.
/// Throws  Error{internal} if a member is not below `sequences`, or occurs twice.
std::vector<std::uint32_t> checked_group(std::size_t sequences,
                                         std::vector<std::uint32_t> members) {
  std::sort(members.begin(), members.end());
  if (std::adjacent_find(members.begin(), members.end()) != members.end()) {
    throw Error(ErrorKind::internal, "a sequence is twice in a group of pairs");
  }
  if (!members.empty() && members.back() >= sequences) {
    throw Error(ErrorKind::internal, "sequence " + std::to_string(members.back()) +
                                         " of a group of pairs is not in the family of " +
                                         std::to_string(sequences));
  }
  return members;
}

}  // namespace

PairSet PairSet::all(std::size_t sequences) {
  PairSet set;
  set.members_.resize(sequences);
  std::iota(set.members_.begin(), set.members_.end(), 0u);
  set.list_begin_.assign(sequences, 0);
  set.first_.resize(sequences + 1);
  for (std::size_t y = 0; y < sequences; ++y) set.first_[y + 1] = set.first_[y] + y;
  return set;
}

PairSet PairSet::within(std::size_t sequences, std::vector<std::uint32_t> members) {
  PairSet set;
  set.members_ = checked_group(sequences, std::move(members));
  set.is_all_ = set.members_.size() == sequences;
  set.list_begin_.assign(sequences, 0);
  set.first_.resize(sequences + 1);
  for (std::size_t y = 0, below = 0; y < sequences; ++y) {
    const bool is_member = below < set.members_.size() && set.members_[below] == y;
    set.first_[y + 1] = set.first_[y] + (is_member ? below++ : 0);
  }
  return set;
}

PairSet PairSet::between(std::size_t sequences, std::vector<std::uint32_t> group,
                         std::vector<std::uint32_t> other) {
  const std::size_t split = group.size();
  group.insert(group.end(), other.begin(), other.end());
  checked_group(sequences, group);
  PairSet set;
  set.is_all_ = sequences < 2;
  set.members_ = std::move(group);
  const auto middle = set.members_.begin() + static_cast<std::ptrdiff_t>(split);
  std::sort(set.members_.begin(), middle);
  std::sort(middle, set.members_.end());
  set.list_begin_.assign(sequences, 0);
  set.first_.resize(sequences + 1);
  std::size_t in_group = 0, in_other = split;  // members below y
  for (std::size_t y = 0; y < sequences; ++y) {
    std::size_t count = 0;
    if (in_group < split && set.members_[in_group] == y) {
      ++in_group;
      set.list_begin_[y] = split;
      count = in_other - split;
    } else if (in_other < set.members_.size() && set.members_[in_other] == y) {
      ++in_other;
      count = in_group;
    }
    set.first_[y + 1] = set.first_[y] + count;
  }
  return set;
}

PairSet PairSet::listed(std::size_t sequences, std::vector<PairIndex> pairs) {
  for (const auto [x, y] : pairs) {
    if (x < y && y < sequences) continue;
    throw Error(ErrorKind::internal, "(" + std::to_string(x) + ", " + std::to_string(y) +
                                         ") is not a pair of a family of " +
                                         std::to_string(sequences));
  }
  std::sort(pairs.begin(), pairs.end(),
            [](PairIndex a, PairIndex b) { return std::tuple(a.y, a.x) < std::tuple(b.y, b.x); });
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  PairSet set;
  set.is_all_ = pairs.size() == sequences * (sequences - (sequences > 0)) / 2;
  set.members_.reserve(pairs.size());
  set.first_.assign(sequences + 1, 0);
  for (const auto [x, y] : pairs) {
    set.members_.push_back(x);
    ++set.first_[y + 1];
  }
  for (std::size_t y = 0; y < sequences; ++y) set.first_[y + 1] += set.first_[y];
  set.list_begin_.assign(set.first_.begin(), set.first_.end() - 1);
  return set;
}

PairIndex PairSet::operator[](std::size_t number) const {
  const auto after = std::upper_bound(first_.begin(), first_.end(), number);
  const auto y = static_cast<std::size_t>(after - first_.begin()) - 1;
  return {members_[list_begin_[y] + (number - first_[y])], static_cast<std::uint32_t>(y)};
}

std::optional<std::size_t> PairSet::find(std::size_t x, std::size_t y) const {
  if (x >= y || y >= sequences()) return std::nullopt;
  const std::span<const std::uint32_t> list = partners(y);
  const auto at = std::lower_bound(list.begin(), list.end(), x);
  if (at == list.end() || *at != x) return std::nullopt;
  return first_[y] + static_cast<std::size_t>(at - list.begin());
}

std::size_t PairSet::listed_number(std::size_t x, std::size_t y) const {
  const std::optional<std::size_t> number = find(x, y);
  if (number) return *number;
  throw Error(ErrorKind::internal, "the pair (" + std::to_string(x) + ", " + std::to_string(y) +
                                       ") is not among the wanted ones");
}

}  // namespace accord
