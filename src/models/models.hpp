// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/alphabet.hpp"
#include "core/sequence_set.hpp"
#include "models/calibration.hpp"
#include "models/parameters.hpp"
#include "models/residue_contexts.hpp"
#include "shared/layout.h"

namespace accord {

/// The model of the posterior stage: the tables of both pair models with the cutoff of cells, and
/// the calibration of the kept cells.
struct PosteriorModel {
  accord_model tables;
  Calibration calibration;
  const ResidueContexts* contexts = nullptr;  ///< which classes the tables are for; none: one class
};

/// Builds the odds-form tables of a parameter set. All logarithms and quotients are computed here,
/// in double precision, and rounded once.
/// Throws  Error{bad_input} if the parameters are for other residues, or if a match weight is
///         larger than the kernels can scale (see posteriors/scaling.h).
PosteriorModel build_posterior_model(const Parameters& parameters, ResidueType type);

/// A family and its posterior model. The constructor adds the contexts to the residue codes.
class PosteriorFamily {
 public:
  /// `family` must outlive this object.
  PosteriorFamily(const SequenceSet& family, const PosteriorModel& of_family);
  /// Throws  as build_posterior_model.
  PosteriorFamily(const SequenceSet& family, const Parameters& parameters)
      : PosteriorFamily(family, build_posterior_model(parameters, family.type())) {}

  const SequenceSet& set;
  const PosteriorModel model;
  /// The residue codes for the tables of the model: with contexts, if the model has them.
  const CodedSequences& sequences() const {
    return model.contexts != nullptr ? with_contexts_ : set.coded();
  }

 private:
  CodedSequences with_contexts_;
};

}  // namespace accord
