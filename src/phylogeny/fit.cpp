// SPDX-License-Identifier: Apache-2.0
#include "phylogeny/fit.hpp"

#include <nlopt.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <limits>
#include <memory>

#include "accord/base/error.hpp"
#include "stages/likelihood/request.hpp"
#include "stages/local_fit/request.hpp"

namespace accord {
namespace {

constexpr int kMostEvaluations = 2000;

/// Sweeps through single branches before the quasi-Newton method, which is better in the end, where
/// lengths and parameters depend on each other. They come close to the top from anywhere, and get
/// branches going that it has made as short as may be: the slope by the root of a length is then
/// next to nothing. For results both are repeated while that raises the logarithm by so much.
constexpr int kSweepsBefore = 3;
constexpr double kWorthRepeating = 1e-4;

/// Sweeps hold partial likelihoods of the whole tree; where these are more there are none.
constexpr double kMostSweepBytes = double{1 << 30} * 2;

/// Step of the logarithm of a parameter for its slope, which is a difference of two likelihoods.
constexpr double kParameterStep = 1e-4;

/// Parameters are at least this when fitted, so that they have logarithms.
constexpr double kLeastParameter = 1e-8;

/// The numbers that are fitted, as the optimiser sees them: roots of branch lengths, then
/// logarithms of parameters. The two branches at the root are one.
class FitVariables {
 public:
  FitVariables(const TreeWithModel& start, FitTarget target) : root_(start.tree.nodes() - 1) {
    left_ = start.tree.left.back();
    right_ = start.tree.right.back();
    for (std::uint32_t node = 0; node < root_; ++node) {
      if (node != right_) branches_.push_back(node);
    }
    const double at_root = start.lengths[left_] + start.lengths[right_];
    left_share_ = at_root > 0 ? start.lengths[left_] / at_root : 0.5;
    for (std::size_t k = 0; target == FitTarget::all && k < start.values.size(); ++k) {
      if (!start.model.parameters[k].is_given) parameters_.push_back(k);
    }
  }

  std::size_t size() const { return branches_.size() + parameters_.size(); }
  const std::vector<std::size_t>& parameters() const { return parameters_; }

  std::vector<double> of(const TreeWithModel& state) const {
    std::vector<double> x;
    for (const std::uint32_t node : branches_) {
      const double length = state.lengths[node] + (node == left_ ? state.lengths[right_] : 0);
      x.push_back(std::sqrt(std::clamp(length, kShortestBranch, kLongestBranch)));
    }
    for (const std::size_t k : parameters_) {
      const ModelParameter& range = state.model.parameters[k];
      x.push_back(std::log(std::clamp(state.values[k], least(range), range.most)));
    }
    return x;
  }

  void put(std::span<const double> x, TreeWithModel& state) const {
    for (std::size_t k = 0; k < branches_.size(); ++k) {
      const double length = x[k] * x[k];
      if (branches_[k] == left_) {
        state.lengths[left_] = left_share_ * length;
        state.lengths[right_] = (1 - left_share_) * length;
      } else {
        state.lengths[branches_[k]] = length;
      }
    }
    for (std::size_t k = 0; k < parameters_.size(); ++k) {
      state.values[parameters_[k]] = std::exp(x[branches_.size() + k]);
    }
  }

  void bounds(const TreeWithModel& state, std::vector<double>& low,
              std::vector<double>& high) const {
    low.assign(branches_.size(), std::sqrt(kShortestBranch));
    high.assign(branches_.size(), std::sqrt(kLongestBranch));
    for (const std::size_t k : parameters_) {
      low.push_back(std::log(least(state.model.parameters[k])));
      high.push_back(std::log(state.model.parameters[k].most));
    }
  }

  /// The slopes by the roots of lengths, of those by lengths.
  void put_slopes(const std::vector<double>& slope, std::span<const double> x,
                  std::span<double> out) const {
    for (std::size_t k = 0; k < branches_.size(); ++k) {
      const double by_length = branches_[k] == left_
                                   ? left_share_ * slope[left_] + (1 - left_share_) * slope[right_]
                                   : slope[branches_[k]];
      out[k] = 2 * x[k] * by_length;
    }
  }
  std::size_t first_parameter() const { return branches_.size(); }

 private:
  static double least(const ModelParameter& parameter) {
    return std::max(parameter.least, kLeastParameter);
  }

  std::uint32_t root_, left_ = 0, right_ = 0;
  double left_share_ = 0.5;
  std::vector<std::uint32_t> branches_;
  std::vector<std::size_t> parameters_;
};

/// What the optimiser asks for.
class FitProblem {
 public:
  FitProblem(const TreeWithModel& start, const SitePatterns& patterns,
             const FitVariables& variables, Scheduler& scheduler, Precision precision)
      : state_(start),
        patterns_(patterns),
        variables_(variables),
        scheduler_(scheduler),
        precision_(precision) {}

