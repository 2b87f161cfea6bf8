// SPDX-License-Identifier: Apache-2.0
#include "phylogeny/likelihood/likelihood_call.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "accord/base/error.hpp"
#include "base/portable_math.hpp"
#include "engine/backend.hpp"
#include "likelihood/peel.h"

namespace accord {
namespace {

constexpr double kLogOfTwo = 0x1.62e42fefa39efp-1;
/// Below this a power of e is 0, for all that a likelihood has to do with it.
constexpr double kLeastExponent = -690;

/// Whether there is a normal number of this power of two.
bool is_exponent(int power) { return power > -1023 && power < 1024; }

double power_of_two(int power) {
  return std::bit_cast<double>(static_cast<std::uint64_t>(power + 1023) << 52);
}

}  // namespace

std::size_t SitePatterns::stride() const {
  return (count() + ACCORD_PATTERN_BLOCK - 1) / ACCORD_PATTERN_BLOCK * ACCORD_PATTERN_BLOCK;
}

std::uint64_t SitePatterns::common_states(std::size_t pattern) const {
  std::uint64_t common = ~std::uint64_t{0};
  for (std::size_t tip = 0; tip < tips; ++tip) common &= symbols[code(tip, pattern)];
  return common;
}

void check(const LikelihoodTask& task) {
  const auto& [patterns, process, tree, lengths, derivatives, precision] = task;
  const std::size_t states = process.states;
  const bool fits =
      patterns.states == states && states >= 2 && states <= 64 && patterns.tips == tree.leaves &&
      tree.leaves >= 2 && patterns.codes.size() == patterns.tips * patterns.stride() &&
      !patterns.symbols.empty() && patterns.symbols.size() <= 256 &&
      lengths.size() == tree.nodes() && process.rates.size() == process.weights.size() &&
      !process.rates.empty() && process.frequencies.size() == states &&
      process.eigenvalues.size() == states && process.right.size() == states * states &&
      process.left.size() == states * states;
  if (!fits) throw Error(ErrorKind::internal, "a likelihood task whose parts do not fit");
}

double work_of(const LikelihoodTask& task) {
  const double states = task.process.states, nodes = task.tree.nodes();
  const double categories = static_cast<double>(task.process.rates.size());
  const double patterns = static_cast<double>(task.patterns.stride());
  return nodes * categories * states * states * (patterns + states) * (task.derivatives ? 4 : 1);
}

double rounding_bound(const LikelihoodTask& task) {
  // A matrix and the sum over its states for each branch, a product for each join; the frequencies.
  const double roundings = double(task.tree.nodes()) * (task.process.states + 2);
  return roundings * (task.precision == Precision::float32 ? 0x1p-24 : 0x1p-53);
}

std::vector<Likelihood> likelihoods(Backend& backend, std::span<const LikelihoodTask> tasks) {
  std::vector<Likelihood> results(tasks.size());
  backend.compute(LikelihoodCall{tasks, results});
  return results;
}

ScaledValue combine_categories(const LikelihoodTask& task, std::size_t pattern,
                               const CategoryLikelihoods& found, std::span<double> share) {
  const SubstitutionProcess& process = task.process;
  double invariant = 0;
  if (process.invariant > 0) {
    const std::uint64_t common_states = task.patterns.common_states(pattern);
    for (std::uint32_t s = 0; s < process.states; ++s) {
      if (common_states >> s & 1) invariant += process.frequencies[s];
    }
    invariant *= process.invariant;
  }
  // With invariant sites the sum is of the order of 1, and values far below do not matter.
  int scale = invariant > 0 ? 0 : std::numeric_limits<int>::min();
  for (std::size_t r = 0; invariant <= 0 && r < share.size(); ++r) {
    if (found.value[r] > 0) scale = std::max(scale, found.exponent[r]);
  }
  std::fill(share.begin(), share.end(), 0.0);
  if (scale == std::numeric_limits<int>::min()) return {};
  double sum = invariant;
  for (std::size_t r = 0; r < share.size(); ++r) {
    if (found.value[r] <= 0) continue;
    const int shift = found.exponent[r] - scale;
    share[r] = is_exponent(shift) ? process.weights[r] * power_of_two(shift)
                                  : std::ldexp(process.weights[r], shift);
    sum += share[r] * found.value[r];
  }
  for (std::size_t r = 0; task.derivatives && r < share.size(); ++r) {
    share[r] = share[r] * task.patterns.weights[pattern] / sum;
  }
  return {sum, scale};
}

void take_logs(std::span<double> values, std::span<const std::int32_t> exponents) {
  std::vector<double> logs(values.begin(), values.end());
  for (double& value : logs) value = value > 0 ? value : 1;
  portable_logs(logs);
  for (std::size_t c = 0; c < values.size(); ++c) {
    values[c] = values[c] > 0 ? logs[c] + exponents[c] * kLogOfTwo
                              : -std::numeric_limits<double>::infinity();
  }
}

double weighted_sum(std::span<const double> weights, std::span<const double> sites) {
  double sum = 0;
  for (std::size_t c = 0; c < sites.size(); ++c) sum += weights[c] * sites[c];
  return sum;
}

void branch_factors(const SubstitutionProcess& process, double length, std::span<double> factors) {
  const std::size_t states = process.states, size = process.rates.size() * states;
  const std::span<double> values = factors.first(size), slopes = factors.subspan(size, size);
  for (std::size_t k = 0; k < size; ++k) {
    slopes[k] = process.eigenvalues[k % states] * process.rates[k / states];
    values[k] = std::max(slopes[k] * length, kLeastExponent);
  }
  portable_exps(values);
  for (std::size_t k = 0; k < size; ++k) {
    if (slopes[k] * length < kLeastExponent) values[k] = 0;
    slopes[k] *= values[k];
  }
}

}  // namespace accord
