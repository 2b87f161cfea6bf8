// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace accord {

/// Computes the lengths of longest common subsequences of one sequence with many others, 64 cells
/// of the dynamic programming in a few operations.
///
/// Cost    for each other sequence, its residues times the 64-bit words of this one.
/// Reference  Hyyro 2004, Australasian Workshop on Combinatorial Algorithms 15:16; as a distance of
///         large families: Deorowicz et al. 2016, Sci Rep 6:33964.
class CommonSubsequence {
 public:
  /// Prepares the sequence `codes`, which need not outlive this object. The codes of this sequence
  /// and of the others must be below `symbols`.
  CommonSubsequence(std::span<const std::uint8_t> codes, std::size_t symbols);

  /// Length of the sequence, in residues.
  std::uint32_t length() const noexcept { return length_; }

  /// The length of a longest common subsequence with `other`, in residues. `scratch` is working
  /// memory for reuse, with any contents; threads that call this at the same time need one each.
  std::uint32_t with(std::span<const std::uint8_t> other,
                     std::vector<std::uint64_t>& scratch) const;

 private:
  std::uint32_t length_;
  std::size_t words_;
  std::vector<std::uint64_t> matches_;  ///< [symbol][word]: a bit for each residue with the symbol
};

/// The similarity of two sequences of lengths m and n with a longest common subsequence of length
/// `common`: common / (m + n - common), in [0, 1]; 0 if one of them is empty.
inline double similarity_of(std::uint32_t common, std::uint32_t m, std::uint32_t n) {
  return common == 0 ? 0.0 : static_cast<double>(common) / static_cast<double>(m + n - common);
}

}  // namespace accord
