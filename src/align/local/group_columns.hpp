// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "align/profile_scores.hpp"
#include "core/local_alignment.hpp"
#include "core/sequence_set.hpp"

namespace accord {

/// The contents of the columns of a group of aligned sequences. All values are sums of the weights
/// of sequences. Columns are numbered from 1; column 0 is empty and stands before them.
///
/// All values are integers below 2^53 in double precision, so that sums and products are exact and
/// vector units compute them.
struct GroupColumns {
  /// A letter of a column, and the weight of the sequences that have it there.
  struct Letter {
    std::uint8_t code;
    double weight;
  };
  std::vector<std::size_t> first;  ///< offset of each column in `letters`, and the end
  std::vector<Letter> letters;
  std::vector<double> residues;       ///< sequences with a residue in the column
  std::vector<double> residue_pairs;  ///< with a residue here and in the column before
  std::vector<double> gaps;           ///< with a gap here, between two of their residues
  std::vector<double> gap_pairs;      ///< with such a gap here and in the column before
  std::vector<double> inner;          ///< with a residue here or before, and one behind this column

  std::size_t columns() const { return residues.size() - 1; }
  std::span<const Letter> at(std::size_t column) const {
    return std::span(letters).subspan(first[column], first[column + 1] - first[column]);
  }
};

/// Computes the columns of a profile (see Profile); `weights` has one element per sequence.
GroupColumns group_columns(const Profile& profile,
                           std::span<const std::vector<std::uint32_t>> column_of,
                           const CodedSequences& sequences, std::span<const std::uint32_t> weights);

}  // namespace accord
