// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

#include "core/sequence_set.hpp"
#include "method/pipeline.hpp"
#include "method/settings.hpp"
#include "stages/scheduler.hpp"

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
///         kFirstNearest pairs, or as many as kMostNearest more if it is unsure. Memory grows with
///         the residues, not with the pairs.
AlignResult align_large_family(const SequenceSet& set, std::size_t backbone,
                               const AlignSettings& settings, Scheduler& scheduler,
                               const RunListener& listener = {});

/// Aligns inserted segments: a few like any family, many with a backbone to which the others are
/// added.
Msa align_segments(const SequenceSet& segments, const AlignSettings& settings,
                   Scheduler& scheduler);

}  // namespace accord
