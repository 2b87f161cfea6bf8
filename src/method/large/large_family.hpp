// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/placed_sequence.hpp"
#include "core/sequence_set.hpp"
#include "engine/scheduler.hpp"
#include "method/align_result.hpp"
#include "method/large/family_plan.hpp"
#include "method/settings.hpp"

namespace accord {

/// Aligns a family of any size by its plan: with align_family(), or, if it is large, with
/// align_large_family(), or with align_by_subsets(). In a family of genomes, each sequence outside
/// the backbone is placed with the kGenomesNearest members that share most words with it. Tracks
/// have the weight of with_track_weight(). A family that is not large and can be folded (can_fold)
/// is aligned once more, with the base pairs of fold_family().
/// Throws  as align_family, align_large_family, align_by_subsets and with_track_weight.
AlignResult align_sequences(const SequenceSet& set, const AlignSettings& settings,
                            const FamilyPlan& plan, Scheduler& scheduler,
                            const RunListener& listener = {});

/// Aligns a large family. A backbone of `backbone` representatives is aligned with the whole
/// method. Every other sequence is placed into the columns of the backbone, by the posteriors of
/// its pairs with the nearest representatives. Residues that no column takes are aligned with those
/// of other sequences at the same place. Equal sequences are aligned once.
///
/// In the guide tree, every other sequence is attached to its nearest representative. The
/// confidence is over the pairs whose posteriors are known (see placed_confidence).
/// Throws  Error{usage} for a guide tree from a file, since it has all sequences.
/// Cost    that of the backbone; for each other sequence, `backbone` common subsequences, and
///         LargeEffort::first_members pairs, or most_members if the sequence is unsure. Memory
///         grows with the residues, not with the pairs.
AlignResult align_large_family(const SequenceSet& set, std::size_t backbone,
                               const AlignSettings& settings, Scheduler& scheduler,
                               const RunListener& listener = {});

/// The part of a large family that is computed once. Where another sequence is placed depends on
/// the core and on that sequence alone.
struct FamilyCore {
  std::vector<std::uint32_t> members;  ///< the backbone: canonical indices, increasing
  AlignResult aligned;                 ///< alignment of the members, in the same canonical order
  std::size_t nearest = 0;   ///< largest number of members that a sequence is aligned with
  bool are_genomes = false;  ///< whether the members are a genome_backbone()
};

// The three steps of align_large_family(). Several processes may share the second step, each with
// some of the sequences.

/// Step one: selects and aligns the core of a large family.
/// Throws  as align_large_family.
FamilyCore align_core(const SequenceSet& set, std::size_t backbone, const AlignSettings& settings,
                      Scheduler& scheduler, const RunListener& listener = {});

/// The sequences to place in the core: those outside it, only the first of equal sequences.
/// Shape   canonical indices in `set`, increasing.
std::vector<std::uint32_t> sequences_to_place(const SequenceSet& set, const FamilyCore& core);

/// Step two: places some sequences in the core, and returns their places in the same order. `set`
/// is the family, or the members of the core and some other sequences; `core.members` and
/// `sequences` are indices in it. Appends the records of its stages to `stages`.
/// Throws  what the scheduler throws.
std::vector<PlacedSequence> place_in_core(const SequenceSet& set, const FamilyCore& core,
                                          std::span<const std::uint32_t> sequences,
                                          const AlignSettings& settings, Scheduler& scheduler,
                                          std::vector<StageRecord>& stages,
                                          const RunListener& listener = {});

/// Step three: makes the alignment of the whole family from the core and the placed sequences.
/// `set` is the whole family. `placed` has all of sequences_to_place(), in this order. Sequences
/// with an uncertain placement are placed again, and inserted residues are aligned.
/// Throws  what the scheduler throws.
AlignResult join_placed(const SequenceSet& set, FamilyCore core, std::vector<PlacedSequence> placed,
                        const AlignSettings& settings, Scheduler& scheduler,
                        const RunListener& listener = {});

/// Aligns inserted segments: up to 100 as a usual family, more with a backbone of 100 segments, to
/// which the other segments are added.
/// Throws  what the scheduler throws.
Msa align_segments(const SequenceSet& segments, const AlignSettings& settings,
                   Scheduler& scheduler);

}  // namespace accord
