// SPDX-License-Identifier: Apache-2.0
#include "method/structures/aligned_fit.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/parallel.hpp"
#include "method/structures/lddt.hpp"
#include "method/structures/superposition.hpp"

namespace accord {
namespace {

constexpr std::size_t kFewestAligned = 3;
constexpr FitRounds kRoundsOfFit{20, 1e-6};
constexpr std::size_t kMostFrames = 40'000;  // ordered pairs for the choice of a reference

/// The cube root of a number in [1, 1e9], by Newton steps.
double cube_root(double value) {
  double root = value > 1000 ? 30 : 3;
  for (int step = 0; step < 24; ++step) root -= (root * root * root - value) / (3 * root * root);
  return root;
}

std::size_t known_residues(const Trace& trace) {
  return static_cast<std::size_t>(
      std::ranges::count_if(trace, [](const auto& ca) { return ca.has_value(); }));
}

/// The aligned pairs of residues with known CAs.
std::vector<PointPair> aligned_points(const SequenceSet& set, const Msa& msa, std::uint32_t x,
                                      std::uint32_t y) {
  const Trace &of_x = set.trace(x), &of_y = set.trace(y);
  const std::vector<std::uint32_t>&columns_x = msa.column_of[x], &columns_y = msa.column_of[y];
  std::vector<PointPair> pairs;
  for (std::size_t i = 0, j = 0; i < columns_x.size() && j < columns_y.size();) {
    if (columns_x[i] == columns_y[j]) {
      if (of_x[i] && of_y[j]) pairs.push_back({*of_x[i], *of_y[j], 1});
      ++i, ++j;
    } else {
      ++(columns_x[i] < columns_y[j] ? i : j);
    }
  }
  return pairs;
}

/// The best superposition of all pairs, from starts of all, of halves and of quarters of them.
PointFit best_of_starts(const std::vector<PointPair>& pairs, double square) {
  PointFit best = repeated_fit(pairs, square, kRoundsOfFit);
  for (const std::size_t parts : {2, 4}) {
    const std::size_t part = std::max<std::size_t>(pairs.size() / parts, kFewestAligned);
    const std::size_t step = std::max<std::size_t>(part / 2, 1);
    for (std::size_t first = 0; first + part <= pairs.size() && part < pairs.size();
         first += step) {
      const RigidMotion start = best_motion(std::span(pairs).subspan(first, part));
      std::vector<PointPair> weighted = pairs;
      for (PointPair& pair : weighted) {
        const double s = 1 / (1 + square_distance(start(pair.moved), pair.fixed) / square);
        pair.weight = s * s + 1e-6;
      }
      const PointFit fit = repeated_fit(std::move(weighted), square, kRoundsOfFit);
      if (fit.sum > best.sum) best = fit;
    }
  }
  return best;
}

}  // namespace

PointFit repeated_fit(std::vector<PointPair> pairs, double square, FitRounds rounds) {
  PointFit best;
  for (int round = 0; round < rounds.most; ++round) {
    const RigidMotion motion = best_motion(pairs);
    double sum = 0;
    for (PointPair& pair : pairs) {
      const double s = 1 / (1 + square_distance(motion(pair.moved), pair.fixed) / square);
      sum += s;
      pair.weight = s * s + 1e-6;
    }
    const double gain = sum - best.sum;
    if (gain > 0) best = {motion, sum};
    if (gain < rounds.least_gain) break;
  }
  return best;
}

double tm_scale(std::size_t length) {
  if (length <= 15) return 0.5;
  return std::max(0.5, 1.24 * cube_root(static_cast<double>(length) - 15) - 1.8);
}

std::optional<AlignedFit> fit_aligned(const SequenceSet& set, const Msa& msa, std::uint32_t x,
                                      std::uint32_t y) {
  const std::vector<PointPair> pairs = aligned_points(set, msa, x, y);
  if (pairs.size() < kFewestAligned) return std::nullopt;
  const std::size_t lengths[] = {known_residues(set.trace(x)), known_residues(set.trace(y))};
  AlignedFit found;
  found.aligned = pairs.size();
  double* const scores[] = {&found.tm_x, &found.tm_y};
  for (const int side : {0, 1}) {
    if (side == 1 && lengths[0] == lengths[1]) {
      found.tm_y = found.tm_x;
      break;
    }
    const double scale = tm_scale(lengths[side]);
    const PointFit fit = best_of_starts(pairs, scale * scale);
    *scores[side] = fit.sum / static_cast<double>(lengths[side]);
    if (lengths[side] == std::min(lengths[0], lengths[1])) {
      found.tm_shorter = *scores[side];
      found.motion = fit.motion;
    }
  }
  double squares = 0;
  for (const PointPair& pair : pairs) {
    squares += square_distance(found.motion(pair.moved), pair.fixed);
  }
  found.rmsd = std::sqrt(squares / static_cast<double>(pairs.size()));
  return found;
}

std::optional<CommonFrame> common_frame(const SequenceSet& set, const Msa& msa) {
  const std::vector<std::uint32_t> members = sequences_with_traces(set);
  if (members.size() < 2) return std::nullopt;
  const auto pairs = structure_pairs(members.size(), kMostFrames);
  std::vector<double> means(members.size(), 0.0);
  parallel_for(members.size(), [&](std::size_t m, int) {
    for (const std::size_t other : pairs[m]) {
      const auto fit = fit_aligned(set, msa, members[m], members[other]);
      if (fit) means[m] += fit->tm_shorter / static_cast<double>(pairs[m].size());
    }
  });
  const std::size_t best =
      static_cast<std::size_t>(std::ranges::max_element(means) - means.begin());
  CommonFrame frame;
  frame.reference = members[best];
  frame.mean = means[best];
  frame.motions.resize(set.size());
  frame.tm_scores.assign(set.size(), 0.0);
  parallel_for(members.size(), [&](std::size_t m, int) {
    const std::uint32_t x = members[m];
    if (x == frame.reference) {
      frame.motions[x] = RigidMotion();
      frame.tm_scores[x] = 1;
    } else if (const auto fit = fit_aligned(set, msa, x, frame.reference)) {
      frame.motions[x] = fit->motion;
      frame.tm_scores[x] = fit->tm_shorter;
    }
  });
  return frame;
}

}  // namespace accord
