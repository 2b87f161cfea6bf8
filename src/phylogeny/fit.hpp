// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/guide_tree.hpp"
#include "engine/scheduler.hpp"
#include "phylogeny/likelihood/likelihood_call.hpp"
#include "phylogeny/local_fit/local_fit.hpp"
#include "phylogeny/model.hpp"

namespace accord {

/// The range of fitted branch lengths, in substitutions per site.
constexpr double kShortestBranch = 1e-6, kLongestBranch = 10;

/// Values of `least_gain` for fit(): kFineGain for results, kCoarseGain for trees that will be
/// changed.
constexpr double kFineGain = 1e-5, kCoarseGain = 0.05;

/// The values that a fit changes to raise the likelihood: none, the branch lengths, or the lengths
/// and the parameters of the model that were not given.
enum class FitTarget { none, lengths, all };

/// A tree with branch lengths, and a model with the values of its parameters.
struct TreeWithModel {
  GuideTree tree;               ///< the shape; its own lengths are not used
  std::vector<double> lengths;  ///< branch above each node; 0 for the root
  ModelSpec model;
  std::vector<double> values;       ///< of the model's parameters
  std::vector<double> frequencies;  ///< of its states

  SubstitutionProcess process() const { return make_process(model, values, frequencies); }
};

/// The result of a fit.
struct FitResult {
  TreeWithModel fitted;
  Likelihood likelihood;
  std::size_t evaluations = 0;  ///< times that a likelihood was computed with all its slopes
};

/// The steps of a local fit besides fitting lengths (see LocalFitTask).
struct LocalWishes {
  bool interchanges = false;         ///< tries nearest-neighbour interchanges
  std::uint32_t regraft_radius = 0;  ///< in branches; 0: no regrafts are tried
  bool sites = false;                ///< returns the logarithm of the likelihood of each pattern
  std::span<const std::uint8_t> is_tried = {};  ///< [node]: tries changes there; empty: everywhere
};

/// Fits each branch in turn, `sweeps` times. Then tries the changes of the shape in `wanted`, and
/// returns the gain of each; the shape of the tree stays. If some patterns are unobserved (sites
/// that do not vary), computes the expected number of their columns from `state`, and fits the
/// lengths as if the alignment had these columns. This is a step of expectation maximisation, which
/// raises the conditional likelihood, too.
/// Throws  Error{internal} for fewer than four leaves; Error{out_of_memory}; what the scheduler
///         throws.
LocalFit fit_locally(const TreeWithModel& state, const SitePatterns& patterns, int sweeps,
                     const LocalWishes& wanted, Scheduler& scheduler);

/// Fits the values that `target` names to the patterns, from the values of `given` on; the shape of
/// the tree stays. Fitting ends when a step raises the logarithm of the likelihood by less than
/// `least_gain`.
///
/// After a few sweeps through single branches (fit_locally), each step changes all values at the
/// same time, along the slopes that the likelihood stage computes: a quasi-Newton method of limited
/// memory with bounds (NLopt's LD_LBFGS). Its variables are the roots of lengths and the logarithms
/// of parameters, in which the likelihood is about equally curved. The position of the root on its
/// branch stays, since it does not matter. If a shape of rates and a share of invariant sites are
/// both fitted, the likelihood has several peaks; for results (`least_gain` is kFineGain), the fit
/// then has several starts. Free rates start with the rates of a gamma distribution, which is
/// fitted first. In single precision, fitting ends where rounding hides the gain of a step. That is
/// too soon for parameters of the model, since their slopes are differences of two likelihoods.
/// Throws     what the scheduler throws.
/// Reference  Nocedal 1980, Math Comput 35:773.
FitResult fit(const TreeWithModel& given, const SitePatterns& patterns, FitTarget target,
              Scheduler& scheduler, double least_gain = kFineGain,
              Precision precision = Precision::float64);

/// Estimates the work of a fit, in the unit of file_work(): one is about 50 multiplications.
double fitting_work(const SitePatterns& patterns, const ModelSpec& model);

}  // namespace accord
