// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/alphabet.hpp"
#include "models/calibration.hpp"
#include "models/parameters.hpp"
#include "models/residue_contexts.hpp"
#include "shared/layout.h"

namespace accord {

/// The posterior stage: both models and the least cell that is kept, and what becomes of a cell.
struct PosteriorModel {
  accord_model tables;
  Calibration calibration;
  const ResidueContexts* contexts = nullptr;  ///< which classes the tables are for; none: one class
};

/// The odds-form tables of a parameter set (all logarithms and quotients are taken here, in
/// double, and rounded once).
/// Throws  Error{bad_input} if the parameters are for other residues, or if a match weight is
///         larger than the kernels can scale (see posteriors/scaling.h).
PosteriorModel build_posterior_model(const Parameters& parameters, ResidueType type);

}  // namespace accord
