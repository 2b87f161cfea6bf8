// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "core/msa.hpp"
#include "core/posterior_set.hpp"

namespace accord {

/// Expected accuracy of the aligned pairs of residues of an alignment.
///
/// A pair is two residues in one column; its probability is the posterior probability that they
/// are aligned. The confidence of a residue is the mean over its pairs, that of a column the mean
/// over the pairs of the column, that of the alignment the mean over all pairs: the share of them
/// that is expected to be right.
/// A residue that is alone in its column makes no pair, and what is claimed is that it is aligned
/// with nothing: its confidence is the mean, over the other sequences, of the probability of that;
/// 1 if there is no other sequence. It counts in no other mean.
/// Where posteriors of some pairs of rows alone are known, all of this is said of these pairs, and
/// the confidence of a row in none of them is not known.
/// Units   probability, in [0, 1].
struct Confidence {
  std::vector<std::vector<float>> residue;  ///< [canonical row][residue]; NaN: not known
  std::vector<float> column;                ///< NaN for a column without a known pair
  std::vector<std::uint32_t> column_residues;
  double mean = 0;  ///< of all pairs; NaN if there is none
  std::uint64_t pairs = 0;
};

/// The confidence of an alignment from the posteriors of its family, or of some of its pairs.
/// Cost    two look-ups per pair; uses thread_count() threads. Sums are of integers, so that the
///         result does not depend on their order.
Confidence alignment_confidence(const Msa& msa, const PosteriorSet& posteriors);

/// HMMER's code of a posterior probability: `*` from 0.95 on, else a digit, the probability in
/// tenths, rounded.
/// Reference  Eddy, HMMER User's Guide, Stockholm `#=GR PP`.
char posterior_code(float probability);

}  // namespace accord
