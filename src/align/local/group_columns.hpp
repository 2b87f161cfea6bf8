// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "align/profile_scores.hpp"
#include "core/local_alignment.hpp"
#include "core/sequence_set.hpp"

namespace accord {

/// The contents of the columns of a group of aligned sequences, as sums of weights. Column 0 is
/// empty and stands before the first one.
///
/// All values are integers below 2^53, held in double precision, so that sums and products are
/// exact and vector units compute them.
struct GroupColumns {
  /// A letter of a column.
  struct Letter {
    std::uint8_t code;
    double weight;
  };
  std::vector<std::size_t> first;  ///< of the letters of each column, and their number
  std::vector<Letter> letters;
  std::vector<double> residues;       ///< sequences with a residue
  std::vector<double> residue_pairs;  ///< with a residue here and in the column before
  std::vector<double> gaps;           ///< with a gap between two of their residues
  std::vector<double> gap_pairs;      ///< with such a gap here and in the column before
  std::vector<double> inner;          ///< with residues behind this column, and here or before it

  std::size_t columns() const { return residues.size() - 1; }
  std::span<const Letter> at(std::size_t column) const {
    return std::span(letters).subspan(first[column], first[column + 1] - first[column]);
  }
};

/// The columns of a profile of a table (see Profile), each sequence with its weight.
GroupColumns group_columns(const Profile& profile,
                           std::span<const std::vector<std::uint32_t>> column_of,
                           const CodedSequences& sequences, std::span<const std::uint32_t> weights);

}  // namespace accord
