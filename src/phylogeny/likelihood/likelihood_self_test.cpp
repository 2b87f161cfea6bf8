// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <cstring>

#include "accord/base/error.hpp"
#include "base/text.hpp"
#include "engine/backend.hpp"
#include "phylogeny/likelihood/likelihood_call.hpp"
#include "phylogeny/likelihood/synthetic_likelihood.hpp"

namespace accord {
namespace {

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

}  // namespace accord
