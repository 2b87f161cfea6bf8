// SPDX-License-Identifier: Apache-2.0
#include "method/large/representatives.hpp"

#include <algorithm>
#include <iterator>
#include <numeric>
#include <utility>

#include "base/parallel.hpp"
#include "method/large/common_subsequence.hpp"

namespace accord {
namespace {

constexpr std::size_t kLongShare = 4;     // one in 4 representatives is a long sequence
constexpr std::size_t kSampledShare = 5;  // one in 5 members of a backbone is sampled
constexpr std::size_t kCandidates = 2;    // candidates per member of a backbone

/// FNV-1a hash of the codes, with its bits mixed as in splitmix64 (Steele, Lea & Flood 2014).
std::uint64_t hash_of(std::span<const std::uint8_t> codes) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const std::uint8_t code : codes) hash = (hash ^ code) * 0x100000001b3u;
  hash = (hash ^ (hash >> 30)) * 0xbf58476d1ce4e5b9u;
  hash = (hash ^ (hash >> 27)) * 0x94d049bb133111ebu;
  return hash ^ (hash >> 31);
}

/// Appends the `count` sequences with the lowest hashes to `chosen`.
void append_sample(const SequenceSet& set, std::span<const std::uint32_t> among, std::size_t count,
                   std::vector<std::uint32_t>& chosen) {
  std::vector<std::pair<std::uint64_t, std::uint32_t>> by_hash;
  by_hash.reserve(among.size());
  for (const std::uint32_t x : among) by_hash.emplace_back(hash_of(set.coded().codes(x)), x);
  std::sort(by_hash.begin(), by_hash.end());
  by_hash.resize(std::min(count, by_hash.size()));
  for (const auto& [hash, x] : by_hash) chosen.push_back(x);
}

/// The number of sequences, from the first on, that are longer than `halves` / 2 times the sequence
/// in the middle.
std::size_t count_longer(const SequenceSet& set, std::span<const std::uint32_t> among,
                         std::uint64_t halves) {
  if (among.empty()) return 0;
  const std::uint64_t middle = set.length(among[among.size() / 2]);
  const auto end = std::ranges::partition_point(
      among, [&](std::uint32_t x) { return 2 * std::uint64_t{set.length(x)} > halves * middle; });
  return static_cast<std::size_t>(end - among.begin());
}

/// Candidates for a growing group, each with its similarity to the most similar member of the
/// group.
class Candidates {
 public:
  Candidates(const SequenceSet& set, std::vector<std::uint32_t> sequences)
      : set_(set),
        sequences_(std::move(sequences)),
        similarity_(sequences_.size(), 0.0),
        states_(static_cast<std::size_t>(thread_count())) {}

  /// Adds a sequence to the group.
  void add_to_group(std::uint32_t x) {
    const CommonSubsequence pattern(set_.coded().codes(x), symbol_count(set_.type()));
    parallel_for(sequences_.size(), [&](std::size_t k, int thread) {
      const std::span<const std::uint8_t> codes = set_.coded().codes(sequences_[k]);
      const std::uint32_t common = pattern.with(codes, states_[static_cast<std::size_t>(thread)]);
      const auto length = static_cast<std::uint32_t>(codes.size());
      similarity_[k] = std::max(similarity_[k], similarity_of(common, pattern.length(), length));
    });
  }

  /// Removes the candidate least similar to the group, and returns it. Ties go to the first.
  std::uint32_t take_least_alike() {
    const auto least = std::ranges::min_element(similarity_) - similarity_.begin();
    const std::uint32_t x = sequences_[static_cast<std::size_t>(least)];
    sequences_.erase(sequences_.begin() + least);
    similarity_.erase(similarity_.begin() + least);
    return x;
  }

 private:
  const SequenceSet& set_;
  std::vector<std::uint32_t> sequences_;
  std::vector<double> similarity_;
  std::vector<std::vector<std::uint64_t>> states_;  // [thread]
};

/// Working memory of a thread.
struct Scratch {
  std::vector<std::uint64_t> state;
  std::vector<double> similarity;    // [member]
  std::vector<std::uint32_t> order;  // the members, as places
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
  const std::size_t all_long = count_longer(set, among, 3);
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

std::vector<std::uint32_t> select_backbone(const SequenceSet& set,
                                           std::span<const std::uint32_t> among,
                                           std::size_t count) {
  if (among.size() <= count) return {among.begin(), among.end()};
  std::vector<std::uint32_t> chosen =
      select_representatives(set, among, (count + kSampledShare - 1) / kSampledShare);
  std::vector<std::uint32_t> sample, others;
  const std::size_t no_fragments = std::max(count, count_longer(set, among, 1));
  append_sample(set, among.first(no_fragments), kCandidates * count, sample);
  std::sort(sample.begin(), sample.end());
  std::ranges::set_difference(sample, chosen, std::back_inserter(others));
  Candidates candidates(set, std::move(others));
  for (const std::uint32_t x : chosen) candidates.add_to_group(x);
  while (chosen.size() < count) {
    chosen.push_back(candidates.take_least_alike());
    candidates.add_to_group(chosen.back());
  }
  std::sort(chosen.begin(), chosen.end());
  return chosen;
}

NearestMembers nearest_members(const SequenceSet& set, std::span<const std::uint32_t> sequences,
                               std::span<const std::uint32_t> members, std::size_t most,
                               ProgressListener* progress) {
  const std::size_t each = std::min(most, members.size());
  std::vector<std::uint32_t> places(sequences.size() * each, 0);
  if (members.size() == 1) return {std::move(places), each, sequences.size()};
  const CodedSequences& coded = set.coded();
  if (progress != nullptr) {
    std::uint64_t residues = 0, all = 0;
    for (const std::uint32_t x : members) residues += set.length(x);
    for (const std::uint32_t x : sequences) all += residues * set.length(x);
    progress->begin("nearest", "sequences", sequences.size(), all);
  }
  std::vector<CommonSubsequence> patterns;
  patterns.reserve(members.size());
  for (const std::uint32_t x : members) {
    patterns.emplace_back(coded.codes(x), symbol_count(set.type()));
  }
  std::vector<Scratch> scratch(static_cast<std::size_t>(thread_count()));
  parallel_for(sequences.size(), [&](std::size_t k, int thread) {
    auto& [state, similarity, order] = scratch[static_cast<std::size_t>(thread)];
    const std::span<const std::uint8_t> codes = coded.codes(sequences[k]);
    const auto length = static_cast<std::uint32_t>(codes.size());
    similarity.clear();
    for (const CommonSubsequence& pattern : patterns) {
      similarity.push_back(similarity_of(pattern.with(codes, state), pattern.length(), length));
      if (progress != nullptr) progress->advance(0, std::uint64_t{pattern.length()} * length);
    }
    order.resize(members.size());
    std::iota(order.begin(), order.end(), 0u);
    const auto last = order.begin() + static_cast<std::ptrdiff_t>(each);
    // Named, since clang before version 16 does not capture structured bindings by [&].
    const auto nearer = [&similarity = similarity](std::uint32_t a, std::uint32_t b) {
      return similarity[a] != similarity[b] ? similarity[a] > similarity[b] : a < b;
    };
    std::partial_sort(order.begin(), last, order.end(), nearer);
    std::copy(order.begin(), last, places.begin() + static_cast<std::ptrdiff_t>(k * each));
    if (progress != nullptr) progress->advance(1, 0);
  });
  return {std::move(places), each, sequences.size()};
}

}  // namespace accord
