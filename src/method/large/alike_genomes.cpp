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

constexpr unsigned kSampledBits = 3;  // of a hash, which are zero in the words of a sample

/// The words of a sequence that are sampled, as hashes, increasing.
std::vector<std::uint32_t> sample_of(std::span<const std::uint8_t> codes) {
  std::vector<std::uint32_t> words;
  for_each_word(codes, [&](std::uint64_t letters, std::uint32_t) {
    // The finalizer of splitmix64 (Steele, Lea & Flood 2014).
    letters = (letters ^ (letters >> 30)) * 0xbf58476d1ce4e5b9u;
    letters = (letters ^ (letters >> 27)) * 0x94d049bb133111ebu;
    letters ^= letters >> 31;
    if (letters >> (64 - kSampledBits) == 0) words.push_back(static_cast<std::uint32_t>(letters));
  });
  std::ranges::sort(words);
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
}

/// Sequences that are chosen one after the other: the most central one, then each time the one that
/// is least like those before.
class FarthestFirst {
 public:
  explicit FarthestFirst(const WordSamples& samples)
      : samples_(samples), similarity_(samples.size(), 0.0) {
    add(samples.most_central());
  }

  void add_least_alike() {
    add(static_cast<std::size_t>(std::ranges::min_element(similarity_) - similarity_.begin()));
  }

  /// How alike the one is to the chosen ones that is least like them.
  double least() const { return std::ranges::min(similarity_); }

  const std::vector<std::uint32_t>& chosen() const { return chosen_; }

 private:
  void add(std::size_t k) {
    chosen_.push_back(static_cast<std::uint32_t>(k));
    parallel_for(samples_.size(), [&](std::size_t other, int) {
      similarity_[other] = std::max(similarity_[other], samples_.similarity_to(k, samples_, other));
    });
    similarity_[k] = 2;  // above all that are not chosen
  }

  const WordSamples& samples_;
  std::vector<double> similarity_;  // to the chosen one that is most like it
  std::vector<std::uint32_t> chosen_;
};

/// A member that is alike to a sequence, and which words of the sequence it has.
struct AlikeMember {
  std::uint32_t place = 0;
  std::vector<std::uint32_t> words;
};

/// At most kGenomesNearest of the members, see NearestGenomes: their places.
std::vector<std::uint32_t> covering(std::vector<AlikeMember> members, std::size_t words) {
  std::vector<bool> is_covered(words, false);
  std::vector<std::uint32_t> chosen;
  while (chosen.size() < kGenomesNearest && !members.empty()) {
    std::size_t best = 0, most = 0;
    for (std::size_t m = 0; m < members.size(); ++m) {
      const auto covered = static_cast<std::size_t>(std::ranges::count_if(
          members[m].words, [&](std::uint32_t word) { return !is_covered[word]; }));
      const bool is_better =
          m == 0 || covered > most ||
          (covered == most && members[m].words.size() > members[best].words.size());
      if (!is_better) continue;
      best = m;
      most = covered;
    }
    chosen.push_back(members[best].place);
    for (const std::uint32_t word : members[best].words) is_covered[word] = true;
    members.erase(members.begin() + static_cast<std::ptrdiff_t>(best));
  }
  return chosen;
}

}  // namespace

WordSamples::WordSamples(const SequenceSet& set, std::span<const std::uint32_t> sequences)
    : words_(sequences.size()) {
  parallel_for(sequences.size(),
               [&](std::size_t k, int) { words_[k] = sample_of(set.coded().codes(sequences[k])); });
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

std::size_t backbone_size(const SequenceSet& set, const AlignSettings& settings) {
  const auto genomes = genome_backbone(set, settings);
  return genomes ? genomes->size() : backbone_size(set.lengths(), settings);
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
    std::vector<AlikeMember> alike;
    for (std::uint32_t m = 0; m < members.size(); ++m) {
      if (!is_long(members[m])) continue;
      std::vector<std::uint32_t> shared = of_sequences.shared_with(k, of_members, m);
      const std::size_t fewer = std::min(of_sequences.words(k), of_members.words(m));
      const double least = std::max(1.0, kAlike * static_cast<double>(fewer));
      if (static_cast<double>(shared.size()) >= least) alike.push_back({m, std::move(shared)});
    }
    order[k] = covering(std::move(alike), of_sequences.words(k));
  });
  for (std::size_t k = 0; k < sequences.size(); ++k) {
    if (order[k].empty()) continue;
    result.which.push_back(k);
    result.nearest.add(order[k]);
  }
  return result;
}

}  // namespace accord
