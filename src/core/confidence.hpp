// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "core/msa.hpp"
#include "core/posterior_set.hpp"

namespace accord {

/// Confidence in an alignment: the share of its aligned pairs that is expected to be right.
/// A pair is two residues in one column; its probability is the posterior probability that they are
/// aligned. The confidence of a residue is the mean over its pairs, of a column the mean over the
/// pairs in the column, and of the alignment the mean over all pairs.
/// A residue that is alone in its column makes no pair. Its confidence is the probability that it
/// is aligned with nothing, as a mean over the other sequences, or 1 if there is no other sequence.
/// It counts in no other mean.
/// If posteriors are known for some pairs of rows only, all means are over these pairs, and the
/// confidence of a row without any known pair is unknown.
/// Units   probability, in [0, 1].
struct Confidence {
  std::vector<std::vector<float>> residue;     ///< [canonical row][residue]; NaN: unknown
  std::vector<float> column;                   ///< NaN for a column without a known pair
  std::vector<std::uint32_t> column_residues;  ///< number of residues in each column
  double mean = 0;                             ///< over all pairs; NaN if there is no pair
  std::uint64_t pairs = 0;
};

/// Computes the confidence of an alignment from the posteriors of all pairs of its family, or of
/// some.
/// Cost    two look-ups per pair; uses thread_count() threads. The sums are of integers, so that
///         the result does not depend on the order of the additions.
Confidence alignment_confidence(const Msa& msa, const PosteriorSet& posteriors);

/// HMMER's code of a posterior probability: `*` from 0.95 on, else a digit, the probability in
/// tenths, rounded.
/// Reference  Eddy, HMMER User's Guide, Stockholm `#=GR PP`.
char posterior_code(float probability);

}  // namespace accord
