// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "base/cpu_budget.hpp"
#include "core/msa.hpp"
#include "core/sequence_set.hpp"
#include "method/large/placing.hpp"

namespace accord {

/// Aligns a family of inserted segments, at least two different ones. Several threads call it, each
/// with a lease of one CPU, so that it may wait for results.
using SegmentAligner = std::function<Msa(const SequenceSet& segments)>;

/// Puts segments side by side: all begin in the same column and have no gaps.
Msa side_by_side(const SequenceSet& segments);

/// An alignment of a part and the sequences that were placed into it.
struct Placed {
  Msa msa;
  std::vector<std::uint32_t> column_of_part;  ///< new column of each column of the part
};

/// Puts columns of inserted residues between the columns of a part.
///
/// Consecutive inserted residues of a sequence are one segment. A segment goes directly behind the
/// column of the residue before it; a segment at the start of a sequence goes directly before the
/// sequence's first column. The segments at one place are aligned with each other. Equal segments
/// count once, and segments of one or two residues are put side by side.
///
/// `placed`: for each of `sequences`, in their order, where its residues go in the part.
/// `cpus`: the CPUs of the run.
/// `on_place`: if set, it is called for each of the part's columns + 1 places, by any thread.
/// Shape   a row for each sequence of the set; empty for sequences that are neither in the part nor
///         placed.
Placed with_insertions(const SequenceSet& set, const AlignedPart& part,
                       std::span<const std::uint32_t> sequences,
                       std::span<const PlacedSequence> placed, const SegmentAligner& align,
                       CpuBudget& cpus, const std::function<void()>& on_place = {});

}  // namespace accord
