// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/alphabet.hpp"

namespace accord {

/// Numbers of columns of two rows x and y of an alignment.
struct PairCounts {
  std::uint64_t both = 0;    ///< columns in which both rows have a letter that counts
  std::uint64_t differ = 0;  ///< columns among these in which the letters differ
  /// Columns in which x (or y) has a letter that counts and the other row has a gap.
  std::uint64_t only_x = 0, only_y = 0;
  /// Columns with different bases: a purine and a pyrimidine, or two different purines. Both
  /// numbers are 0 for proteins and with `counts_unknown` (see RowBits).
  std::uint64_t transversions = 0, purine_transitions = 0;

  /// Columns with two different pyrimidines. Call it only if transitions are counted.
  std::uint64_t pyrimidine_transitions() const {
    return differ - transversions - purine_transitions;
  }
};

/// The rows of an alignment as bits, 64 columns in a word, so that 64 columns are compared at once.
///
/// Letters are compared in upper case, with T for U (compared_letter()). Unknown letters, such as N
/// or X, do not count: no number has a column in which a row has such a letter. With
/// `counts_unknown`, an unknown letter equals itself and differs from every other letter, and
/// transitions are not counted.
/// Cost    7 bits per column for proteins and with `counts_unknown`, else 4.
class RowBits {
 public:
  /// Makes the bits of all rows. The object does not refer to `rows` afterwards.
  /// Shape   `rows`: rows of the same length, with `-` for gaps.
  RowBits(const std::vector<std::string>& rows, ResidueType type, bool counts_unknown = false);

  std::size_t rows() const noexcept { return rows_; }

  /// Compares the rows with the indices x and y, from 0.
  /// Cost    O(columns / 64)
  PairCounts compare(std::size_t x, std::size_t y) const;

 private:
  std::size_t rows_, words_, planes_;
  std::vector<std::uint64_t> bits_;  ///< of each row: letters that count, gaps, bits of the letters
};

}  // namespace accord
