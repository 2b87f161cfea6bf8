// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>

namespace accord {

/// Length of a word, in bases. Sequences of 100,000 bases hardly share such a word by chance.
constexpr std::uint32_t kAnchorWord = 20;

/// Calls f(letters, place) for each word of kAnchorWord known bases, in order. `letters` (64 bits)
/// has two bits per base, those of the first base highest. `place` is the index of the first base,
/// from 0. `codes`: the residue codes of a nucleotide sequence (encode_letter). A, C, G and T have
/// the codes 0 to 3; larger codes are unknown bases, and no word has one.
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
