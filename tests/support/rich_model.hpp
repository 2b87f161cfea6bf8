// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "models/models.hpp"
#include "stages/posteriors/self_test_family.hpp"

namespace accord::testing {

/// The tables of the defaults with everything in use that a model may have.
inline accord_model rich_model(ResidueType type = ResidueType::protein) {
  accord_model model = build_posterior_model(default_parameters(type), type).tables;
  use_everything(model);
  return model;
}

}  // namespace accord::testing
