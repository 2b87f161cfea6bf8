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

/// Gains of the logarithm at which fitting ends: for results, and for trees that will be changed.
constexpr double kFineGain = 1e-5, kCoarseGain = 0.05;

/// The values that a fit changes to raise the likelihood.
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

/// What fitting has found.
struct FitResult {
  TreeWithModel fitted;
  Likelihood likelihood;
  std::size_t evaluations = 0;  ///< of a likelihood with all slopes
};

/// What a local fit is asked for beside lengths (see LocalFitTask).
struct LocalWishes {
  bool interchanges = false;
  std::uint32_t regraft_radius = 0;
  bool sites = false;
  std::span<const std::uint8_t> is_tried = {};
};

/// The tree with each branch fitted in turn, `sweeps` times, and what changes of its shape bring
/// then. Of patterns with unobserved ones, lengths are fitted with the columns of these that are
/// expected before, which raises the conditional likelihood, too (a step of expectation
/// maximisation).
LocalFit fit_locally(const TreeWithModel& state, const SitePatterns& patterns, int sweeps,
                     const LocalWishes& wanted, Scheduler& scheduler);

/// Raises the likelihood by branch lengths, and for `all` by those parameters of the model, too,
/// that were not given. After a few sweeps through single branches (fit_locally) all are changed
/// at the same time, along the slopes that the stage finds, by
/// a quasi-Newton method of limited memory with bounds (NLopt's LD_LBFGS), in the roots of lengths
/// and the logarithms of parameters, in which the likelihood is about equally curved. The position
/// of the root on its branch stays, since it does not matter.
/// For results (`least_gain` is kFineGain) of models whose shape of rates and share of invariant
/// sites are both fitted this is done from several starts, since their likelihood has several
/// peaks. Free rates begin with those of a gamma distribution that is fitted before. It ends when a
/// step raises the logarithm by less than `least_gain`. In single precision it ends where rounding
/// hides what a step gains; that is too soon for parameters, whose slopes are differences.
///
/// Reference  Nocedal 1980, Math Comput 35:773.
FitResult fit(const TreeWithModel& given, const SitePatterns& patterns, FitTarget target,
              Scheduler& scheduler, double least_gain = kFineGain,
              Precision precision = Precision::float64);

/// About how much work fitting is, in the unit of file_work (a cell is some 50 multiplications).
double fitting_work(const SitePatterns& patterns, const ModelSpec& model);

}  // namespace accord
