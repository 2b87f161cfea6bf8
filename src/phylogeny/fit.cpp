// SPDX-License-Identifier: Apache-2.0
#include "phylogeny/fit.hpp"

#include <nlopt.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

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

/// The parameter of a name that is to be fitted; none if there is no such one.
std::optional<std::size_t> free_parameter(const TreeWithModel& state, std::string_view name) {
  for (std::size_t k = 0; k < state.model.parameters.size(); ++k) {
    const ModelParameter& parameter = state.model.parameters[k];
    if (parameter.name == name && !parameter.is_given) return k;
  }
  return std::nullopt;
}

/// The share of sites in which all tips may have the same state, which bounds that of invariant
/// ones.
double constant_share(const SitePatterns& patterns) {
  double constant = 0, all = 0;
  for (std::size_t c = 0; c < patterns.count(); ++c) {
    std::uint64_t common = ~std::uint64_t{0};
    for (std::uint32_t tip = 0; tip < patterns.tips; ++tip) {
      common &= patterns.symbols[patterns.code(tip, c)];
    }
    all += patterns.weights[c];
    if (common != 0) constant += patterns.weights[c];
  }
  return all > 0 ? constant / all : 0;
}

/// Raises the likelihood from one start.
FitResult climb(const TreeWithModel& given, const SitePatterns& patterns, FitTarget target,
                Scheduler& scheduler, double least_gain, Precision precision) {
  FitResult result{given, {}, 1};
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

/// Other starts from what a fit has found, if both the shape of rates and the share of invariant
/// sites are fitted: these two can stand for each other, and the likelihood then has several peaks.
/// The first are next to models with only one of them, so that it is not below those.
std::vector<TreeWithModel> other_starts(const TreeWithModel& fitted, const SitePatterns& patterns) {
  const auto shape = free_parameter(fitted, "alpha"), share = free_parameter(fitted, "invariant");
  if (!shape || !share) return {};
  const ModelParameter& range = fitted.model.parameters[*shape];
  const double constant = std::min(constant_share(patterns), 0.99);
  std::vector<TreeWithModel> starts;
  const auto add = [&](TreeWithModel start) {
    for (const auto& [alpha, invariant] : {std::pair{fitted.values[*shape], kLeastParameter},
                                           {range.most, 0.5 * constant},
                                           {5.0, 0.95 * constant},
                                           {range.least, 0.6 * constant}}) {
      start.values[*shape] = std::clamp(alpha, range.least, range.most);
      start.values[*share] = invariant;
      starts.push_back(start);
    }
  };
  add(fitted);
  if (const auto kappa = free_parameter(fitted, "kappa")) {
    TreeWithModel extreme = fitted;
    extreme.values[*kappa] = fitted.model.parameters[*kappa].most;
    add(std::move(extreme));
  }
  return starts;
}

/// Whether two fits have come to the same peak, though not to the same height of it.
bool is_same_peak(const TreeWithModel& a, const TreeWithModel& b) {
  constexpr double kNear = 0.05;
  for (std::size_t k = 0; k < a.values.size(); ++k) {
    if (std::abs(a.values[k] - b.values[k]) > kNear * (std::abs(a.values[k]) + 0.1)) return false;
  }
  return true;
}

/// Raises the likelihood from another start: first by all but the parameters of exchange, which
/// would leave their place before the others have found theirs.
FitResult climb_in_steps(const TreeWithModel& start, const SitePatterns& patterns,
                         Scheduler& scheduler) {
  TreeWithModel held = start;
  for (ModelParameter& parameter : held.model.parameters) {
    if (parameter.name != "alpha" && parameter.name != "invariant") parameter.is_given = true;
  }
  FitResult first =
      climb(held, patterns, FitTarget::all, scheduler, kCoarseGain, Precision::float64);
  first.fitted.model = start.model;
  FitResult second =
      climb(first.fitted, patterns, FitTarget::all, scheduler, kCoarseGain, Precision::float64);
  second.evaluations += first.evaluations;
  return second;
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
  FitResult best = climb(given, patterns, target, scheduler, least_gain, precision);
  if (target != FitTarget::all || least_gain > kFineGain) return best;
  // One that is as good but for a coarse gain may lead higher when it is fitted finely.
  for (const TreeWithModel& start : other_starts(best.fitted, patterns)) {
    FitResult found = climb_in_steps(start, patterns, scheduler);
    best.evaluations += found.evaluations;
    const double gain = found.likelihood.total - best.likelihood.total;
    if (gain < -kCoarseGain || (gain < 0 && is_same_peak(found.fitted, best.fitted))) continue;
    found = climb(found.fitted, patterns, target, scheduler, least_gain, precision);
    found.evaluations += best.evaluations;
    if (found.likelihood.total > best.likelihood.total + kWorthRepeating) {
      best = std::move(found);
    } else {
      best.evaluations = found.evaluations;
    }
  }
  return best;
}

}  // namespace accord
