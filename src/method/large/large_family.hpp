// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/placed_sequence.hpp"
#include "core/sequence_set.hpp"
#include "engine/scheduler.hpp"
#include "method/pipeline.hpp"
#include "method/settings.hpp"

namespace accord {

/// Aligns a family of any size: with align_family(), or, if it is large (see backbone_size), with
/// align_large_family(). A family of genomes (see genome_backbone) has a backbone of its own, and
/// its other sequences are placed with the kGenomesNearest members that share most words with them.
/// Throws  what these throw.
AlignResult align_sequences(const SequenceSet& set, const AlignSettings& settings,
                            Scheduler& scheduler, const RunListener& listener = {});

/// Aligns a large family: a backbone of `backbone` representatives with the whole method, and every
/// other sequence in the columns of the backbone by the posteriors of its pairs with the nearest
/// representatives; what no column takes is aligned among the sequences that share it. Of equal
/// sequences one is aligned, and the others get its columns.
///
/// The guide tree has every other sequence beside its nearest representative. The confidence is
/// that of the pairs whose posteriors are known (see placed_confidence).
/// Throws  Error{usage} for a guide tree from a file, which is of all sequences.
/// Cost    that of the backbone; for each other sequence `backbone` common subsequences and
///         LargeEffort::first_members pairs, or most_members if it is unsure. Memory grows with
///         the residues, not with the pairs.
AlignResult align_large_family(const SequenceSet& set, std::size_t backbone,
                               const AlignSettings& settings, Scheduler& scheduler,
                               const RunListener& listener = {});

/// What is computed once of a large family. Where another sequence is placed depends on this and on
/// the sequence alone.
struct FamilyCore {
  std::vector<std::uint32_t> members;  ///< the backbone: canonical indices, increasing
  AlignResult aligned;                 ///< of the members, whose canonical order is the same
  std::size_t nearest = 0;   ///< of the members, those that a sequence is aligned with, at most
  bool are_genomes = false;  ///< whether the members are a genome_backbone()
};

// The three steps of align_large_family(). The second one may be done in parts, each of some of the
// sequences, by several processes.

/// The core of a large family.
/// Throws  as align_large_family.
FamilyCore align_core(const SequenceSet& set, std::size_t backbone, const AlignSettings& settings,
                      Scheduler& scheduler, const RunListener& listener = {});

/// The sequences that are placed in the core: those that are not in it, of equal ones the first.
/// Shape   increasing.
std::vector<std::uint32_t> sequences_to_place(const SequenceSet& set, const FamilyCore& core);

/// Where some sequences stand in the core, in their order. `set` is the family, or the members of
/// the core and some other sequences; `core.members` are indices in it. Appends to `stages`.
/// Throws  what the scheduler throws.
std::vector<PlacedSequence> place_in_core(const SequenceSet& set, const FamilyCore& core,
                                          std::span<const std::uint32_t> sequences,
                                          const AlignSettings& settings, Scheduler& scheduler,
                                          std::vector<StageRecord>& stages,
                                          const RunListener& listener = {});

/// The alignment of the whole family from its core and from where the sequences to be placed stand
/// in it, in their order: places those again that fit nowhere, and aligns what is inserted.
/// Throws  what the scheduler throws.
AlignResult join_placed(const SequenceSet& set, FamilyCore core, std::vector<PlacedSequence> placed,
                        const AlignSettings& settings, Scheduler& scheduler,
                        const RunListener& listener = {});

/// Aligns inserted segments: a few like any family, many with a backbone to which the others are
/// added.
Msa align_segments(const SequenceSet& segments, const AlignSettings& settings,
                   Scheduler& scheduler);

}  // namespace accord
