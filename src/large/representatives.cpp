// SPDX-License-Identifier: Apache-2.0
#include "accord/large/representatives.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "accord/base/parallel.hpp"
#include "accord/large/common_subsequence.hpp"

namespace accord {
namespace {

/// FNV-1a of the codes, its bits mixed as in splitmix64 (Steele, Lea & Flood 2014).
std::uint64_t hash_of(std::span<const std::uint8_t> codes) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const std::uint8_t code : codes) hash = (hash ^ code) * 0x100000001b3u;
  hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9u;
  hash = (hash ^ (hash >> 27)) * 0x94d049bb133111ebu;
  return hash ^ (hash >> 31);
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
  const std::size_t longer = std::max(std::min(count, among.size()), (among.size() + 1) / 2);
  std::vector<std::pair<std::uint64_t, std::uint32_t>> by_hash;
  by_hash.reserve(longer);
  for (const std::uint32_t x : among.first(longer)) {
    by_hash.emplace_back(hash_of(set.coded().codes(x)), x);
  }
  std::sort(by_hash.begin(), by_hash.end());
  by_hash.resize(std::min(count, by_hash.size()));
  std::vector<std::uint32_t> chosen;
  chosen.reserve(by_hash.size());
  for (const auto& [hash, x] : by_hash) chosen.push_back(x);
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
    std::partial_sort(order.begin(), last, order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return similarity[a] != similarity[b] ? similarity[a] > similarity[b] : a < b;
    });
    std::copy(order.begin(), last,
              nearest.places.begin() + static_cast<std::ptrdiff_t>(k * nearest.each));
    if (progress != nullptr) progress->advance(1, 1);
  });
  return nearest;
}

}  // namespace accord
