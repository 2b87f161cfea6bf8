// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/alphabet.hpp"
#include "core/sequence_set.hpp"
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

/// A family and the model of its posteriors. The residues get their contexts once, here.
class PosteriorFamily {
 public:
  /// `family` must outlive this.
  PosteriorFamily(const SequenceSet& family, const PosteriorModel& of_family);
  /// Throws  as build_posterior_model.
  PosteriorFamily(const SequenceSet& family, const Parameters& parameters)
      : PosteriorFamily(family, build_posterior_model(parameters, family.type())) {}

  const SequenceSet& set;
  const PosteriorModel model;
  /// The codes that the tables of the model are for.
  const CodedSequences& sequences() const {
    return model.contexts != nullptr ? with_contexts_ : set.coded();
  }

 private:
  CodedSequences with_contexts_;
};

}  // namespace accord
