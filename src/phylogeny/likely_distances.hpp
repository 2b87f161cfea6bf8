// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tools/column_distances.hpp"

namespace accord {

/// Distances of the largest likelihood, at most 10, by models of substitution (see parse_model)
/// whose parameters are all given.
const OtherDistanceModels& likely_distance_models();

}  // namespace accord
