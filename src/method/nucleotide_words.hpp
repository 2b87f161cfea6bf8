// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>

namespace accord {

/// Length of a word, in bases. Sequences of 100,000 bases hardly share such a word by chance.
constexpr std::uint32_t kAnchorWord = 20;

/// Calls f(letters, place of the first base) for each word of kAnchorWord known bases. `letters`
/// has two bits per base, the first base on top. `codes`: of nucleotides, bases below 4.
template <class F>
void for_each_word(std::span<const std::uint8_t> codes, F&& f) {
  constexpr std::uint64_t kMask = (std::uint64_t{1} << (2 * kAnchorWord)) - 1;
  std::uint64_t letters = 0;
  std::uint32_t known = 0;  // bases since the last unknown one
  for (std::uint32_t i = 0; i < codes.size(); ++i) {
    known = codes[i] < 4 ? known + 1 : 0;
    letters = (letters << 2 | (codes[i] & 3u)) & kMask;
    if (known >= kAnchorWord) f(letters, i + 1 - kAnchorWord);
  }
}

}  // namespace accord
