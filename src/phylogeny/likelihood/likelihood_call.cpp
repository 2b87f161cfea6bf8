// SPDX-License-Identifier: Apache-2.0
#include "phylogeny/likelihood/likelihood_call.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

#include "accord/base/error.hpp"
#include "base/portable_math.hpp"
#include "base/text.hpp"
#include "engine/backend.hpp"
#include "engine/opencl/device_stage.hpp"
#include "likelihood/peel.h"
#include "phylogeny/likelihood/synthetic_likelihood.hpp"

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

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  return a.size() == b.size() &&
         (a.empty() || std::memcmp(a.data(), b.data(), a.size() * sizeof(double)) == 0);
}

/// Whether two backends agree about a task. Floats may differ where a device has no numbers below
/// the normal ones.
bool agree(const Likelihood& expected, const Likelihood& found, const LikelihoodTask& task) {
  if (task.precision == Precision::float64) {
    return expected.total == found.total && same_bits(expected.sites, found.sites) &&
           same_bits(expected.slope, found.slope);
  }
  const double most = 2 * rounding_bound(task);
  return std::equal(expected.sites.begin(), expected.sites.end(), found.sites.begin(),
                    found.sites.end(),
                    [&](double a, double b) { return a == b || std::abs(a - b) <= most; });
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

void LikelihoodRequest::run(Backend& backend, std::uint32_t memory_parts,
                            std::span<const ItemRange> items) {
  std::vector<LikelihoodTask> tasks;
  for (const ItemRange& range : items) {
    const auto& from = static_cast<LikelihoodRequest*>(range.request)->tasks_;
    for (std::size_t k = range.first; k < range.last; ++k) tasks.push_back(from[k]);
  }
  std::vector<Likelihood> found(tasks.size());
  backend.compute(LikelihoodCall{tasks, found}, memory_parts);
  for (std::size_t k = 0; k < tasks.size(); ++k) {
    if (found[k].sites.size() == tasks[k].patterns.count()) continue;
    throw Error(ErrorKind::device_failed, backend.name() + ": left out a likelihood");
  }
  std::size_t next = 0;
  for (const ItemRange& range : items) {
    auto& to = static_cast<LikelihoodRequest*>(range.request)->results_;
    for (std::size_t k = range.first; k < range.last; ++k) to[k] = std::move(found[next++]);
  }
}

std::string LikelihoodCall::self_test(Backend& tested, Backend& reference) {
  std::vector<SyntheticLikelihood> kept;
  for (const std::uint32_t states : {4u, 20u, 61u}) {
    for (const auto& [tips, patterns] : {std::pair{2u, 5u}, {9u, 16u}, {150u, 37u}}) {
      const SyntheticSizes sizes{
          .states = states, .tips = tips, .patterns = patterns, .invariant = 0.125};
      kept.emplace_back(sizes, kept.size());
    }
  }
  std::vector<LikelihoodTask> tasks;
  for (const SyntheticLikelihood& task : kept) {
    tasks.push_back(task.task(true));
    tasks.push_back(task.task(false));
  }
  std::vector<Likelihood> found;
  try {
    found = likelihoods(tested, tasks);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::usage) throw;
    for (LikelihoodTask& task : tasks) task.precision = Precision::float32;
    found = likelihoods(tested, tasks);
  }
  const std::vector<Likelihood> expected = likelihoods(reference, tasks);
  for (std::size_t k = 0; k < tasks.size(); ++k) {
    if (agree(expected[k], found[k], tasks[k])) continue;
    return "wrong likelihood of " + counted(tasks[k].tree.leaves, "sequence") + " and " +
           std::to_string(tasks[k].process.states) + " states";
  }
  return {};
}

// Both are defined in the files of the stage for the host and for devices.
namespace host {
void compute(const Processor& processor, const LikelihoodCall& call);
}
namespace ocl {
StageOnDevice stage_on(const DeviceInfo& device, std::type_identity<LikelihoodCall>);
}

constinit const Stage LikelihoodCall::stage = stage_of<LikelihoodCall>("likelihoods", 3);

}  // namespace accord