  /// The logarithm of the likelihood at x, and its slopes: those by parameters are central
  /// differences, computed along with it.
  double evaluate(std::span<const double> x, std::span<double> slopes) {
    const std::size_t parameters = slopes.empty() ? 0 : variables_.parameters().size();
    std::vector<SubstitutionProcess> processes;
    variables_.put(x, state_);
    processes.push_back(state_.process());
    std::vector<double> moved(x.begin(), x.end());
    for (std::size_t k = 0; k < parameters; ++k) {
      double& at = moved[variables_.first_parameter() + k];
      for (const double step : {kParameterStep, -kParameterStep}) {
        const double kept = at;
        at += step;
        TreeWithModel other = state_;
        variables_.put(moved, other);
        processes.push_back(other.process());
        at = kept;
      }
    }
    std::vector<LikelihoodTask> tasks;
    for (const SubstitutionProcess& process : processes) {
      tasks.push_back({patterns_, process, state_.tree, state_.lengths,
                       tasks.empty() && !slopes.empty(), precision_});
    }
    LikelihoodRequest request(tasks);
    StageRequest* const requests[] = {&request};
    scheduler_.run(requests);
    const std::vector<Likelihood> found = request.result();
    ++evaluations;
    if (found[0].total > best.total || evaluations == 1) {
      best = found[0];
      best_at.assign(x.begin(), x.end());
    }
    if (!slopes.empty()) variables_.put_slopes(found[0].slope, x, slopes);
    for (std::size_t k = 0; k < parameters; ++k) {
      slopes[variables_.first_parameter() + k] =
          (found[1 + 2 * k].total - found[2 + 2 * k].total) / (2 * kParameterStep);
    }
    return found[0].total;
  }

  Likelihood best;
  std::vector<double> best_at;
  std::size_t evaluations = 0;
  std::exception_ptr error;
  nlopt_opt optimiser = nullptr;

 private:
  TreeWithModel state_;
  const SitePatterns& patterns_;
  const FitVariables& variables_;
  Scheduler& scheduler_;
  Precision precision_;
};

extern "C" double evaluate_for_nlopt(unsigned count, const double* x, double* slopes,
                                     void* problem_pointer) {
  auto& problem = *static_cast<FitProblem*>(problem_pointer);
  try {
    return problem.evaluate({x, count}, {slopes, slopes ? count : 0});
  } catch (...) {  // an exception may not pass through C
    problem.error = std::current_exception();
    nlopt_force_stop(problem.optimiser);
    return -HUGE_VAL;
  }
}

void maximise(FitProblem& problem, const std::vector<double>& start, const std::vector<double>& low,
              const std::vector<double>& high, double least_gain) {
  const auto count = static_cast<unsigned>(start.size());
  const std::unique_ptr<nlopt_opt_s, decltype(&nlopt_destroy)> optimiser(
      nlopt_create(NLOPT_LD_LBFGS, count), nlopt_destroy);
  if (!optimiser) throw Error(ErrorKind::internal, "NLopt has no LD_LBFGS");
  problem.optimiser = optimiser.get();
  nlopt_set_max_objective(optimiser.get(), evaluate_for_nlopt, &problem);
  nlopt_set_lower_bounds(optimiser.get(), low.data());
  nlopt_set_upper_bounds(optimiser.get(), high.data());
  nlopt_set_ftol_abs(optimiser.get(), least_gain);
  nlopt_set_maxeval(optimiser.get(), kMostEvaluations);
  std::vector<double> x = start;
  double value = 0;
  // What it returns does not matter: it is a failure as well if rounding leaves no better point,
  // and the best point is kept in any case.
  nlopt_optimize(optimiser.get(), x.data(), &value);
  if (problem.error) std::rethrow_exception(problem.error);
}

}  // namespace

double fitting_work(const SitePatterns& patterns, const ModelSpec& model) {
  constexpr double kEvaluations = 100, kMultiplicationsOfCell = 50, kSteps = 4;
  const double states = patterns.states, nodes = 2.0 * patterns.tips;
  return kEvaluations * kSteps / kMultiplicationsOfCell * nodes * states * states *
         model.categories * static_cast<double>(patterns.stride());
}

LocalFit fit_locally(const TreeWithModel& state, const SitePatterns& patterns, int sweeps,
                     bool tries_interchanges, Scheduler& scheduler) {
  const SubstitutionProcess process = state.process();
  const LocalFitTask task{patterns,        process,        state.tree, state.lengths,
                          kShortestBranch, kLongestBranch, sweeps,     tries_interchanges};
  LocalFitRequest request({&task, 1});
  StageRequest* const requests[] = {&request};
  scheduler.run(requests);
  return std::move(request.result().front());
}

FitResult fit(const TreeWithModel& given, const SitePatterns& patterns, FitTarget target,
              Scheduler& scheduler, double least_gain, Precision precision) {
  FitResult result{given, {}, 1};
  if (target == FitTarget::none) {
    const SubstitutionProcess process = given.process();
    const LikelihoodTask task{patterns, process, given.tree, given.lengths, false, precision};
    LikelihoodRequest request({&task, 1});
    StageRequest* const requests[] = {&request};
    scheduler.run(requests);
    result.likelihood = std::move(request.result().front());
    return result;
  }
  const bool sweeps = given.tree.leaves >= 4 &&
                      local_fit_bytes(patterns, given.model.categories, 0) <= kMostSweepBytes;
  const FitVariables variables(given, target);
  FitProblem problem(given, patterns, variables, scheduler, precision);
  std::vector<double> low, high;
  variables.bounds(given, low, high);
  for (double before = -HUGE_VAL;;) {
    if (sweeps) {
      result.fitted.lengths =
          fit_locally(result.fitted, patterns, kSweepsBefore, false, scheduler).lengths;
    }
    maximise(problem, variables.of(result.fitted), low, high, least_gain);
    variables.put(problem.best_at, result.fitted);
    const double gain = problem.best.total - before;
    before = problem.best.total;
    if (!sweeps || least_gain > kFineGain || gain < kWorthRepeating) break;
  }
  result.likelihood = problem.best;
  result.evaluations = problem.evaluations;
  return result;
}

}  // namespace accord
