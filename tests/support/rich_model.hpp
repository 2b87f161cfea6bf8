// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>

#include "accord/core/models.hpp"

namespace accord::testing {

/// The tables of the defaults with everything in use that a model may have: a third gap class,
/// unequal shares, a blend of the mean and the root mean square, and a factor of its own for every
/// pair of contexts in each model.
inline accord_model rich_model(ResidueType type = ResidueType::protein) {
  accord_model model = build_posterior_model(default_parameters(type), type).tables;
  model.hmm.gap_scale[2] = 7.8e-6f;
  model.hmm.gap_extend[2] = 0.985f;
  model.hmm.forward_gap[2] = 12.0f;
  model.hmm.backward_gap[2] = 11.5f;
  model.hmm.end_gap[2][0] = 9.0e-5f;
  model.hmm.end_gap[2][1] = 1.0e-13f;
  model.hmm_share = 0.375f;
  model.partition_share = 0.625f;
  model.square_share = 0.4f;
  for (int c = 0; c < ACCORD_CONTEXTS; ++c) {
    for (int d = 0; d < ACCORD_CONTEXTS; ++d) {
      const float step = static_cast<float>(ACCORD_CONTEXTS * std::min(c, d) + std::max(c, d)) / 80;
      model.hmm.context[c * ACCORD_SYMBOLS + d] = 0.7f + step;
      model.partition.context[c * ACCORD_SYMBOLS + d] = 1.5f - step;
    }
  }
  return model;
}

}  // namespace accord::testing
