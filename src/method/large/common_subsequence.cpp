// SPDX-License-Identifier: Apache-2.0
#include "method/large/common_subsequence.hpp"

#include <bit>

namespace accord {
namespace {

constexpr std::uint32_t kWord = 64;

/// a + b + carry; `carry` becomes the carry out.
std::uint64_t add(std::uint64_t a, std::uint64_t b, bool& carry) {
  const std::uint64_t sum = a + b;
  const std::uint64_t all = sum + (carry ? 1 : 0);
  carry = sum < a || all < sum;
  return all;
}

/// Updates `state` by all letters of `other`. A zero bit marks a step of the last row.
template <std::size_t words>
void scan_words(std::span<const std::uint8_t> other, const std::uint64_t* matches,
                std::uint64_t* state) {
  for (const std::uint8_t code : other) {
    const std::uint64_t* const match = matches + std::size_t{code} * words;
    bool carry = false;
    for (std::size_t w = 0; w < words; ++w) {
      const std::uint64_t met = state[w] & match[w];
      state[w] = add(state[w], met, carry) | (state[w] & ~match[w]);
    }
  }
}

void scan(std::span<const std::uint8_t> other, const std::uint64_t* matches, std::size_t words,
          std::uint64_t* state) {
  for (const std::uint8_t code : other) {
    const std::uint64_t* const match = matches + code * words;
    bool carry = false;
    for (std::size_t w = 0; w < words; ++w) {
      const std::uint64_t met = state[w] & match[w];
      state[w] = add(state[w], met, carry) | (state[w] & ~match[w]);
    }
  }
}

}  // namespace

CommonSubsequence::CommonSubsequence(std::span<const std::uint8_t> codes, std::size_t symbols)
    : length_(static_cast<std::uint32_t>(codes.size())),
      words_((codes.size() + kWord - 1) / kWord),
      matches_(words_ * symbols, 0) {
  for (std::size_t i = 0; i < codes.size(); ++i) {
    matches_[codes[i] * words_ + i / kWord] |= std::uint64_t{1} << (i % kWord);
  }
}

std::uint32_t CommonSubsequence::with(std::span<const std::uint8_t> other,
                                      std::vector<std::uint64_t>& scratch) const {
  scratch.assign(words_, ~std::uint64_t{0});
  switch (words_) {  // usual sizes, as loops that the compiler unrolls
    case 0:
      return 0;
    case 1:
      scan_words<1>(other, matches_.data(), scratch.data());
      break;
    case 2:
      scan_words<2>(other, matches_.data(), scratch.data());
      break;
    case 3:
      scan_words<3>(other, matches_.data(), scratch.data());
      break;
    case 4:
      scan_words<4>(other, matches_.data(), scratch.data());
      break;
    default:
      scan(other, matches_.data(), words_, scratch.data());
  }
  // Bits behind the last residue match nothing and stay one.
  std::uint32_t common = 0;
  for (const std::uint64_t word : scratch) {
    common += kWord - static_cast<std::uint32_t>(std::popcount(word));
  }
  return common;
}

}  // namespace accord
