// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "tools/column_distances.hpp"

namespace accord {

/// The distance models that column_distances() can use besides differences in columns: models of
/// substitution whose parameters are all given, such as "LG" or "HKY{2.5}+G4{0.5}". The object
/// holds a function that checks such a name, and a function that computes the distances. The
/// distance of two rows is the one with the largest likelihood, at most 10; it is NaN if the rows
/// have no column in which both have a known residue.
/// Units   substitutions per column.
const OtherDistanceModels& likely_distance_models();

}  // namespace accord
