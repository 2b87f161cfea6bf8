// SPDX-License-Identifier: Apache-2.0
#include "phylogeny/ml_tree.hpp"

#include <algorithm>
#include <utility>

#include "accord/base/error.hpp"
#include "base/log.hpp"
#include "base/text.hpp"
#include "phylogeny/ascertainment.hpp"
#include "phylogeny/ml_distances.hpp"
#include "phylogeny/model_choice.hpp"
#include "stages/neighbor_joining/neighbor_joining_request.hpp"

namespace accord {
namespace {

constexpr std::size_t kAutoLength = 4;  // of the word "auto"

const char* default_model(ResidueType type) {
  return type == ResidueType::protein ? "LG+G4" : "GTR+G4";
}

/// The model of that name, which must fit the residues.
ModelSpec model_for(const std::string& name, ResidueType type, const std::string& label) {
  std::string full = name;
  // A choice begins with the usual model, +ASC as the name says.
  if (name.empty() || asks_for_choice(name)) {
    full = default_model(type) + name.substr(std::min(name.size(), kAutoLength));
  }
  ModelSpec model = parse_model(full);
  if ((type == ResidueType::protein) == (model.states == StateKind::amino_acid)) return model;
  throw Error(ErrorKind::bad_input,
              label + ": model " + model.text + " is for " +
                  std::string(residues_of(model.states)) + ", but the residues are " +
                  std::string(to_string(type)),
              std::string("use a model such as ") + default_model(type) +
                  ", or say what the residues are with {type}");
}

}  // namespace

TreeWithModel LikelihoodInput::with(GuideTree tree) const {
  std::vector<double> lengths(tree.length.begin(), tree.length.end());
  return {std::move(tree), std::move(lengths), model, values, frequencies};
}

LikelihoodInput likelihood_input(const std::vector<SequenceRecord>& rows,
                                 const std::vector<std::size_t>& row_of, ResidueType type,
                                 const std::string& model, const std::string& label,
                                 std::optional<int> code) {
  if (rows.size() < 2) {
    throw Error(ErrorKind::bad_input, label + ": a likelihood needs at least two sequences",
                "add more sequences to the alignment");
  }
  if (rows.front().letters.empty()) {
    throw Error(ErrorKind::bad_input, label + ": the alignment has no columns",
                "its rows are empty; name an alignment");
  }
  LikelihoodInput input;
  input.model = model_for(model, type, label);
  if (code) {
    if (input.model.states != StateKind::codon) {
      throw Error(ErrorKind::usage,
                  "a genetic code, but model " + input.model.text + " has no codons",
                  "use {model=GY94}, or leave out {code}");
    }
    input.model.code = *code;
  }
  input.found = find_patterns(rows, row_of, type, input.model.states, label, input.model.code);
  if (input.model.is_ascertained) add_unobserved(input.found, label);
  input.values = input.model.values();
  input.frequencies = frequencies_of(input.model, input.found.patterns);
  return input;
}

void set_model(LikelihoodInput& input, const std::string& model) {
  input.model = parse_model(model);
  input.values = input.model.values();
  input.frequencies = frequencies_of(input.model, input.found.patterns);
}

TreeWithModel neighbor_joining_tree(const LikelihoodInput& input, Scheduler& scheduler) {
  SubstitutionProcess process = make_process(input.model, input.values, input.frequencies);
  process.rates = process.weights = {1};
  process.invariant = 0;
  return input.with(
      request_neighbor_joining(ml_distances(input.found.patterns, process), scheduler));
}

FitResult ml_tree(const LikelihoodInput& input, FitTarget target, std::uint32_t regraft_radius,
                  Scheduler& scheduler, SearchLog& log) {
  const SitePatterns& patterns = input.found.patterns;
  std::vector<TreeWithModel> starts;
  log.begin("first tree");
  FitResult first =
      fit(neighbor_joining_tree(input, scheduler), patterns, target, scheduler, kCoarseGain);
  log.step(first.fitted.model.text, first.likelihood.total);
  starts.push_back(std::move(first.fitted));
  const GuideTree other =
      request_neighbor_joining(ml_distances(patterns, starts.front().process()), scheduler);
  if (other.left != starts.front().tree.left || other.right != starts.front().tree.right) {
    TreeWithModel second = starts.front();
    second.tree = other;
    second.lengths.assign(other.length.begin(), other.length.end());
    starts.push_back(std::move(second));
  }
  FitResult found =
      improve_topology(starts, patterns, target, regraft_radius, scheduler, listeners_of(log));
  log.step(found.fitted.model.text, found.likelihood.total);
  return found;
}

TopologyListeners listeners_of(SearchLog& log) {
  return {[&log](const char* stage) { log.begin(stage); },
          [&log](const TreeWithModel& tree, double total) { log.step(tree.model.text, total); }};
}

void SearchLog::begin(const std::string& stage, const std::string& unit, std::uint64_t items) {
  stage_ = stage;
  steps_ = 0;
  timer_ = Timer();
  if (progress_ != nullptr) progress_->begin(stage, unit, items, items);
}

void SearchLog::step(const std::string& model, double total) {
  if (progress_ != nullptr) progress_->advance(1, 1);
  log_verbose(formatted("%-12s %9.3f s  step %llu, %s, log likelihood %.4f", stage_.c_str(),
                        timer_.seconds(), static_cast<unsigned long long>(++steps_), model.c_str(),
                        total));
  timer_ = Timer();
}

}  // namespace accord
