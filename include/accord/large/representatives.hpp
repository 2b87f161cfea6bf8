// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "accord/core/sequence_set.hpp"
#include "accord/schedule/progress_listener.hpp"

namespace accord {

/// The sequences of a family that do not follow one of the same codes, increasing: canonical order
/// has equal letters side by side.
std::vector<std::uint32_t> distinct_sequences(const SequenceSet& set);

/// So many of the sequences `among`, which depend on their letters alone: a sample, by a hash of
/// the residues, of the longer half, so that each part of the family has its share and no fragment
/// stands for others. At least a quarter of them, or all that there are, are half as long again as
/// the sequence in the middle: the others stand for a part of such a sequence only. All of them if
/// there are no more; all of the longer ones if more than half are wanted.
///
/// `among`: increasing canonical indices, and so never increasing lengths.
/// Shape   increasing.
/// Source  a core of long sequences: Yamada, Tomii & Katoh 2016, Bioinformatics 32:3246.
std::vector<std::uint32_t> select_representatives(const SequenceSet& set,
                                                  std::span<const std::uint32_t> among,
                                                  std::size_t count);

/// For each of some sequences the members of a group that are most like it.
struct NearestMembers {
  std::size_t each = 0;               ///< members of a sequence
  std::vector<std::uint32_t> places;  ///< in the group; those of a sequence side by side

  /// Those of the k-th sequence, the most similar first.
  std::span<const std::uint32_t> of(std::size_t k) const {
    return std::span(places).subspan(k * each, each);
  }
};

/// The `most` members (all, if there are no more) that are most like each of the sequences, by
/// similarity_of() their longest common subsequence; of equal ones the lower place.
/// `progress` may be null.
/// Cost    a common subsequence for each sequence and member; thread_count() threads.
NearestMembers nearest_members(const SequenceSet& set, std::span<const std::uint32_t> sequences,
                               std::span<const std::uint32_t> members, std::size_t most,
                               ProgressListener* progress);

}  // namespace accord
