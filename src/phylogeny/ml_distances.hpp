// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/distance_matrix.hpp"
#include "stages/likelihood/call.hpp"

namespace accord {

/// The distance of two sequences that has the largest likelihood, for all pairs of them, in
/// substitutions per site: 0 for sequences that never differ, at most 10.
///
/// The likelihood is tabulated for the pairs of codes at times that are 9 % apart; the largest sum
/// is found among these, and then that of the parabola through it and its neighbours, whose error
/// is less than 1 % of the time. Uses thread_count() threads.
DistanceMatrix ml_distances(const SitePatterns& patterns, const SubstitutionProcess& process);

}  // namespace accord
