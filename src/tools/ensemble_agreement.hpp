// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <vector>

#include "core/msa.hpp"

namespace accord {

/// How far the alignments of an ensemble agree with each other. Alignments of one family are
/// compared; each is a replicate.
///
/// Two replicates share a column if it has the same residues in both, and a pair if its two
/// residues are in one column in both. The agreement of two replicates is the number of shared
/// pairs, over the mean of their numbers of pairs; 1 if there is no pair.
/// Reference  column confidence and dispersion: Edgar 2022, Nat Commun 13:6968.
struct EnsembleAgreement {
  /// [replicate][column]: the share of the replicates that have the column, this one included.
  std::vector<std::vector<float>> column_confidence;
  std::vector<double> agreement;  ///< [replicate]: mean agreement with the others; 1 without others
  double dispersion = 0;          ///< 1 - the median agreement of two replicates; 0 for one
  std::size_t best = 0;  ///< the replicate with the largest agreement, of equal ones the first
};

/// Compares the replicates with each other.
/// Throws  Error{internal} if the replicates differ in their rows or residues.
/// Cost    O(R^2 N L) for R replicates of N sequences with L residues; uses thread_count() threads.
EnsembleAgreement agreement_of(const std::vector<const Msa*>& replicates);

}  // namespace accord
