// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>

#include "core/posterior_set.hpp"
#include "core/sequence_set.hpp"
#include "models/parameters.hpp"

namespace accord {

/// Whether a sequence of the set has base pairs.
bool has_base_pairs(const SequenceSet& set);

/// Lets the base pairs of two sequences support each other: bases i and j are aligned more
/// certainly if their partners k and l are. The posterior p(i, j) of the sequences x and y becomes
///
///   (1 - s w) p(i, j) + s sum over k, l of b_x(i, k) b_y(j, l) p(k, l),  s = min(1, W) / 2
///
/// where b_x(i, k) is the probability of a base pair of x, of at least .02, k is on that side of i
/// on which l is of j, W is the weight of the tracks, to which the base pairs belong, and w is the
/// product of the probabilities that i and that j are paired, at most 1. Of unpaired bases the sum
/// and w are 0, so that their posteriors stay. All posteriors change twice, the second time from
/// those of the first.
///
/// Reference  the transform by base pairs of Sahraeian and Yoon 2011 (PicXAA-R, BMC Bioinformatics
///            12 Suppl 1:S38), here with a weight w for each cell. Share and rounds were chosen
///            on the training half of BRAliBase, see docs/track.md.
/// `cutoff`: a cell that was not kept before must reach this probability.
/// Returns    the number of kept cells whose bases are both paired.
/// Runs on thread_count() threads.
std::size_t support_by_base_pairs(const SequenceSet& set, const TrackParams& track, double cutoff,
                                  PosteriorSet& posteriors);

}  // namespace accord
