// SPDX-License-Identifier: Apache-2.0
#include "phylogeny/model_choice.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <numeric>
#include <optional>

#include "phylogeny/summary.hpp"

namespace accord {
namespace {

/// Models that are worse than the best by no more than this, after coarse fits, are fitted finely.
constexpr double kNearBic = 10;

/// Fits models to one alignment, each from the lengths of the best before.
class ModelContest {
 public:
  ModelContest(LikelihoodInput& input, const TreeWithModel& start, Scheduler& scheduler,
               SearchLog& log)
      : input_(input), tree_(start), scheduler_(scheduler), log_(log) {
    const std::vector<double>& weights = input.found.patterns.weights;
    sites_ = std::accumulate(weights.begin(), weights.end(), 0.0);
  }

  /// The BIC of a model after a coarse fit.
  double add(const std::string& name) {
    entries_.push_back(
        {fit(start_of(name), input_.found.patterns, FitTarget::all, scheduler_, kCoarseGain),
         name});
    Entry& added = entries_.back();
    log_.step(name, added.result.likelihood.total);
    if (!best_total_ || added.result.likelihood.total > *best_total_) {
      best_total_ = added.result.likelihood.total;
      tree_.lengths = added.result.fitted.lengths;
    }
    return bic_of(added);
  }

  /// All models by BIC, those near the best fitted finely.
  std::vector<RankedModel> ranked() {
    double best = HUGE_VAL;
    for (const Entry& entry : entries_) best = std::min(best, bic_of(entry));
    log_.begin("near models");
    std::vector<RankedModel> models;
    for (Entry& entry : entries_) {
      if (bic_of(entry) <= best + kNearBic) {
        entry.result = fit(entry.result.fitted, input_.found.patterns, FitTarget::all, scheduler_);
        log_.step(entry.name, entry.result.likelihood.total);
      }
      models.push_back({entry.name, entry.result.likelihood.total,
                        free_parameters(entry.result.fitted), bic_of(entry)});
    }
    std::stable_sort(models.begin(), models.end(),
                     [](const RankedModel& a, const RankedModel& b) { return a.bic < b.bic; });
    return models;
  }

 private:
  struct Entry {
    FitResult result;
    std::string name;
  };

  TreeWithModel start_of(const std::string& name) {
    TreeWithModel state = tree_;
    state.model = parse_model(name);
    state.values = state.model.values();
    state.frequencies = frequencies_of(state.model, input_.found.patterns);
    return state;
  }

  double bic_of(const Entry& entry) const {
    return static_cast<double>(free_parameters(entry.result.fitted)) * std::log(sites_) -
           2 * entry.result.likelihood.total;
  }

  LikelihoodInput& input_;
  TreeWithModel tree_;
  Scheduler& scheduler_;
  SearchLog& log_;
  double sites_;
  std::vector<Entry> entries_;
  std::optional<double> best_total_;
};

/// The names of the models that a choice begins with. The matrices are JC, F81, K80, HKY, TNE, TN,
/// SYM and GTR for nucleotides, and LG, WAG, JTT and DAYHOFF, with and without +F, for proteins.
/// Each matrix is there alone and with +I, +G4 and +I+G4. If `is_ascertained`, each is there with
/// +ASC and +G4+ASC instead.
std::vector<std::string> candidate_models(ResidueType type, bool is_ascertained) {
  std::vector<std::string> matrices = {"JC", "F81", "K80", "HKY", "TNE", "TN", "SYM", "GTR"};
  if (type == ResidueType::protein) {
    matrices = {"LG", "LG+F", "WAG", "WAG+F", "JTT", "JTT+F", "DAYHOFF", "DAYHOFF+F"};
  }
  std::vector<std::string> models;
  for (const std::string& matrix : matrices) {
    for (const char* rates : {"", "+I", "+G4", "+I+G4"}) {
      const std::string name = matrix + rates;
      if (is_ascertained && name.find("+I") != std::string::npos) continue;
      models.push_back(name + (is_ascertained ? "+ASC" : ""));
    }
  }
  return models;
}

}  // namespace

bool asks_for_choice(std::string_view model) {
  std::string upper;
  for (const char c : model)
    upper += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  return upper == "AUTO" || upper == "AUTO+ASC";
}

std::vector<RankedModel> choose_model(LikelihoodInput& input, const TreeWithModel& start,
                                      ResidueType type, Scheduler& scheduler, SearchLog& log) {
  constexpr std::array kFreeRates = {"+R2", "+R3", "+R4"};
  const bool is_ascertained = input.model.is_ascertained;
  const std::vector<std::string> candidates = candidate_models(type, is_ascertained);
  log.begin("models", "models", candidates.size() + kFreeRates.size());
  ModelContest contest(input, start, scheduler, log);
  double best = HUGE_VAL;
  std::string matrix;
  for (const std::string& name : candidates) {
    const double bic = contest.add(name);
    if (!(bic < best)) continue;
    best = bic;
    matrix = name.substr(0, std::min({name.find("+I"), name.find("+G4"), name.find("+ASC")}));
  }
  for (const char* rates : kFreeRates) {
    const double bic = contest.add(matrix + rates + (is_ascertained ? "+ASC" : ""));
    if (!(bic < best) && rates[2] > '2') break;
    best = std::min(best, bic);
  }
  std::vector<RankedModel> models = contest.ranked();
  set_model(input, models.front().name);
  return models;
}

}  // namespace accord
