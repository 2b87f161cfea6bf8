// SPDX-License-Identifier: Apache-2.0
#include "method/anchors.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <utility>

namespace accord {
namespace {

/// For each index of a list, the length of the longest increasing subsequence that ends there.
std::vector<std::size_t> increasing_lengths(const std::vector<std::uint32_t>& values) {
  std::vector<std::uint32_t> least;  // [length - 1]: smallest last value of such a subsequence
  std::vector<std::size_t> lengths;
  for (const std::uint32_t value : values) {
    const auto place = least.empty() || least.back() < value
                           ? least.end()
                           : std::ranges::lower_bound(least, value);
    lengths.push_back(static_cast<std::size_t>(place - least.begin()) + 1);
    if (place == least.end()) {
      least.push_back(value);
    } else {
      *place = value;
    }
  }
  return lengths;
}

/// The chains of shared words. The words are in the order of x; in a chain, y increases, too.
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
    // Walks back from the last word and takes one word of each length.
    std::size_t wanted = up_to_.empty() ? 0 : std::ranges::max(up_to_);
    for (std::size_t k = words.size(); k-- > 0;) {
      if (up_to_[k] != wanted || (!chain_.empty() && words[k].y >= words[chain_.back()].y))
        continue;
      chain_.push_back(k);
      --wanted;
    }
    std::ranges::reverse(chain_);
  }

  /// The words of the longest chain without those in conflict with other words; see
  /// anchor_chain().
  std::vector<Anchor> without_conflicts() const {
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
    for (std::size_t c = 0, conflicts = 0; c < chain_.size(); ++c) {
      conflicts += static_cast<std::size_t>(change[c]);
      if (conflicts == 0) words.push_back(words_[chain_[c]]);
    }
    return words;
  }

 private:
  /// A chain shorter by more words than this has a negligible probability.
  static constexpr std::size_t kSurelyWorse = 2 * kAnchorWord;

  const std::vector<Anchor>& words_;
  std::vector<std::size_t> up_to_, from_;  // words of the longest chain ending, or beginning, there
  std::vector<std::size_t> chain_;         // a longest chain, as indices into words_
};

/// Joins the words without conflicts that touch on one diagonal to stretches.
std::vector<Anchor> stretches_of(const std::vector<Anchor>& words) {
  std::vector<Anchor> stretches;
  for (const Anchor& word : Chains(words).without_conflicts()) {
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

}  // namespace

AnchorIndex::AnchorIndex(std::span<const std::uint8_t> codes)
    : codes_(codes), slots_(std::bit_ceil(2 * codes.size() + 2)) {
  for_each_word(codes, [&](std::uint64_t letters, std::uint32_t at) {
    Slot& slot = slots_[slot_of(letters)];
    slot = {letters, at, std::min(slot.count + 1, 2u)};
  });
}

std::size_t AnchorIndex::slot_of(std::uint64_t letters) const {
  // Multiplicative hashing by the golden ratio (Knuth, TAOCP 3, 6.4).
  const int shift = std::countl_zero(slots_.size() - 1);
  std::size_t slot = (letters * 0x9e3779b97f4a7c15u) >> shift;
  while (slots_[slot].count > 0 && slots_[slot].letters != letters) {
    slot = (slot + 1) & (slots_.size() - 1);
  }
  return slot;
}

std::vector<Anchor> AnchorIndex::shared_words(std::span<const std::uint8_t> other) const {
  std::vector<Anchor> words;
  std::vector<std::uint8_t> times(codes_.size(), 0);  // [place of a word]: its count in `other`
  for_each_word(other, [&](std::uint64_t letters, std::uint32_t at) {
    const Slot& slot = slots_[slot_of(letters)];
    if (slot.count != 1) return;
    if (times[slot.at] < 2) ++times[slot.at];
    words.push_back({at, slot.at, kAnchorWord});
  });
  std::erase_if(words, [&](const Anchor& word) { return times[word.y] > 1; });
  return words;
}

std::vector<Anchor> anchor_chain(std::span<const std::uint8_t> x, const AnchorIndex& y) {
  return stretches_of(y.shared_words(x));
}

std::vector<Anchor> anchor_chain(const AnchorIndex& x, std::span<const std::uint8_t> y) {
  std::vector<Anchor> words = x.shared_words(y);
  for (Anchor& word : words) std::swap(word.x, word.y);
  std::ranges::sort(words, {}, &Anchor::x);
  return stretches_of(words);
}

std::vector<Anchor> anchor_chain(std::span<const std::uint8_t> x, std::span<const std::uint8_t> y) {
  return anchor_chain(x, AnchorIndex(y));
}

}  // namespace accord
