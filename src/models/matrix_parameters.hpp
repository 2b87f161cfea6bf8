// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "models/parameter_set.hpp"
#include "models/substitution_matrix.hpp"

namespace accord {

/// Gap costs in units of a matrix, as in BLAST: a gap of k residues costs open + k extend.
struct GapCosts {
  double open, extend;
};

/// Replaces the scores of both pair models of a parameter set by those of a matrix, and keeps the
/// sharpness of the set. With lambda of the matrix, the pair-HMM has the odds exp(sharpness lambda
/// s), and the partition function the weights exp(lambda s / (lambda_0 T)), where lambda_0 is the
/// lambda of the scores of the set. Contexts are left out, since they apply to amino acids.
/// Without `costs`, the gaps are those of the set. With `costs`, both models have the same gaps:
/// one class, in which a gap of k residues has the weight exp(-f (open + k extend)), where f is the
/// factor of s in the model. Gaps at the ends begin with the probability of the set in the
/// pair-HMM, and cost nothing in the partition function.
/// Throws  Error{bad_input} if the matrix is for other residues than the set, or if weights are too
///         large to be computed with.
ParameterSet with_matrix(const ParameterSet& set, std::shared_ptr<const SubstitutionMatrix> matrix,
                         std::optional<GapCosts> costs = {});

}  // namespace accord
