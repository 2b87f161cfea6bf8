// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace accord {

/// Lengths of longest common subsequences of one sequence with many others, 64 cells of the dynamic
/// programming in a few operations.
///
/// Cost    64-bit words of the one times residues of the other, for each of them.
/// Reference  Hyyro 2004, Australasian Workshop on Combinatorial Algorithms 15:16; as a distance of
///         large families: Deorowicz et al. 2016, Sci Rep 6:33964.
class CommonSubsequence {
 public:
  /// Of sequences whose codes are below `symbols`.
  CommonSubsequence(std::span<const std::uint8_t> codes, std::size_t symbols);

  /// Residues of the sequence.
  std::uint32_t length() const noexcept { return length_; }

  /// The length of a longest common subsequence with `other`. `scratch` is working memory that may
  /// be used again.
  std::uint32_t with(std::span<const std::uint8_t> other,
                     std::vector<std::uint64_t>& scratch) const;

 private:
  std::uint32_t length_;
  std::size_t words_;
  std::vector<std::uint64_t> matches_;  ///< [symbol][word]: where the symbol stands
};

/// How alike two sequences are, by the length of their common subsequence and their own lengths:
/// common / (m + n - common), in [0, 1]; 0 if one of them is empty.
inline double similarity_of(std::uint32_t common, std::uint32_t m, std::uint32_t n) {
  return common == 0 ? 0.0 : static_cast<double>(common) / static_cast<double>(m + n - common);
}

}  // namespace accord
