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

/// Of equal sequences, which stand side by side in canonical order, the first; increasing.
std::vector<std::uint32_t> distinct_sequences(const SequenceSet& set);

/// Chooses `count` of the sequences `among`, or all if there are no more. The choice depends on
/// their letters alone: it is a sample, by a hash of the residues, of the longer half, so that each
/// part of the family has its share and no fragment represents others; if more than half are
/// wanted, it is the longest. At least a quarter of them, or all that there are, are half as long
/// again as the sequence of median length, since shorter ones represent only a part of these.
///
/// `among`: increasing canonical indices, and so never increasing lengths.
/// Shape   increasing.
/// Reference  a backbone of long sequences: Yamada, Tomii & Katoh 2016, Bioinformatics 32:3246.
std::vector<std::uint32_t> select_representatives(const SequenceSet& set,
                                                  std::span<const std::uint32_t> among,
                                                  std::size_t count);

/// Chooses the backbone of a large family, `count` of the sequences `among`, or all if there are no
/// more: a fifth are representatives (see select_representatives), and the others those that are
/// least like any that is chosen, one after the other (farthest first, by similarity_of() their
/// longest common subsequences). What is unlike the rest is thus aligned with the whole method, and
/// what is placed finds a member that is like it.
///
/// Candidates are a sample, twice as many as the backbone, so that of a much larger family not only
/// what is odd is chosen, and none is shorter than half of the one of median length if there are
/// enough others.
/// Cost    2 `count` common subsequences for each of the backbone; thread_count() threads.
/// Reference  Gonzalez 1985, Theor Comput Sci 38:293 (farthest first).
/// Shape   increasing.
std::vector<std::uint32_t> select_backbone(const SequenceSet& set,
                                           std::span<const std::uint32_t> among, std::size_t count);

/// For each of some sequences the members of a group that are most like it, as places in the group.
class NearestMembers {
 public:
  NearestMembers() = default;
  /// The same number of members for each of so many sequences, side by side.
  NearestMembers(std::vector<std::uint32_t> places, std::size_t each, std::size_t sequences)
      : places_(std::move(places)), most_(sequences > 0 ? each : 0) {
    for (std::size_t k = 1; k <= sequences; ++k) end_.push_back(k * each);
  }

  /// Those of the next sequence, the most similar first.
  void add(std::span<const std::uint32_t> places) {
    places_.insert(places_.end(), places.begin(), places.end());
    end_.push_back(places_.size());
    most_ = std::max(most_, places.size());
  }

  std::span<const std::uint32_t> of(std::size_t k) const {
    return std::span(places_).subspan(end_[k], end_[k + 1] - end_[k]);
  }
  /// Members of a sequence, at most.
  std::size_t most() const noexcept { return most_; }
  /// Members of all sequences together.
  std::size_t pairs() const noexcept { return places_.size(); }

 private:
  std::vector<std::uint32_t> places_;
  std::vector<std::size_t> end_{0};  // of the places of the sequences before
  std::size_t most_ = 0;
};

/// The `most` members (all, if there are no more) that are most like each of the sequences, by
/// similarity_of() their longest common subsequence; of equal ones the lower place.
/// `progress` may be null.
/// Cost    a common subsequence for each sequence and member; thread_count() threads.
NearestMembers nearest_members(const SequenceSet& set, std::span<const std::uint32_t> sequences,
                               std::span<const std::uint32_t> members, std::size_t most,
                               ProgressListener* progress);

}  // namespace accord
