// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "core/sequence_set.hpp"
#include "engine/progress_listener.hpp"

namespace accord {

/// The canonical indices of the different sequences of a set, increasing. For equal sequences,
/// which are adjacent in canonical order, the result has the first index.
std::vector<std::uint32_t> distinct_sequences(const SequenceSet& set);

/// Chooses `count` of the sequences `among`, or all of them if there are no more. The choice
/// depends on their letters alone. It is a sample of the longer half, by a hash of the residues. So
/// each part of the family has its share, and no fragment represents others. If `count` exceeds
/// half of the sequences, the function chooses the longest `count`. At least a quarter of the
/// chosen ones are longer than 1.5 times the sequence of median length, or all such sequences if
/// there are fewer, since shorter sequences represent only a part of them.
///
/// `among`: increasing canonical indices, that is, by decreasing length.
/// Returns  increasing canonical indices.
/// Reference  a backbone of long sequences: Yamada, Tomii & Katoh 2016, Bioinformatics 32:3246.
std::vector<std::uint32_t> select_representatives(const SequenceSet& set,
                                                  std::span<const std::uint32_t> among,
                                                  std::size_t count);

/// Chooses the backbone of a large family: `count` of the sequences `among`, or all of them if
/// there are no more. A fifth of the backbone is chosen by select_representatives(). Then each
/// further member is the candidate that is least similar to all chosen ones (farthest first). The
/// similarity of two sequences is similarity_of() their longest common subsequence. So an unusual
/// sequence is aligned with the whole method, and a placed sequence finds a similar member.
///
/// The candidates are a sample with twice as many sequences as the backbone. So even in a much
/// larger family, not all chosen sequences are unusual. The candidates are longer than half of the
/// sequence of median length, if there are enough such sequences.
///
/// `among`: increasing canonical indices.
/// Returns  increasing canonical indices.
/// Cost    2 `count` common subsequences for each member of the backbone; thread_count() threads.
/// Reference  Gonzalez 1985, Theor Comput Sci 38:293 (farthest first).
std::vector<std::uint32_t> select_backbone(const SequenceSet& set,
                                           std::span<const std::uint32_t> among, std::size_t count);

/// A list of the most similar members of a group for each of some sequences. A member is given by
/// its place in the group.
class NearestMembers {
 public:
  /// Makes no lists; add() appends them.
  NearestMembers() = default;
  /// Makes lists of `each` members for `sequences` sequences. `places` has the lists one after
  /// another.
  NearestMembers(std::vector<std::uint32_t> places, std::size_t each, std::size_t sequences)
      : places_(std::move(places)), most_(sequences > 0 ? each : 0) {
    for (std::size_t k = 1; k <= sequences; ++k) end_.push_back(k * each);
  }

  /// Appends the members of the next sequence, the most similar first.
  void add(std::span<const std::uint32_t> places) {
    places_.insert(places_.end(), places.begin(), places.end());
    end_.push_back(places_.size());
    most_ = std::max(most_, places.size());
  }

  /// The members of sequence k, from 0, in the order of the sequences.
  std::span<const std::uint32_t> of(std::size_t k) const {
    return std::span(places_).subspan(end_[k], end_[k + 1] - end_[k]);
  }
  /// The largest number of members of a sequence.
  std::size_t most() const noexcept { return most_; }
  /// The number of members of all sequences together.
  std::size_t pairs() const noexcept { return places_.size(); }

 private:
  std::vector<std::uint32_t> places_;
  std::vector<std::size_t> end_{0};  // [sequence + 1]: end of its places; begins with 0
  std::size_t most_ = 0;
};

/// For each sequence, finds the `most` most similar members, or all if there are no more. The
/// similarity is similarity_of() their longest common subsequence; ties go to the lower place.
/// `sequences` and `members`: indices in `set`. List k of the result is that of sequences[k], the
/// most similar member first; a place is an index in `members`. `progress` may be null.
/// Cost    a common subsequence for each sequence and member; thread_count() threads.
NearestMembers nearest_members(const SequenceSet& set, std::span<const std::uint32_t> sequences,
                               std::span<const std::uint32_t> members, std::size_t most,
                               ProgressListener* progress);

}  // namespace accord
