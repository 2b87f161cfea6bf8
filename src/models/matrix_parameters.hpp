// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <optional>
#include <string>

#include "models/parameter_set.hpp"
#include "models/substitution_matrix.hpp"

namespace accord {

/// What a gap costs, in units of a matrix: one of k residues open + k extend, as in BLAST.
struct GapCosts {
  double open, extend;
};

/// A parameter set with the scores of a matrix in place of its own, in both pair models, as sharp
/// as these: with lambda of the matrix the pair-HMM has the odds exp(sharpness lambda s), and the
/// partition function the weights exp(lambda s / (lambda_0 T)), lambda_0 being that of the scores
/// which the set has. Contexts, which know amino acids, are left out. The gaps are those of the
/// set, or with `costs` the same in both models: one class of gaps, whose weight in the alignment
/// is exp(-f (open + k extend)), f being the factor of s in the model. Gaps at the ends begin with
/// the probability of the set, and cost nothing in the partition function.
/// Throws  Error{bad_input} if the matrix is of other residues than the set, or if weights are too
///         large to be computed with.
ParameterSet with_matrix(const ParameterSet& set, std::shared_ptr<const SubstitutionMatrix> matrix,
                         std::optional<GapCosts> costs = {});

}  // namespace accord
