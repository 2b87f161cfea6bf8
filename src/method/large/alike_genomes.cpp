// SPDX-License-Identifier: Apache-2.0
#include "method/large/alike_genomes.hpp"

#include <algorithm>
#include <numeric>
#include <unordered_map>
#include <utility>

#include "base/parallel.hpp"
#include "method/family_size.hpp"
#include "method/nucleotide_words.hpp"
#include "method/pieces.hpp"

namespace accord {
namespace {

constexpr unsigned kSampledBits = 3;  // a word is sampled if this many bits of its hash are zero

/// The sampled words of a sequence.
struct Sampled {
  std::vector<std::uint32_t> words;  ///< their hashes, increasing
  std::vector<std::uint32_t> order;  ///< indices into `words`, by first place in the sequence
};

Sampled sample_of(std::span<const std::uint8_t> codes) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> found;  // hash and place
  for_each_word(codes, [&](std::uint64_t letters, std::uint32_t at) {
    // The finalizer of splitmix64 (Steele, Lea & Flood 2014).
    letters = (letters ^ (letters >> 30)) * 0xbf58476d1ce4e5b9u;
    letters = (letters ^ (letters >> 27)) * 0x94d049bb133111ebu;
    letters ^= letters >> 31;
    if (letters >> (64 - kSampledBits) == 0) {
      found.emplace_back(static_cast<std::uint32_t>(letters), at);
    }
  });
  std::ranges::sort(found);
  const auto is_same_word = [](const auto& a, const auto& b) { return a.first == b.first; };
  found.erase(std::unique(found.begin(), found.end(), is_same_word), found.end());
  Sampled sampled;
  for (const auto& word : found) sampled.words.push_back(word.first);
  sampled.order.resize(found.size());
  std::iota(sampled.order.begin(), sampled.order.end(), 0u);
  std::ranges::sort(sampled.order, {}, [&](std::uint32_t w) { return found[w].second; });
  return sampled;
}

/// Chooses sequences one after the other: the most central one, then each time the one that is
/// least similar to the chosen ones.
class FarthestFirst {
 public:
  explicit FarthestFirst(const WordSamples& samples)
      : samples_(samples), similarity_(samples.size(), 0.0) {
    add(samples.most_central());
  }

  void add_least_alike() {
    add(static_cast<std::size_t>(std::ranges::min_element(similarity_) - similarity_.begin()));
  }

  /// The similarity to the chosen ones of the sequence that is least similar to them.
  double least() const { return std::ranges::min(similarity_); }

  const std::vector<std::uint32_t>& chosen() const { return chosen_; }

 private:
  void add(std::size_t k) {
    chosen_.push_back(static_cast<std::uint32_t>(k));
    parallel_for(samples_.size(), [&](std::size_t other, int) {
      similarity_[other] = std::max(similarity_[other], samples_.similarity_to(k, samples_, other));
    });
    similarity_[k] = 2;  // above that of all others
  }

  const WordSamples& samples_;
  std::vector<double> similarity_;  // [sequence]: to the most similar chosen one
  std::vector<std::uint32_t> chosen_;
};

/// The words that a member shares with a sequence.
struct Candidate {
  std::uint32_t place = 0;
  std::vector<std::uint32_t> words;  ///< indices of the shared words in the sequence's sample
  bool is_alike = false;
};

/// Chooses at most kGenomesNearest of the members for sequence k, as NearestGenomes describes.
/// Returns their places.
std::vector<std::uint32_t> covering(std::vector<Candidate> members, const WordSamples& samples,
                                    std::size_t k) {
  std::vector<bool> is_covered(samples.words(k), false);
  std::vector<std::uint32_t> chosen;
  while (chosen.size() < kGenomesNearest && !members.empty()) {
    const bool has_gap = samples.longest_without(k, is_covered) >= kUncoveredWords;
    std::size_t best = members.size(), most = 0;
    for (std::size_t m = 0; m < members.size(); ++m) {
      if (!members[m].is_alike && !has_gap) continue;
      const auto covered = static_cast<std::size_t>(std::ranges::count_if(
          members[m].words, [&](std::uint32_t word) { return !is_covered[word]; }));
      const bool is_better =
          best == members.size() || covered > most ||
          (covered == most && members[m].words.size() > members[best].words.size());
      if (!is_better) continue;
      best = m;
      most = covered;
    }
    if (best == members.size()) break;
    chosen.push_back(members[best].place);
    for (const std::uint32_t word : members[best].words) is_covered[word] = true;
    members.erase(members.begin() + static_cast<std::ptrdiff_t>(best));
  }
  return chosen;
}

}  // namespace

