// SPDX-License-Identifier: Apache-2.0
#include "phylogeny/likelihood_search.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <utility>
#include <vector>

#include "accord/base/error.hpp"
#include "base/log.hpp"
#include "base/text.hpp"
#include "io/families/aligned_reader.hpp"
#include "io/files/text_input.hpp"
#include "io/trees/newick.hpp"

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

/// [row]: a bit for each column, 64 in a word, set if the row has a known residue there.
using Columns = std::vector<std::vector<std::uint64_t>>;

Columns known_columns(const InputAlignment& aligned) {
  const ResidueType type = aligned.set.type();
  std::array<bool, 256> is_known{};
  for (std::size_t c = 0; c < is_known.size(); ++c) {
    const char letter = static_cast<char>(c);
    is_known[c] = is_sequence_letter(letter) &&
                  residues_of_code(type, encode_letter(type, letter)).size() < residue_count(type);
  }
  Columns columns;
  for (const SequenceRecord& row : aligned.rows) {
    std::vector<std::uint64_t>& words = columns.emplace_back(row.letters.size() / 64 + 1);
    for (std::size_t c = 0; c < row.letters.size(); ++c) {
      if (is_known[static_cast<unsigned char>(row.letters[c])]) {
        words[c / 64] |= std::uint64_t{1} << (c % 64);
      }
    }
  }
  return columns;
}

std::string name_of(const InputAlignment& aligned, std::size_t row) {
  return quote(aligned.set.name(aligned.set.from_input(row)));
}

/// Describes the rows that are not kept: "2 rows WHAT: "a", "b"".
std::string describe_left_out(const InputAlignment& aligned, const std::vector<bool>& kept,
                              const std::string& what) {
  constexpr std::size_t kShown = 3;
  std::size_t count = 0;
  std::string names;
  for (std::size_t k = 0; k < kept.size(); ++k) {
    if (kept[k] || ++count > kShown) continue;
    names += (count > 1 ? ", " : "") + name_of(aligned, k);
  }
  return aligned.label + ": " + counted(count, "row") + " " + what + ": " + names +
         (count > kShown ? ", ..." : "");
}

void keep_rows(InputAlignment& aligned, const FamilySource& source, const std::vector<bool>& kept) {
  std::vector<SequenceRecord> rows;
  for (std::size_t k = 0; k < kept.size(); ++k) {
    if (kept[k]) rows.push_back(std::move(aligned.rows[k]));
  }
  FamilySource same = source;
  same.type = aligned.set.type();
  same.shows_names = false;  // the first reading has shown them
  same.adjust_direction = same.suggests_direction = false;
  aligned.rows = std::move(rows);
  aligned.set = make_family(without_gaps(aligned.rows), same, aligned.label);
}

void warn_of_rows_without_overlap(const InputAlignment& aligned, const Columns& columns) {
  std::size_t pairs = 0;
  std::string first;
  for (std::size_t y = 1; y < columns.size(); ++y) {
    for (std::size_t x = 0; x < y; ++x) {
      bool overlap = false;
      for (std::size_t w = 0; !overlap && w < columns[x].size(); ++w) {
        overlap = (columns[x][w] & columns[y][w]) != 0;
      }
      if (overlap || ++pairs > 1) continue;
      first = name_of(aligned, x) + " and " + name_of(aligned, y);
    }
  }
  if (pairs == 0) return;
  log_warning(aligned.label + ": " + counted(pairs, "pair of rows shares", "pairs of rows share") +
                  " no column in which both are known, such as " + first +
                  ": their place in the tree rests on other rows alone",
              "leave one of them out, or add columns that both have");
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

void prune_rows(InputAlignment& aligned, const FamilySource& source, const std::string& tree,
                const std::string& label) {
  const std::vector<bool> has_leaf = sequences_with_leaf(tree, label, aligned.set);
  std::vector<bool> kept(aligned.rows.size());
  for (std::size_t k = 0; k < kept.size(); ++k) kept[k] = has_leaf[aligned.set.from_input(k)];
  if (std::find(kept.begin(), kept.end(), false) == kept.end()) return;
  log_warning(describe_left_out(aligned, kept, "without a leaf in " + label + " left out"),
              "leave out {prune}, and this is an error");
  keep_rows(aligned, source, kept);
}

void check_rows(InputAlignment& aligned, const FamilySource& source, bool prunes) {
  Columns columns = known_columns(aligned);
  std::vector<bool> kept;
  for (const std::vector<std::uint64_t>& row : columns) {
    kept.push_back(std::any_of(row.begin(), row.end(), [](std::uint64_t word) { return word; }));
  }
  if (std::find(kept.begin(), kept.end(), false) != kept.end()) {
    if (!prunes) {
      throw Error(
          ErrorKind::bad_input,
          describe_left_out(aligned, kept, "without a known residue, which fit anywhere in a tree"),
          "{prune} leaves them out");
    }
    log_warning(describe_left_out(aligned, kept, "without a known residue left out"),
                "leave out {prune}, and this is an error");
    keep_rows(aligned, source, kept);
    std::erase_if(columns, [](const std::vector<std::uint64_t>& row) {
      return std::all_of(row.begin(), row.end(), [](std::uint64_t word) { return word == 0; });
    });
  }
  warn_of_rows_without_overlap(aligned, columns);
}

}  // namespace accord
