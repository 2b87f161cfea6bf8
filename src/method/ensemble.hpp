// SPDX-License-Identifier: Apache-2.0
// Alternative alignments of one family.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "method/align_result.hpp"
#include "models/perturbation.hpp"
#include "tools/ensemble_agreement.hpp"

namespace accord {

/// How many replicates an ensemble has, and the seed of its random numbers.
struct EnsembleOptions {
  std::size_t replicates = 16;
  std::uint64_t seed = 1;
};

/// An alignment of an ensemble. The parameters 0 are those of the settings, and the tree 0 is the
/// guide tree without noise.
struct Replicate {
  std::size_t parameters = 0;  ///< number of the parameters
  std::size_t tree = 0;        ///< number of the tree among those of these parameters
  ParameterFactors factors;    ///< of the parameters
  AlignResult aligned;         ///< as align_along_trees() has the results of a family

  /// The name "p0.t0", with the two numbers.
  std::string name() const {
    return "p" + std::to_string(parameters) + ".t" + std::to_string(tree);
  }
};

/// The alignments of a family, and how far they agree.
struct Ensemble {
  EnsembleOptions options;
  std::vector<Replicate> replicates;
  EnsembleAgreement agreement;
};

}  // namespace accord
