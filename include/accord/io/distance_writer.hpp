// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "accord/core/distance_matrix.hpp"
#include "accord/core/sequence_set.hpp"

namespace accord {

/// The distances as a square matrix in relaxed PHYLIP: a line with the number of sequences, then
/// one line a sequence with its name (see plain_name) and all distances with 6 decimals. Rows and
/// columns are in input order.
std::string format_distances(const DistanceMatrix& distances, const SequenceSet& set);

}  // namespace accord
