// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "method/nucleotide_words.hpp"

namespace accord {

/// A stretch that two nucleotide sequences share: residues x, x + 1, ... of one sequence equal
/// residues y, y + 1, ... of the other, `length` in all. Residues are counted from 0.
struct Anchor {
  std::uint32_t x = 0, y = 0, length = 0;

  bool operator==(const Anchor&) const = default;
};

/// The words of kAnchorWord bases (nucleotide_words.hpp) that occur once in a sequence; words with
/// unknown bases are left out. One index can be compared with many other sequences.
///
/// Cost    at most 64 bytes per residue; time proportional to the residues.
class AnchorIndex {
 public:
  /// `codes`: residue codes of nucleotides, in which bases are below 4. They must outlive the
  /// index.
  explicit AnchorIndex(std::span<const std::uint8_t> codes);

  /// Returns the words that occur once in each of the two sequences, as anchors of one word each. x
  /// is a place in the other sequence, y in this one; the anchors are in the order of x.
  /// Cost    time and memory proportional to the residues of both.
  std::vector<Anchor> shared_words(std::span<const std::uint8_t> other) const;

  std::span<const std::uint8_t> codes() const noexcept { return codes_; }

 private:
  struct Slot {
    std::uint64_t letters = 0;  // two bits per base
    std::uint32_t at = 0;       // place of the first base
    std::uint32_t count = 0;    // occurrences of the word, at most 2; 0 if the slot is free
  };
  std::size_t slot_of(std::uint64_t letters) const;

  std::span<const std::uint8_t> codes_;
  std::vector<Slot> slots_;  // open addressing; their number is a power of 2
};

/// Finds the shared stretches through which one path leads: the longest chain of words of
/// kAnchorWord bases that occur once in each sequence. Words that touch on one diagonal are joined
/// to one stretch. x and y increase; words with unknown bases are left out.
///
/// A shared word outside the chain conflicts with the words of the chain that cannot be in a chain
/// with it. These words are left out of the result if the longest chain through the word outside is
/// shorter than the longest chain by at most 2 kAnchorWord words, or by at most half of the number
/// of these words. So if a segment is at another place in the other sequence, neither of its two
/// alignments is chosen.
///
/// `x`, `y`: codes of nucleotides, bases below 4. An index for one of them saves time and does not
/// change the result.
/// Cost    O(N log N) time and O(N) memory in the residues; O(N) time if all words have one order.
/// Reference  chains of exact matches that are unique in both: Delcher et al. 1999, Nucleic Acids
///            Res 27:2369.
std::vector<Anchor> anchor_chain(std::span<const std::uint8_t> x, std::span<const std::uint8_t> y);
std::vector<Anchor> anchor_chain(std::span<const std::uint8_t> x, const AnchorIndex& y);
std::vector<Anchor> anchor_chain(const AnchorIndex& x, std::span<const std::uint8_t> y);

}  // namespace accord
