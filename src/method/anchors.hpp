// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace accord {

/// A stretch of nucleotides that two sequences share: residues x, x + 1, ... of one sequence equal
/// those from y on of the other.
struct Anchor {
  std::uint32_t x = 0, y = 0, length = 0;

  bool operator==(const Anchor&) const = default;
};

/// The shared stretches that a path through both sequences can have together: the longest chain of
/// words of kAnchorWord bases that occur once in each of the two, with those of one diagonal that
/// touch made one stretch. Increasing in both; words of unknown bases do not count.
///
/// Words that a rival contradicts are left out: another word in a chain that lacks few of the
/// longest one's words, or that has at least half as many as it leaves out of it. So of a segment
/// that stands elsewhere in the other sequence neither place is chosen.
///
/// `x`, `y`: codes of nucleotides, the bases below 4.
/// Cost    O(N log N) time and memory in the residues.
/// Reference  chains of exact matches that are unique in both: Delcher et al. 1999, Nucleic Acids
///         Res 27:2369.
std::vector<Anchor> anchor_chain(std::span<const std::uint8_t> x, std::span<const std::uint8_t> y);

/// In sequences of 100,000 bases hardly a word of this length is shared by chance.
constexpr std::uint32_t kAnchorWord = 20;

}  // namespace accord
