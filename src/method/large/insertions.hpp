// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "core/msa.hpp"
#include "core/sequence_set.hpp"
#include "method/large/placing.hpp"

namespace accord {

/// Aligns a family of inserted segments, at least two different ones. Called by several threads.
using SegmentAligner = std::function<Msa(const SequenceSet& segments)>;

/// An alignment of segments that begin in the same column and have no gaps.
Msa side_by_side(const SequenceSet& segments);

/// An alignment that consists of a part and of sequences that were placed in it.
struct Placed {
  Msa msa;
  std::vector<std::uint32_t> column_of_part;  ///< the column of each column of the part
};

/// The columns of a part, with columns of inserted residues between them.
///
/// The residues of a sequence between two columns that it has are one segment. It stands behind the
/// first of them, one before all columns of its sequence in front of their first. The segments that
/// stand at one place are aligned among themselves; equal ones count once, and those of one or two
/// residues are put side by side without an alignment.
///
/// `on_place`, if there is one, is called for each of the part's places, columns + 1 of them, by
/// any thread.
/// Shape   a row for each sequence of the set; it is empty for those that are neither in the part
///         nor placed.
Placed with_insertions(const SequenceSet& set, const AlignedPart& part,
                       std::span<const std::uint32_t> sequences,
                       std::span<const PlacedSequence> placed, const SegmentAligner& align,
                       const std::function<void()>& on_place = {});

}  // namespace accord
