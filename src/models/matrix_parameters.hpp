// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <optional>

#include "models/parameter_set.hpp"
#include "models/substitution_matrix.hpp"

namespace accord {

/// Gap costs in units of a matrix, as in BLAST: a gap of k residues costs open + k extend. `open`
/// is at least 0, and `extend` is positive.
struct GapCosts {
  double open, extend;
};

/// Replaces the scores of a parameter set by the scores s of a matrix, in the pair-HMM and in the
/// partition function. Two letters then have these odds (pair-HMM) and this weight (partition
/// function), where lambda is that of the matrix:
///
///   pair-HMM            exp(f s), f = sharpness lambda; `sharpness` is that of the set
///   partition function  exp(f s), f = lambda / (lambda_0 T); lambda_0 is the lambda of the scores
///                       of the set, T its temperature
///
/// The result has no contexts, since these apply to amino acids. The result keeps `matrix`,
/// which must not be null.
/// Without `costs`, the gaps are those of the set. With `costs`, each model has one class of gaps,
/// in which a gap of k residues has the weight exp(-f (open + k extend)). In the pair-HMM, a gap at
/// an end begins with the probability that the set gives it; in the partition function, such a gap
/// costs nothing.
/// Throws  Error{bad_input} if the matrix is for other residues than the set, if `extend` is so low
///         that a further residue of a gap has a weight above 0.917 in the pair-HMM, or if weights
///         are too large to be computed with.
ParameterSet with_matrix(const ParameterSet& set, std::shared_ptr<const SubstitutionMatrix> matrix,
                         std::optional<GapCosts> costs = {});

}  // namespace accord
