// SPDX-License-Identifier: Apache-2.0
#include "method/anchors.hpp"

#include <algorithm>
#include <cstddef>

namespace accord {
namespace {

struct Word {
  std::uint64_t letters;  // two bits a base
  std::uint32_t at;       // of its first base
};

/// The words that occur once, in the order of their letters.
std::vector<Word> unique_words(std::span<const std::uint8_t> codes) {
  constexpr std::uint64_t kMask = (std::uint64_t{1} << (2 * kAnchorWord)) - 1;
  std::vector<Word> words;
  std::uint64_t letters = 0;
  std::uint32_t known = 0;  // bases since the last unknown one
  for (std::uint32_t i = 0; i < codes.size(); ++i) {
    known = codes[i] < 4 ? known + 1 : 0;
    letters = (letters << 2 | (codes[i] & 3u)) & kMask;
    if (known >= kAnchorWord) words.push_back({letters, i + 1 - kAnchorWord});
  }
  std::ranges::sort(words, {}, &Word::letters);
  std::vector<Word> unique;
  for (std::size_t k = 0; k < words.size();) {
    std::size_t end = k + 1;
    while (end < words.size() && words[end].letters == words[k].letters) ++end;
    if (end == k + 1) unique.push_back(words[k]);
    k = end;
  }
  return unique;
}

/// Where words stand that both have, in the order of x.
std::vector<Anchor> shared_words(std::span<const std::uint8_t> x, std::span<const std::uint8_t> y) {
  const std::vector<Word> of_x = unique_words(x), of_y = unique_words(y);
  std::vector<Anchor> shared;
  for (std::size_t i = 0, j = 0; i < of_x.size() && j < of_y.size();) {
    if (of_x[i].letters == of_y[j].letters) {
      shared.push_back({of_x[i++].at, of_y[j++].at, kAnchorWord});
    } else if (of_x[i].letters < of_y[j].letters) {
      ++i;
    } else {
      ++j;
    }
  }
  std::ranges::sort(shared, {}, &Anchor::x);
  return shared;
}

/// For each place of a list the length of the longest increasing subsequence that ends there.
std::vector<std::size_t> increasing_lengths(const std::vector<std::uint32_t>& values) {
  std::vector<std::uint32_t> least;  // by length, the least value that one of this length ends with
  std::vector<std::size_t> lengths;
  for (const std::uint32_t value : values) {
    const auto place = std::ranges::lower_bound(least, value);
    lengths.push_back(static_cast<std::size_t>(place - least.begin()) + 1);
    if (place == least.end()) {
      least.push_back(value);
    } else {
      *place = value;
    }
  }
  return lengths;
}

/// The chains of shared words, which are in the order of x: a chain has increasing y.
class Chains {
 public:
  explicit Chains(const std::vector<Anchor>& words) : words_(words) {
    std::vector<std::uint32_t> values;
    for (const Anchor& word : words) values.push_back(word.y);
    up_to_ = increasing_lengths(values);
    std::ranges::reverse(values);
    for (std::uint32_t& value : values) value = ~value;
    from_ = increasing_lengths(values);
    std::ranges::reverse(from_);
    // From the last word back, one of each length.
    std::size_t wanted = up_to_.empty() ? 0 : std::ranges::max(up_to_);
    for (std::size_t k = words.size(); k-- > 0;) {
      if (up_to_[k] != wanted || (!chain_.empty() && words[k].y >= words[chain_.back()].y))
        continue;
      chain_.push_back(k);
      --wanted;
    }
    std::ranges::reverse(chain_);
  }

  /// The words of the longest chain that no rival contradicts.
  std::vector<Anchor> uncontested() const {
    std::vector<int> change(chain_.size() + 1, 0);
    for (std::size_t k = 0, before = 0; k < words_.size(); ++k) {
      if (before < chain_.size() && chain_[before] == k) {
        ++before;
        continue;
      }
      const auto below = static_cast<std::size_t>(
          std::ranges::lower_bound(chain_, words_[k].y, {},
                                   [&](std::size_t at) { return words_[at].y; }) -
          chain_.begin());
      const auto [first, last] = std::minmax({before, below});
      const std::size_t shorter = chain_.size() - (up_to_[k] + from_[k] - 1);
      if (shorter > std::max(kSurelyWorse, (last - first) / 2)) continue;
      ++change[first];
      --change[last];
    }
    std::vector<Anchor> words;
    for (std::size_t c = 0, rivals = 0; c < chain_.size(); ++c) {
      rivals += static_cast<std::size_t>(change[c]);
      if (rivals == 0) words.push_back(words_[chain_[c]]);
    }
    return words;
  }

 private:
  /// Chains that lack so many words of the longest one have no share of the probability.
  static constexpr std::size_t kSurelyWorse = 2 * kAnchorWord;

  const std::vector<Anchor>& words_;
  std::vector<std::size_t> up_to_, from_;  // words of the longest chain that ends, or begins, there
  std::vector<std::size_t> chain_;         // a longest one
};

}  // namespace

std::vector<Anchor> anchor_chain(std::span<const std::uint8_t> x, std::span<const std::uint8_t> y) {
  const std::vector<Anchor> words = shared_words(x, y);
  std::vector<Anchor> stretches;
  for (const Anchor& word : Chains(words).uncontested()) {
    if (!stretches.empty()) {
      Anchor& before = stretches.back();
      const bool touches = word.x <= before.x + before.length;
      if (touches && word.x - before.x == word.y - before.y) {
        before.length = word.x + word.length - before.x;
        continue;
      }
    }
    stretches.push_back(word);
  }
  return stretches;
}

}  // namespace accord
