// SPDX-License-Identifier: Apache-2.0
#include "method/structures/superposition.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "method/structures/structure_fit.hpp"
#include "method/structures/structure_posterior.hpp"
#include "stages/posteriors/expected_accuracy.hpp"

namespace accord {
namespace {

/// What became of a pair with structures.
struct StructurePair {
  std::uint32_t x, y;
  bool is_too_large = false;
  std::optional<double> tm_score = {};  ///< if the structures fit
  float distance = 0;
};

void superpose_pair(const PosteriorFamily& family, PosteriorSet& posteriors, StructurePair& pair) {
  const SequenceSet& set = family.set;
  if (std::size_t{set.length(pair.x)} * set.length(pair.y) > kMostStructureCells) {
    pair.is_too_large = true;
    return;
  }
  SparseMatrix& matrix = posteriors.at(pair.x, pair.y);
  const std::optional<StructureFit> fit =
      fit_structures(set.trace(pair.x), set.trace(pair.y), matrix);
  if (!fit || fit->tm_score < kLeastTmScore) return;
  pair.tm_score = fit->tm_score;
  matrix = structure_posterior(family, pair.x, pair.y, *fit, matrix);
  pair.distance = expected_accuracy_distance(matrix);
}

}  // namespace

std::vector<std::uint32_t> sequences_with_traces(const SequenceSet& set) {
  std::vector<std::uint32_t> members;
  for (std::uint32_t x = 0; x < set.size(); ++x) {
    if (set.length(x) > 0 && set.trace(x).size() == set.length(x)) members.push_back(x);
  }
  return members;
}

bool has_structures(const SequenceSet& set) { return sequences_with_traces(set).size() >= 2; }

Superposition superpose_pairs(const PosteriorFamily& family, PosteriorSet& posteriors,
                              DistanceMatrix& distances) {
  std::vector<StructurePair> pairs;
  const std::vector<std::uint32_t> members = sequences_with_traces(family.set);
  for (std::size_t k = 0; k < members.size(); ++k) {
    for (std::size_t m = 0; m < k; ++m) pairs.push_back({members[m], members[k]});
  }
  parallel_for(pairs.size(),
               [&](std::size_t k, int) { superpose_pair(family, posteriors, pairs[k]); });
  Superposition count;
  for (const StructurePair& pair : pairs) {
    if (!pair.tm_score) {
      ++(pair.is_too_large ? count.too_large : count.no_fit);
      continue;
    }
    ++count.pairs;
    count.tm_score += *pair.tm_score;
    distances.set(pair.x, pair.y, pair.distance);
  }
  if (count.pairs > 0) count.tm_score /= static_cast<double>(count.pairs);
  return count;
}

}  // namespace accord
