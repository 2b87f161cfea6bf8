// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>

#include "models/parameters.hpp"

namespace accord {

/// Factors of the weights of both pair models.
struct ParameterFactors {
  double gap_open = 1;    ///< of the weight of opening a gap
  double gap_extend = 1;  ///< of the weight of each further residue of a gap
  double sharpness = 1;   ///< of the log odds of two letters
};

/// The largest and the smallest factors that are drawn are exp(spread) and exp(-spread).
struct ParameterSpread {
  double gap_open = 0.7;
  double gap_extend = 0.15;
  double sharpness = 0.15;
};

/// Draws factors whose logarithms are independent and uniform in [-spread, spread). The same values
/// on all platforms.
ParameterFactors draw_factors(std::uint64_t seed, const ParameterSpread& spread = {});

/// Multiplies the weights of both pair models by the factors. The factor of gap opening is smaller
/// if the pair-HMM would open gaps with a probability of more than .45 in all. The weight of a
/// further residue becomes at most .917, or stays as it is if it is more.
Parameters with_factors(Parameters parameters, const ParameterFactors& factors);

}  // namespace accord
