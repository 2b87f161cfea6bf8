// SPDX-License-Identifier: Apache-2.0
#include "phylogeny/likelihood_search.hpp"

#include <cmath>

#include "accord/base/error.hpp"
#include "base/log.hpp"
#include "base/text.hpp"
#include "io/trees/newick.hpp"
#include "phylogeny/rows_with_data.hpp"

namespace accord {
namespace {

[[noreturn]] void refuse(const std::string& text, const std::string& hint) {
  throw Error(ErrorKind::usage, text, hint);
}

/// Refuses a model that has parameters to fit if these cannot be fitted.
void check_parameters(const LikelihoodQuery& query, const ModelSpec& model) {
  for (const ModelParameter& parameter : model.parameters) {
    if (parameter.is_given) continue;
    if (query.is_single) {
      refuse(
          "model " + model.text + ": " + parameter.name + " cannot be fitted in single precision",
          "give all parameters in braces, as in HKY{2.5}+G4{0.5}, or fit them in double");
    }
    if (query.target == FitTarget::all) continue;
    refuse("model " + model.text + ": " + parameter.name + " has no value",
           "give all parameters in braces, as in HKY{2.5}+G4{0.5}, or fit them with {fit=all}");
  }
}

/// The tree of the query, or that of neighbour joining with maximum-likelihood distances.
TreeWithModel first_tree(const LikelihoodQuery& query, const LikelihoodInput& input,
                         const SequenceSet& set, Scheduler& scheduler, NewickNotes& notes) {
  if (!query.newick) return neighbor_joining_tree(input, scheduler);
  const auto read = query.prunes ? parse_newick_pruned : parse_newick;
  return input.with(read(*query.newick, query.tree_label, set,
                         query.target == FitTarget::none ? NewickLengths::all : NewickLengths::any,
                         &notes));
}

/// Gives a tree that was found the notes of the one that was given, and the supports of branches in
/// place of labels.
void set_notes(LikelihoodFound& found, const NewickNotes& notes, const GuideTree& given,
               const std::vector<std::string>& supports) {
  const TreeWithModel& fitted = found.result.fitted;
  found.notes = moved_notes(notes, given, fitted.tree);
  for (std::size_t node = 0; node < found.notes.is_inserted.size(); ++node) {
    // A branch that fitting has made as short as may be is none.
    if (!found.notes.is_inserted[node] || fitted.lengths[node] <= 1.01 * kShortestBranch) continue;
    found.notes.is_inserted[node] = false;
    ++found.resolved;
  }
  if (supports.empty()) return;
  for (std::size_t node = fitted.tree.leaves; node < supports.size(); ++node) {
    found.notes.lost += !found.notes.labels[node].empty();
    found.notes.labels[node] = supports[node];
    // A branch that has support is shown.
    if (!supports[node].empty()) found.notes.is_inserted[node] = false;
  }
}

void check_possible(const FitResult& result, const std::vector<std::uint32_t>& pattern_of) {
  for (std::size_t c = 0; c < pattern_of.size(); ++c) {
    if (std::isfinite(result.likelihood.sites[pattern_of[c]])) continue;
    throw Error(ErrorKind::bad_input,
                "site " + std::to_string(c + 1) + " is impossible on the tree with its lengths",
                "branches of length 0 join sequences that differ; {fit=lengths} finds others");
  }
}

}  // namespace

FitTarget fit_target(const std::string& word, const std::string& what) {
  if (word == "none") return FitTarget::none;
  if (word == "lengths") return FitTarget::lengths;
  if (word == "all") return FitTarget::all;
  refuse(what + " " + word + ": unknown", "use none, lengths or all");
}

void check_query(const LikelihoodQuery& query) {
  if (query.improves_topology && query.target == FitTarget::none) {
    refuse("interchanges change lengths, which are to be kept",
           "leave out {nni}, or use {fit=lengths} or {fit=all}");
  }
  if (query.improves_topology && query.is_single) {
    refuse("interchanges need double precision", "leave out {nni}, or {precision=single}");
  }
  if (query.regraft_radius > 0 && !query.improves_topology) {
    refuse("regrafts come after interchanges", "add {nni}, or leave out {spr}");
  }
  constexpr std::uint32_t kMostRadius = 1000;
  if (query.regraft_radius > kMostRadius) {
    refuse("regrafts over " + std::to_string(query.regraft_radius) + " branches: too many",
           "use {spr=" + std::to_string(kMostRadius) + "} or less");
  }
  if (!query.supports.empty() && query.is_single) {
    refuse("the support of branches needs double precision",
           "leave out {support}, or {precision=single}");
  }
  if (query.chooses_model() && query.target != FitTarget::all) {
    refuse("a model is chosen with all that it has fitted", "leave out {fit}, or name a model");
  }
}

void keep_rows_with_data(InputAlignment& aligned, const LikelihoodQuery& query,
                         const FamilySource& source) {
  if (query.newick && query.prunes) {
    prune_rows(aligned, source, *query.newick, query.tree_label);
  }
  // On a tree that is not changed a row without data changes nothing.
  if (!query.newick || query.target != FitTarget::none) {
    check_rows(aligned, source, query.prunes);
  }
}

LikelihoodInput input_of(const LikelihoodQuery& query, const InputAlignment& aligned) {
  LikelihoodInput input = likelihood_input(aligned.rows, aligned.row_of(), aligned.set.type(),
                                           query.model, aligned.label, query.code);
  check_parameters(query, input.model);
  return input;
}

LikelihoodFound find_likelihood(const LikelihoodQuery& query, LikelihoodInput& input,
                                const SequenceSet& set, Scheduler& scheduler,
                                ProgressListener* progress) {
  SearchLog log(progress);
  const SitePatterns& patterns = input.found.patterns;
  const bool finds_tree = query.improves_topology && !query.newick;
  LikelihoodFound found;
  TreeWithModel start;
  NewickNotes notes;
  if (!finds_tree || query.chooses_model()) {
    start = first_tree(query, input, set, scheduler, notes);
  }
  const GuideTree given = query.newick ? start.tree : GuideTree();
  if (query.chooses_model()) {
    found.models = choose_model(input, start, set.type(), scheduler, log);
    start = input.with(start.tree);
  }
  if (finds_tree) {
    found.result = ml_tree(input, query.target, query.regraft_radius, scheduler, log);
  } else if (query.improves_topology) {
    log.begin("first tree");
    start = fit(start, patterns, query.target, scheduler, kCoarseGain).fitted;
    found.result = improve_topology({&start, 1}, patterns, query.target, query.regraft_radius,
                                    scheduler, listeners_of(log));
  } else {
    log.begin("fit");
    found.result = fit(start, patterns, query.target, scheduler, kFineGain,
                       query.is_single ? Precision::float32 : Precision::float64);
  }
  if (!finds_tree) log.step(found.result.fitted.model.text, found.result.likelihood.total);
  check_possible(found.result, input.found.pattern_of);
  std::vector<std::string> supports;
  if (!query.supports.empty()) {
    log.begin("support");
    supports = support_labels(found.result.fitted, patterns, query.supports, scheduler);
  }
  set_notes(found, notes, given, supports);
  return found;
}

void warn_of_changed_tree(const LikelihoodFound& found, const std::string& label) {
  warn_of_lost(found.notes, label);
  if (found.resolved == 0) return;
  log_warning(label + ": " + counted(found.resolved, "branch is", "branches are") +
              " added where nodes have more than two children: fitting gave " +
              (found.resolved == 1 ? "it" : "them") + " a length");
}

}  // namespace accord
