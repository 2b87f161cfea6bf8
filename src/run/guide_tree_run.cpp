// SPDX-License-Identifier: Apache-2.0
#include "run/guide_tree_run.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>

#include "base/parallel.hpp"
#include "method/build_tree.hpp"
#include "method/family_posteriors.hpp"
#include "method/upgma.hpp"
#include "run/alignment_stages.hpp"
#include "run/estimate/estimate.hpp"
#include "stages/neighbor_joining/neighbor_joining_request.hpp"

namespace accord::run {
namespace {

float longest_of(const DistanceMatrix& distances) {
  float longest = 0;
  for (std::size_t y = 1; y < distances.size(); ++y) {
    for (std::size_t x = 0; x < y; ++x) longest = std::max(longest, distances.at(x, y));
  }
  return longest;
}

/// The power of two by which distances are divided, so that they fill the range of
/// NeighborJoiningCall.
double scale_for_joining(float longest) {
  constexpr double kLongest = 32;
  double scale = 1;
  while (longest / scale > kLongest) scale *= 2;
  while (longest > 0 && longest / scale <= kLongest / 2) scale /= 2;
  return scale;
}

/// A number with as few digits as it can have within a tolerance.
double shortest_within(double value, double tolerance) {
  constexpr int kMostDigits = 17;
  char digits[64];
  for (int precision = 0; precision < kMostDigits; ++precision) {
    const auto end = std::to_chars(digits, digits + sizeof digits, value,
                                   std::chars_format::scientific, precision)
                         .ptr;
    double rounded = 0;
    std::from_chars(digits, end, rounded);
    if (std::abs(rounded - value) <= tolerance) return rounded;
  }
  return value;
}

/// Rounds the branch lengths of a tree to the precision that its distances have in single
/// precision; `longest` is the longest distance.
GuideTree with_short_lengths(const GuideTree& tree, double longest) {
  constexpr double kPart = 1.0 / (1 << 22);
  GuideTree shortened = with_branch_lengths(tree);
  for (double& length : shortened.length) length = shortest_within(length, kPart * longest);
  return shortened;
}

/// Builds the neighbour-joining tree of distances of any size: scales the distances to the range of
/// the fixed-point numbers.
GuideTree joined(const DistanceMatrix& distances, Scheduler& scheduler) {
  const double scale = scale_for_joining(longest_of(distances));
  DistanceMatrix scaled(distances.size());
  for (std::size_t y = 1; y < distances.size(); ++y) {
    for (std::size_t x = 0; x < y; ++x) {
      scaled.set(x, y, static_cast<float>(distances.at(x, y) / scale));
    }
  }
  GuideTree tree = request_neighbor_joining(scaled, scheduler);
  for (double& length : tree.length) length *= scale;
  return tree;
}

}  // namespace

GuideTree guide_tree(const SequenceSet& set, const AlignSettings& settings,
                     const RunContext& context) {
  check_memory(set, settings, whole_family(set), thread_count(), context.memory_budget,
               FamilyOutput::tree);
  expect_stages({{"posteriors", 1, true}}, context);
  return context.devices.compute([&](Scheduler& scheduler) {
    const DistanceMatrix distances =
        compute_distances(set, settings, scheduler, context.listener.progress);
    return build_tree(set, distances, settings, scheduler);
  });
}

GuideTree tree_by_average_linkage(const DistanceMatrix& distances) {
  return with_short_lengths(upgma(distances), longest_of(distances));
}

GuideTree tree_by_neighbor_joining(const DistanceMatrix& distances, const RunContext& context) {
  const GuideTree tree =
      context.devices.compute([&](Scheduler& scheduler) { return joined(distances, scheduler); });
  return with_short_lengths(tree, longest_of(distances));
}

}  // namespace accord::run
