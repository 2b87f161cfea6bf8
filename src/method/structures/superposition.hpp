// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/distance_matrix.hpp"
#include "core/posterior_set.hpp"
#include "models/models.hpp"

namespace accord {

/// How many pairs of structures of a family were superposed.
struct Superposition {
  std::size_t pairs = 0;      ///< whose structures fit
  std::size_t no_fit = 0;     ///< whose structures do not fit, or are too short
  std::size_t too_large = 0;  ///< that have more than kMostStructureCells cells
  double tm_score = 0;        ///< mean of the pairs that fit
};

/// The least TM-score of structures that fit. Pairs below it keep their posterior. Chosen from .2,
/// .3, .4 and .5 on 206 families of HOMSTRAD, and on 93 of them in which one chain has the
/// coordinates of another protein: with .5 the former lose .001 of SP, with .3 the latter .10.
inline constexpr double kLeastTmScore = 0.4;

/// Superposes the structures of all pairs of sequences that have them, and replaces the posteriors
/// and distances of those that fit by structure_posterior() and its distance. The other pairs keep
/// theirs. Any number of threads gives the same result.
/// Cost    about 0.2 microseconds for each cell of a pair
Superposition superpose_pairs(const PosteriorFamily& family, PosteriorSet& posteriors,
                              DistanceMatrix& distances);

/// The sequences that have structures, in canonical order.
std::vector<std::uint32_t> sequences_with_traces(const SequenceSet& set);

/// Whether at least two sequences have structures.
bool has_structures(const SequenceSet& set);

}  // namespace accord
