// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/distance_matrix.hpp"
#include "phylogeny/likelihood/likelihood_call.hpp"

namespace accord {

/// How near the largest likelihood a distance is.
enum class DistanceAccuracy {
  coarse,  ///< within 1 % of it, 0 if it is below 1e-4: for trees that are fitted later
  fine     ///< within 1e-4 of it, 0 if it is below 1e-6
};

/// The distance of two sequences that has the largest likelihood, for all pairs of them, in
/// substitutions per site: 0 for sequences that never differ, at most 10.
///
/// The likelihood is tabulated for the pairs of codes at times that are 9 % apart; the largest sum
/// is found among these, and then that of the polynomial through it and its neighbours, two or, for
/// fine distances, four. Uses thread_count() threads.
DistanceMatrix ml_distances(const SitePatterns& patterns, const SubstitutionProcess& process,
                            DistanceAccuracy accuracy = DistanceAccuracy::coarse);

}  // namespace accord
