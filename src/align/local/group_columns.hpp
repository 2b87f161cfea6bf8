// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "align/profile_scores.hpp"
#include "core/local_alignment.hpp"
#include "core/sequence_set.hpp"

namespace accord {

/// The letters and gaps in each column of a group of aligned sequences. Columns are numbered from
/// 1; column 0 is empty.
///
/// Each value is the sum of the weights of the sequences that its comment describes. All values are
/// integers below 2^53 in double precision, so that sums and products are exact, and vector units
/// can compute them.
struct GroupColumns {
  /// A letter of a column, and the weight of the sequences that have it there.
  struct Letter {
    std::uint8_t code;  ///< residue code
    double weight;
  };
  std::vector<std::size_t> first;  ///< offset of each column in `letters`, and the end
  std::vector<Letter> letters;     ///< the letters of all columns, one column after another
  std::vector<double> residues;    ///< sequences with a residue in the column
  /// Sequences with a residue in the column and a residue in the column before.
  std::vector<double> residue_pairs;
  std::vector<double> gaps;       ///< sequences with a gap in the column, between two residues
  std::vector<double> gap_pairs;  ///< sequences with such a gap in the column and the one before
  /// Sequences with a residue in the column or before it, and another one behind it.
  std::vector<double> inner;

  /// The number of columns without column 0.
  std::size_t columns() const { return residues.size() - 1; }
  /// The letters of a column, by increasing code.
  std::span<const Letter> at(std::size_t column) const {
    return std::span(letters).subspan(first[column], first[column + 1] - first[column]);
  }
};

/// Computes the columns of a profile. `column_of` has the columns of the residues of each sequence,
/// from 0, as Msa::column_of. `weights` has one element per sequence of the family.
GroupColumns group_columns(const Profile& profile,
                           std::span<const std::vector<std::uint32_t>> column_of,
                           const CodedSequences& sequences, std::span<const std::uint32_t> weights);

}  // namespace accord
