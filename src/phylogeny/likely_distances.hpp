// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tools/column_distances.hpp"

namespace accord {

/// The distance models that column_distances() can use besides differences in columns: models of
/// substitution (see parse_model) whose parameters are all given. The distance of two rows is the
/// one with the largest likelihood, at most 10.
const OtherDistanceModels& likely_distance_models();

}  // namespace accord
