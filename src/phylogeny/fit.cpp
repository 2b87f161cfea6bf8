// SPDX-License-Identifier: Apache-2.0
#include "phylogeny/fit.hpp"

#include <nlopt.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "accord/base/error.hpp"
#include "base/parallel.hpp"
#include "phylogeny/ascertainment.hpp"
#include "phylogeny/fit_variables.hpp"

namespace accord {
namespace {

constexpr int kMostEvaluations = 2000;

/// Sweeps through single branches before the quasi-Newton method, which is better in the end, where
/// lengths and parameters depend on each other. They come close to the top from anywhere, and get
/// branches going that it has made as short as may be: the slope by the root of a length is then
/// next to nothing. The fit of a result repeats both while a round raises the logarithm by more
/// than kWorthRepeating.
constexpr int kSweepsBefore = 3;
constexpr double kWorthRepeating = 1e-4;

/// Sweeps hold partial likelihoods of the whole tree; where these are more there are none.
constexpr double kMostSweepBytes = double{1 << 30} * 2;

/// Step of the logarithm of a parameter for its slope, which is a difference of two likelihoods.
constexpr double kParameterStep = 1e-4;

/// The values and slopes that the optimiser asks for.
class FitProblem {
 public:
  FitProblem(const TreeWithModel& start, const SitePatterns& patterns,
             const FitVariables& variables, Scheduler& scheduler, Precision precision)
      : state_(start),
        patterns_(patterns),
        variables_(variables),
        scheduler_(scheduler),
        precision_(precision) {
    if (patterns.unobserved > 0) expected_ = patterns;
  }

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
    const SitePatterns& patterns = expected_ ? *expected_ : patterns_;
    if (expected_) {
      expect_unobserved(*expected_, processes.front(), state_.tree, state_.lengths, scheduler_);
    }
    std::vector<LikelihoodTask> tasks;
    for (const SubstitutionProcess& process : processes) {
      tasks.push_back({patterns, process, state_.tree, state_.lengths,
                       tasks.empty() && !slopes.empty(), precision_});
    }
    LikelihoodRequest request(tasks);
    StageRequest* const requests[] = {&request};
    scheduler_.run(requests);
    std::vector<Likelihood> found = request.result();
    for (Likelihood& each : found) condition_on_variation(patterns_, each);
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
  std::optional<SitePatterns> expected_;  ///< with the sites that do not vary, if there are none
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
  // The result code does not matter: it is a failure also if rounding leaves no better point,
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
          fit_locally(result.fitted, patterns, kSweepsBefore, {}, scheduler).lengths;
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

/// Other starts for a fit, made from what a first fit has found. There are some only if both the
/// shape of rates and the share of invariant sites are fitted: one parameter can stand for the
/// other, so that the likelihood has several peaks. The first starts are close to the models with
/// one of the two parameters, so that the result is not less likely than these models.
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

/// The model with rates of a gamma distribution in place of free ones.
TreeWithModel with_gamma_rates(TreeWithModel state) {
  std::vector<ModelParameter>& parameters = state.model.parameters;
  const auto others = 2 * (static_cast<std::ptrdiff_t>(state.model.categories) - 1);
  const auto first = parameters.end() - (state.model.has_invariant ? 1 : 0) - others;
  parameters.insert(parameters.erase(first, first + others), gamma_shape());
  state.model.has_free_rates = false;
  state.values = state.model.values();
  return state;
}

/// Free rates that were not fitted yet, set to those of a gamma distribution that is fitted to the
/// patterns; lengths and other parameters fitted along with it.
TreeWithModel first_free_rates(const TreeWithModel& given, const SitePatterns& patterns,
                               Scheduler& scheduler) {
  const std::vector<double> start = given.model.values();
  if (!given.model.has_free_rates || !free_parameter(given, "rate") || given.values != start) {
    return given;
  }
  const FitResult smooth = climb(with_gamma_rates(given), patterns, FitTarget::all, scheduler,
                                 kCoarseGain, Precision::float64);
  TreeWithModel found = smooth.fitted;
  found.model = given.model;
  const std::size_t others = given.model.categories - 1;
  const auto shape = found.values.end() - (given.model.has_invariant ? 2 : 1);
  const std::vector<double> rates = gamma_rates(*shape, given.model.categories);
  std::vector<double> parameters(others, 1.0);
  for (std::size_t k = 0; k < others; ++k) parameters.push_back(rates[k] / rates.back());
  found.values.insert(found.values.erase(shape), parameters.begin(), parameters.end());
  return found;
}

}  // namespace

double fitting_work(const SitePatterns& patterns, const ModelSpec& model) {
  constexpr double kEvaluations = 100, kMultiplicationsOfCell = 50, kSteps = 4;
  const double states = patterns.states, nodes = 2.0 * patterns.tips;
  return kEvaluations * kSteps / kMultiplicationsOfCell * nodes * states * states *
         model.categories * static_cast<double>(patterns.stride());
}

LocalFit fit_locally(const TreeWithModel& state, const SitePatterns& patterns, int sweeps,
                     const LocalWishes& wanted, Scheduler& scheduler) {
  const SubstitutionProcess process = state.process();
  std::optional<SitePatterns> expected;
  if (patterns.unobserved > 0) {
    expected = patterns;
    expect_unobserved(*expected, process, state.tree, state.lengths, scheduler);
  }
  const LocalFitTask task{expected ? *expected : patterns,
                          process,
                          state.tree,
                          state.lengths,
                          kShortestBranch,
                          kLongestBranch,
                          sweeps,
                          wanted.interchanges,
                          wanted.regraft_radius,
                          patterns.unobserved > 0 || wanted.sites,
                          wanted.is_tried};
  scheduler.check();
  const CpuBudget::Lease cpus(scheduler.cpus(), thread_count());
  LocalFit found = fit_locally(task);
  if (patterns.unobserved == 0) return found;
  found.total = condition_on_variation(patterns, found.sites);
  for (FittedInterchange& interchange : found.interchanges) {
    interchange.total = condition_on_variation(patterns, interchange.sites);
  }
  return found;
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
    condition_on_variation(patterns, result.likelihood);
    return result;
  }
  const TreeWithModel start =
      target == FitTarget::all ? first_free_rates(given, patterns, scheduler) : given;
  FitResult best = climb(start, patterns, target, scheduler, least_gain, precision);
  if (target != FitTarget::all || least_gain > kFineGain) return best;
  // One that is as good but for a coarse gain may lead higher when it is fitted finely.
  for (const TreeWithModel& other : other_starts(best.fitted, patterns)) {
    FitResult found = climb_in_steps(other, patterns, scheduler);
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
