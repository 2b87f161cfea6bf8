// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "method/nucleotide_words.hpp"

namespace accord {

/// A stretch of nucleotides that two sequences share: residues x, x + 1, ... of one sequence equal
/// those from y on of the other.
struct Anchor {
  std::uint32_t x = 0, y = 0, length = 0;

  bool operator==(const Anchor&) const = default;
};

/// The words of kAnchorWord bases that occur once in a sequence, without those of unknown bases. It
/// is made once and compared with many other sequences.
///
/// Cost    16 bytes for each of at most four times the residues; time proportional to them.
class AnchorIndex {
 public:
  /// `codes`: of nucleotides, the bases below 4. They must outlive this.
  explicit AnchorIndex(std::span<const std::uint8_t> codes);

  /// The words that occur once in each of the two, as anchors of one word: x is of the other
  /// sequence, in which order they are, and y of this one.
  /// Cost    time and memory proportional to the residues of both.
  std::vector<Anchor> shared_words(std::span<const std::uint8_t> other) const;

  std::span<const std::uint8_t> codes() const noexcept { return codes_; }

 private:
  struct Slot {
    std::uint64_t letters = 0;  // two bits a base
    std::uint32_t at = 0;       // of the first base
    std::uint32_t count = 0;    // of such words, 2 of more than two; 0: the slot is free
  };
  std::size_t slot_of(std::uint64_t letters) const;

  std::span<const std::uint8_t> codes_;
  std::vector<Slot> slots_;  // open addressing; a power of 2 of them
};

/// The shared stretches that a path through both sequences can have together: the longest chain of
/// words of kAnchorWord bases that occur once in each of the two, with those of one diagonal that
/// touch made one stretch. Increasing in both; words of unknown bases do not count.
///
/// Words that a rival contradicts are left out: another word in a chain that lacks few of the
/// longest one's words, or that has at least half as many as it leaves out of it. So of a segment
/// that stands elsewhere in the other sequence neither place is chosen.
///
/// `x`, `y`: codes of nucleotides, the bases below 4. An index may be of either of them, and
/// changes nothing but the time.
/// Cost    O(N log N) time and O(N) memory in the residues; O(N) time if all words are in one
///         order.
/// Reference  chains of exact matches that are unique in both: Delcher et al. 1999, Nucleic Acids
///         Res 27:2369.
std::vector<Anchor> anchor_chain(std::span<const std::uint8_t> x, std::span<const std::uint8_t> y);
std::vector<Anchor> anchor_chain(std::span<const std::uint8_t> x, const AnchorIndex& y);
std::vector<Anchor> anchor_chain(const AnchorIndex& x, std::span<const std::uint8_t> y);

}  // namespace accord