WordSamples::WordSamples(const SequenceSet& set, std::span<const std::uint32_t> sequences)
    : words_(sequences.size()), order_(sequences.size()) {
  parallel_for(sequences.size(), [&](std::size_t k, int) {
    Sampled sampled = sample_of(set.coded().codes(sequences[k]));
    words_[k] = std::move(sampled.words);
    order_[k] = std::move(sampled.order);
  });
}

std::size_t WordSamples::longest_without(std::size_t k, const std::vector<bool>& in) const {
  std::size_t longest = 0, length = 0;
  for (const std::uint32_t word : order_[k]) {
    length = in[word] ? 0 : length + 1;
    longest = std::max(longest, length);
  }
  return longest;
}

std::vector<std::uint32_t> WordSamples::shared_with(std::size_t a, const WordSamples& other,
                                                    std::size_t b) const {
  const std::vector<std::uint32_t>&x = words_[a], &y = other.words_[b];
  std::vector<std::uint32_t> shared;
  for (std::uint32_t i = 0, j = 0; i < x.size() && j < y.size();) {
    const std::uint32_t of_x = x[i], of_y = y[j];
    if (of_x == of_y) shared.push_back(i);
    i += of_x <= of_y;
    j += of_y <= of_x;
  }
  return shared;
}

double WordSamples::similarity_to(std::size_t a, const WordSamples& other, std::size_t b) const {
  const std::size_t fewer = std::min(words_[a].size(), other.words_[b].size());
  if (fewer == 0) return 0.0;
  return static_cast<double>(shared_with(a, other, b).size()) / static_cast<double>(fewer);
}

std::size_t WordSamples::most_central() const {
  std::unordered_map<std::uint32_t, std::uint32_t> samples_with;
  for (const auto& words : words_) {
    for (const std::uint32_t word : words) ++samples_with[word];
  }
  std::size_t best = 0;
  std::uint64_t most = 0;
  for (std::size_t k = 0; k < words_.size(); ++k) {
    std::uint64_t sum = 0;
    for (const std::uint32_t word : words_[k]) sum += samples_with[word];
    if (sum > most) {
      most = sum;
      best = k;
    }
  }
  return best;
}

std::optional<std::vector<std::uint32_t>> genome_backbone(const SequenceSet& set,
                                                          const AlignSettings& settings) {
  const std::size_t count = settings.backbone > 0 ? settings.backbone : kGenomeBackbone;
  if (settings.large == LargeFamilies::never || settings.tree == TreeMethod::file ||
      settings.is_local() || set.size() <= count || long_sequences(set) < set.size()) {
    return std::nullopt;
  }
  const std::vector<std::uint32_t> distinct = distinct_sequences(set);
  if (distinct.size() <= count) return std::nullopt;
  const WordSamples samples(set, distinct);
  FarthestFirst farthest(samples);
  while (farthest.chosen().size() < count) farthest.add_least_alike();
  if (farthest.least() < kAlike) return std::nullopt;
  std::vector<std::uint32_t> backbone;
  for (const std::uint32_t k : farthest.chosen()) backbone.push_back(distinct[k]);
  std::ranges::sort(backbone);
  return backbone;
}

NearestGenomes nearest_genomes(const SequenceSet& set, std::span<const std::uint32_t> sequences,
                               std::span<const std::uint32_t> members) {
  NearestGenomes result;
  const std::size_t long_ones = long_sequences(set);
  const auto is_long = [&](std::uint32_t x) { return x < long_ones; };
  if (std::ranges::none_of(members, is_long) || std::ranges::none_of(sequences, is_long)) {
    return result;
  }
  const WordSamples of_members(set, members);
  const WordSamples of_sequences(set, sequences);
  std::vector<std::vector<std::uint32_t>> order(sequences.size());
  parallel_for(sequences.size(), [&](std::size_t k, int) {
    if (!is_long(sequences[k])) return;
    bool is_alike = false;
    std::vector<Candidate> candidates;
    for (std::uint32_t m = 0; m < members.size(); ++m) {
      Candidate candidate{m, {}, false};
      if (is_long(members[m])) {
        candidate.words = of_sequences.shared_with(k, of_members, m);
        const std::size_t fewer = std::min(of_sequences.words(k), of_members.words(m));
        candidate.is_alike = static_cast<double>(candidate.words.size()) >=
                             std::max(1.0, kAlike * static_cast<double>(fewer));
      }
      is_alike = is_alike || candidate.is_alike;
      candidates.push_back(std::move(candidate));
    }
    if (is_alike) order[k] = covering(std::move(candidates), of_sequences, k);
  });
  for (std::size_t k = 0; k < sequences.size(); ++k) {
    if (order[k].empty()) continue;
    result.which.push_back(k);
    result.nearest.add(order[k]);
  }
  return result;
}

}  // namespace accord
