// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "oracle/oracle.hpp"

// Posteriors of a few residues by listing every alignment and adding up weights.
namespace accord::oracle {

/// P(x_i aligned to y_j) from all state paths of the pair-HMM that emit x and y.
/// Cost  exponential in the lengths; up to 4 residues each is quick.
Dense hmm_posteriors_by_enumeration(const Codes& x, const Codes& y, const PairHmm& hmm,
                                    ResidueType type, const GapOpeningParams& openings = {});

/// P(x_i aligned to y_j) from all alignments with at least one match in which no gap in one
/// sequence touches a gap in the other; gaps at the ends weigh 1.
Dense partition_posteriors_by_enumeration(const Codes& x, const Codes& y,
                                          const PartitionFunction& partition, ResidueType type,
                                          const GapOpeningParams& openings = {});

/// Largest sum of posteriors over all alignments.
double expected_accuracy_by_enumeration(const Dense& posterior);

}  // namespace accord::oracle
