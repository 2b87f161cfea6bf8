// SPDX-License-Identifier: Apache-2.0
#include "tools/row_bits.hpp"

#include <array>
#include <bit>
#include <string_view>

#include "base/parallel.hpp"
#include "base/target_clones.hpp"

namespace accord {
namespace {

constexpr std::size_t kWordBits = 64;
constexpr std::size_t kBaseBits = 2, kLetterBits = 5;

/// The code of a letter. For a base, the lowest bit is set for purines, and the other bit tells the
/// two purines, or pyrimidines, apart. Other letters have larger codes.
std::uint8_t bits_of(ResidueType type, char letter) {
  constexpr std::string_view kBases = "TGCA";  // the lowest bit is that of purines
  constexpr std::uint8_t kOther = 30, kFirst = 4;
  if (type != ResidueType::protein) {
    const std::size_t base = kBases.find(letter);
    if (base != kBases.npos) return static_cast<std::uint8_t>(base);
  }
  return letter < 'A' || letter > 'Z' ? kOther : static_cast<std::uint8_t>(kFirst + letter - 'A');
}

/// The letter as which `letter` is compared; '?' if it is not compared.
char counted_letter(ResidueType type, char letter, bool counts_unknown) {
  const char compared = compared_letter(type, letter);
  if (compared != kUnknownLetter || !counts_unknown || !is_sequence_letter(letter)) return compared;
  return letter >= 'a' && letter <= 'z' ? static_cast<char>(letter - 'a' + 'A') : letter;
}

template <std::size_t kBits>
[[gnu::always_inline]] inline PairCounts count_words(const std::uint64_t* x, const std::uint64_t* y,
                                                     std::size_t words) {
  PairCounts counts;
  const auto ones = [](std::uint64_t word) {
    return static_cast<std::uint64_t>(std::popcount(word));
  };
  for (std::size_t w = 0; w < words; ++w) {
    const std::uint64_t both = x[w] & y[w];
    std::uint64_t differ = 0;
    for (std::size_t bit = 2; bit < 2 + kBits; ++bit) {
      differ |= x[bit * words + w] ^ y[bit * words + w];
    }
    differ &= both;
    counts.both += ones(both);
    counts.differ += ones(differ);
    counts.only_x += ones(x[w] & y[words + w]);
    counts.only_y += ones(y[w] & x[words + w]);
    if (kBits != kBaseBits) continue;
    const std::uint64_t purine_x = x[2 * words + w], purine_y = y[2 * words + w];
    counts.transversions += ones(differ & (purine_x ^ purine_y));
    counts.purine_transitions += ones(differ & purine_x & purine_y);
  }
  return counts;
}

ACCORD_CLONES PairCounts count_bases(const std::uint64_t* x, const std::uint64_t* y,
                                     std::size_t words) {
  return count_words<kBaseBits>(x, y, words);
}

ACCORD_CLONES PairCounts count_letters(const std::uint64_t* x, const std::uint64_t* y,
                                       std::size_t words) {
  return count_words<kLetterBits>(x, y, words);
}

}  // namespace

RowBits::RowBits(const std::vector<std::string>& rows, ResidueType type, bool counts_unknown)
    : rows_(rows.size()),
      words_(rows.empty() ? 0 : (rows[0].size() + kWordBits - 1) / kWordBits),
      planes_(2 + (type == ResidueType::protein || counts_unknown ? kLetterBits : kBaseBits)),
      bits_(rows_ * words_ * planes_) {
  std::array<std::uint8_t, 256> planes_of{};  // of a letter: the planes in which it has a bit
  for (std::size_t c = 0; c < planes_of.size(); ++c) {
    const char character = static_cast<char>(c);
    const char letter = counted_letter(type, character, counts_unknown);
    const bool counts = counts_unknown || letter != kUnknownLetter;
    planes_of[c] = character == kGap ? 2
                   : counts          ? static_cast<std::uint8_t>(1 | bits_of(type, letter) << 2)
                                     : 0;
  }
  parallel_for(rows_, [&](std::size_t r, int) {
    std::uint64_t* const row = &bits_[r * words_ * planes_];
    for (std::size_t c = 0; c < rows[r].size(); ++c) {
      const std::uint64_t planes = planes_of[static_cast<unsigned char>(rows[r][c])];
      for (std::size_t p = 0; p < planes_; ++p) {
        row[p * words_ + c / kWordBits] |= (planes >> p & 1) << c % kWordBits;
      }
    }
  });
}

PairCounts RowBits::compare(std::size_t x, std::size_t y) const {
  const std::size_t size = words_ * planes_;
  const auto count = planes_ == 2 + kBaseBits ? count_bases : count_letters;
  return count(bits_.data() + x * size, bits_.data() + y * size, words_);
}

}  // namespace accord
