// SPDX-License-Identifier: Apache-2.0
// The likelihood of an alignment on a tree that is given or found, as `accord likelihood` has it.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "io/input_alignment.hpp"
#include "io/newick_notes.hpp"
#include "phylogeny/fit.hpp"
#include "phylogeny/ml_tree.hpp"
#include "phylogeny/model_choice.hpp"
#include "phylogeny/support.hpp"

namespace accord {

/// A model, a tree and the values to fit, as the user asks for them.
struct LikelihoodQuery {
  std::string model;                  ///< empty or auto: see likelihood_input
  std::optional<int> code;            ///< of codons
  std::optional<std::string> newick;  ///< the tree; not set: that of neighbour joining
  std::string tree_label;             ///< of the tree in messages
  FitTarget target = FitTarget::all;
  bool improves_topology = false;
  std::uint32_t regraft_radius = 0;  ///< 0: interchanges alone
  bool is_single = false;            ///< in single precision
  /// Rows and leaves without each other, and rows without data, are left out.
  bool prunes = false;
  std::vector<SupportKind> supports;

  bool chooses_model() const { return asks_for_choice(model); }
  bool changes_topology() const { return improves_topology || !supports.empty(); }
};

/// "none", "lengths" or "all".
/// Throws  Error{usage} for any other word; `what` is what the user has given it for.
FitTarget fit_target(const std::string& word, const std::string& what);

/// Refuses what does not go together.
/// Throws  Error{usage}
void check_query(const LikelihoodQuery& query);

/// Leaves out the rows of an alignment that the request leaves out, as prune_rows and check_rows.
/// Throws  as these.
void keep_rows_with_data(InputAlignment& aligned, const LikelihoodQuery& query,
                         const FamilySource& source);

/// The alignment and the model.
/// Throws  as likelihood_input; Error{usage} for parameters without a value that cannot be fitted.
LikelihoodInput input_of(const LikelihoodQuery& query, const InputAlignment& aligned);

/// The result of a query.
struct LikelihoodFound {
  FitResult result;
  std::vector<RankedModel> models;  ///< that a choice has fitted, by BIC
  NewickNotes notes;                ///< of the tree: those of the one that was given, and supports
  std::size_t resolved = 0;         ///< joins of nodes of more than two children that are branches
};

/// Warns of what a tree that was given has lost on the way; `label` names it.
void warn_of_lost(const LikelihoodFound& found, const std::string& label);

/// The likelihood. The model of `input` is the one that is chosen, if the request leaves it open.
/// Throws  as parse_newick, fit and choose_model; Error{bad_input} for a site that is impossible.
LikelihoodFound find_likelihood(const LikelihoodQuery& query, LikelihoodInput& input,
                                const SequenceSet& set, Scheduler& scheduler);

}  // namespace accord
