// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/alphabet.hpp"

namespace accord {

/// The counts of columns of two rows.
struct PairCounts {
  std::uint64_t both = 0;    ///< columns in which both rows have a letter that counts
  std::uint64_t differ = 0;  ///< columns among these in which the letters differ
  /// Columns in which x (or y) has a letter that counts and the other row has a gap.
  std::uint64_t only_x = 0, only_y = 0;
  /// Of differing nucleotides: a purine and a pyrimidine, and two purines.
  std::uint64_t transversions = 0, purine_transitions = 0;

  /// Of nucleotides whose transitions are counted.
  std::uint64_t pyrimidine_transitions() const {
    return differ - transversions - purine_transitions;
  }
};

/// The rows of an alignment as bits, 64 columns in a word, so that 64 columns are compared at once.
///
/// Letters are compared in upper case, with T for U (compared_letter()). Unknown letters do not
/// count: a column with one is in no count. With `counts_unknown`, an unknown letter such as N or X
/// equals itself and differs from every other letter, and transitions are not counted.
/// Cost    7 bits per column for proteins and with `counts_unknown`, else 4.
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
