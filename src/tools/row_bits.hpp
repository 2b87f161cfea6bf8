// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/alphabet.hpp"

namespace accord {

/// How the columns of two rows compare.
struct PairCounts {
  std::uint64_t both = 0;    ///< columns in which both rows have a letter that is compared
  std::uint64_t differ = 0;  ///< those of them in which the letters differ
  std::uint64_t only_x = 0, only_y = 0;  ///< columns of a letter and a gap
  /// Of nucleotides that differ: a purine and a pyrimidine, and two purines.
  std::uint64_t transversions = 0, purine_transitions = 0;

  std::uint64_t pyrimidine_transitions() const {
    return differ - transversions - purine_transitions;
  }
};

/// Rows of an alignment as bits, 64 columns in a word, which are compared all at once.
///
/// Letters are those of compared_letter(). Unknown letters are in no count, or, if asked for, count
/// as letters of their own, each different from all others; bases are then not told apart.
/// Cost    7 bits a column for proteins and unknown letters, else 4.
class RowBits {
 public:
  /// Shape   rows of one length, gaps as `-`.
  RowBits(const std::vector<std::string>& rows, ResidueType type, bool counts_unknown = false);

  std::size_t rows() const noexcept { return rows_; }

  /// Compares two rows.
  /// Cost    O(columns / 64)
  PairCounts compare(std::size_t x, std::size_t y) const;

 private:
  std::size_t rows_, words_, planes_;
  std::vector<std::uint64_t> bits_;  ///< of each row: letters that count, gaps, bits of the letters
};

}  // namespace accord
