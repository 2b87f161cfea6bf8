// SPDX-License-Identifier: Apache-2.0
#include "accord/large/representatives.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "accord/base/parallel.hpp"
#include "accord/large/common_subsequence.hpp"

namespace accord {
namespace {

constexpr std::size_t kLongShare = 4;  // of the representatives, one in so many is a long one

/// FNV-1a of the codes, its bits mixed as in splitmix64 (Steele, Lea & Flood 2014).
std::uint64_t hash_of(std::span<const std::uint8_t> codes) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const std::uint8_t code : codes) hash = (hash ^ code) * 0x100000001b3u;
  hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9u;
  hash = (hash ^ (hash >> 27)) * 0x94d049bb133111ebu;
  return hash ^ (hash >> 31);
}

/// Appends so many of the sequences, those with the lowest hashes.
void append_sample(const SequenceSet& set, std::span<const std::uint32_t> among, std::size_t count,
                   std::vector<std::uint32_t>& chosen) {
  std::vector<std::pair<std::uint64_t, std::uint32_t>> by_hash;
  by_hash.reserve(among.size());
  for (const std::uint32_t x : among) by_hash.emplace_back(hash_of(set.coded().codes(x)), x);
  std::sort(by_hash.begin(), by_hash.end());
  by_hash.resize(std::min(count, by_hash.size()));
  for (const auto& [hash, x] : by_hash) chosen.push_back(x);
}

/// How many of the sequences, the first ones, are half as long again as the one in the middle.
std::size_t count_long(const SequenceSet& set, std::span<const std::uint32_t> among) {
  if (among.empty()) return 0;
  const std::uint64_t middle = set.length(among[among.size() / 2]);
  const auto end = std::ranges::partition_point(
      among, [&](std::uint32_t x) { return 2 * std::uint64_t{set.length(x)} > 3 * middle; });
  return static_cast<std::size_t>(end - among.begin());
}

/// Working memory of a thread.
struct Scratch {
  std::vector<std::uint64_t> state;
  std::vector<double> similarity;    // of each member
  std::vector<std::uint32_t> order;  // of the members
};

}  // namespace

std::vector<std::uint32_t> distinct_sequences(const SequenceSet& set) {
  std::vector<std::uint32_t> distinct;
  for (std::uint32_t x = 0; x < set.size(); ++x) {
    const std::span<const std::uint8_t> codes = set.coded().codes(x);
    if (x > 0 && std::ranges::equal(codes, set.coded().codes(x - 1))) continue;
    distinct.push_back(x);
  }
  return distinct;
}

std::vector<std::uint32_t> select_representatives(const SequenceSet& set,
                                                  std::span<const std::uint32_t> among,
                                                  std::size_t count) {
  count = std::min(count, among.size());
  const std::size_t longer = std::max(count, (among.size() + 1) / 2);
  const std::size_t all_long = count_long(set, among);
  const std::size_t rest = longer - all_long;
  const std::size_t of_long =
      std::max(std::min(all_long, count / kLongShare), count - std::min(count, rest));
  std::vector<std::uint32_t> chosen;
  chosen.reserve(count);
  append_sample(set, among.first(all_long), of_long, chosen);
  append_sample(set, among.subspan(all_long, rest), count - of_long, chosen);
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

NearestMembers nearest_members(const SequenceSet& set, std::span<const std::uint32_t> sequences,
                               std::span<const std::uint32_t> members, std::size_t most,
                               ProgressListener* progress) {
  const CodedSequences& coded = set.coded();
  if (progress != nullptr) {
    progress->begin("nearest", "sequences", sequences.size(), sequences.size());
  }
  std::vector<CommonSubsequence> patterns;
  patterns.reserve(members.size());
  for (const std::uint32_t x : members) {
    patterns.emplace_back(coded.codes(x), symbol_count(set.type()));
  }
  NearestMembers nearest;
  nearest.each = std::min(most, members.size());
  nearest.places.resize(sequences.size() * nearest.each);
  std::vector<Scratch> scratch(static_cast<std::size_t>(thread_count()));
  parallel_for(sequences.size(), [&](std::size_t k, int thread) {
    auto& [state, similarity, order] = scratch[static_cast<std::size_t>(thread)];
    const std::span<const std::uint8_t> codes = coded.codes(sequences[k]);
    const auto length = static_cast<std::uint32_t>(codes.size());
    similarity.clear();
    for (const CommonSubsequence& pattern : patterns) {
      similarity.push_back(similarity_of(pattern.with(codes, state), pattern.length(), length));
    }
    order.resize(members.size());
    std::iota(order.begin(), order.end(), 0u);
    const auto last = order.begin() + static_cast<std::ptrdiff_t>(nearest.each);
    // Named, since clang takes no structured binding by [&] before version 16.
    const auto nearer = [&similarity = similarity](std::uint32_t a, std::uint32_t b) {
      return similarity[a] != similarity[b] ? similarity[a] > similarity[b] : a < b;
    };
    std::partial_sort(order.begin(), last, order.end(), nearer);
    std::copy(order.begin(), last,
              nearest.places.begin() + static_cast<std::ptrdiff_t>(k * nearest.each));
    if (progress != nullptr) progress->advance(1, 1);
  });
  return nearest;
}

}  // namespace accord
