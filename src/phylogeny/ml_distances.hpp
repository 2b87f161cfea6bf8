// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "core/distance_matrix.hpp"
#include "phylogeny/likelihood/likelihood_call.hpp"
#include "tools/column_distances.hpp"

namespace accord {

/// How near a computed distance is to the exact distance of largest likelihood.
enum class DistanceAccuracy {
  coarse,  ///< relative error up to 1 %; below 1e-4 the result is 0; for trees fitted later
  fine     ///< relative error up to 1e-4; below 1e-6 the result is 0
};

/// For each pair of sequences, the distance with the largest likelihood, in substitutions per site:
/// 0 for sequences that never differ, at most 10. The sequences have the numbers of the tips of
/// `patterns`. The states of `process` must be those of `patterns`.
///
/// For each pair of codes, the function tabulates the logarithm of the likelihood at distances that
/// are 9 % apart. For two sequences, it finds the distance with the largest sum in the table, and
/// then the peak of the polynomial through this distance and its neighbours in the table: two, or
/// for fine distances four. Uses thread_count() threads.
DistanceMatrix ml_distances(const SitePatterns& patterns, const SubstitutionProcess& process,
                            DistanceAccuracy accuracy = DistanceAccuracy::coarse);

/// The distance models that column_distances() can use besides differences in columns: models of
/// substitution whose parameters are all given, such as "LG" or "HKY{2.5}+G4{0.5}". The object
/// holds a function that checks such a name, and a function that computes the distances. The
/// distance of two rows is the one with the largest likelihood, at most 10; it is NaN if the rows
/// have no column in which both have a known residue.
/// Units   substitutions per column.
const OtherDistanceModels& likely_distance_models();

}  // namespace accord
