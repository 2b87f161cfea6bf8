// SPDX-License-Identifier: Apache-2.0
// The likelihood of an alignment on a tree that is given or found, as `accord likelihood` has it.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "io/families/input_alignment.hpp"
#include "io/trees/newick_notes.hpp"
#include "phylogeny/fit.hpp"
#include "phylogeny/ml_tree.hpp"
#include "phylogeny/model_choice.hpp"
#include "phylogeny/support.hpp"

namespace accord {

/// A model, a tree and the values to fit, as the user asks for them.
struct LikelihoodQuery {
  std::string model;                  ///< empty or auto: see likelihood_input
  std::optional<int> code;            ///< number of the genetic code, for models of codons
  std::optional<std::string> newick;  ///< the tree; not set: that of neighbour joining
  std::string tree_label;             ///< names the tree in messages
  FitTarget target = FitTarget::all;  ///< the values to fit
  bool improves_topology = false;     ///< changes the shape of the tree by interchanges
  std::uint32_t regraft_radius = 0;   ///< in branches; 0: no regrafts, interchanges alone
  bool is_single = false;             ///< computes in single precision
  /// Leaves out rows without a leaf, leaves without a row, and rows without data.
  bool prunes = false;
  std::vector<SupportKind> supports;  ///< the supports of branches to compute; may be empty

  bool chooses_model() const { return asks_for_choice(model); }
  bool changes_topology() const { return improves_topology || !supports.empty(); }
};

/// "none", "lengths" or "all".
/// Throws  Error{usage} for any other word; `what` names the option in the message.
FitTarget fit_target(const std::string& word, const std::string& what);

/// Refuses options that contradict each other: interchanges with fixed lengths or in single
/// precision, supports in single precision, regrafts without interchanges, and a choice of the
/// model without FitTarget::all.
/// Throws  Error{usage}
void check_query(const LikelihoodQuery& query);

/// Removes from an alignment the rows that the query leaves out, by prune_rows and check_rows.
/// Throws  as these.
void keep_rows_with_data(InputAlignment& aligned, const LikelihoodQuery& query,
                         const FamilySource& source);

/// Makes the input of a search: the patterns of the alignment, and the model of the query.
/// Throws  as likelihood_input; Error{usage} for parameters without a value that cannot be fitted.
LikelihoodInput input_of(const LikelihoodQuery& query, const InputAlignment& aligned);

/// A likelihood, with the tree and the model that it was found for.
struct LikelihoodFound {
  FitResult result;
  std::vector<RankedModel> models;  ///< if the model was chosen: those that were fitted, by BIC
  NewickNotes notes;                ///< the notes of the given tree, with the supports as labels
  std::size_t resolved = 0;  ///< branches added at nodes with more than two children of that tree
};

/// Warns of lost labels and comments of a given tree, and of branches that were added to it
/// (`resolved`); `label` names the tree.
void warn_of_changed_tree(const LikelihoodFound& found, const std::string& label);

/// Finds the likelihood, and fits and changes the tree as the query asks. If the query leaves the
/// model open, chooses a model and sets it in `input`. `progress` may be null; see SearchLog.
/// Throws  as parse_newick, fit and choose_model; Error{bad_input} for a site that is impossible.
LikelihoodFound find_likelihood(const LikelihoodQuery& query, LikelihoodInput& input,
                                const SequenceSet& set, Scheduler& scheduler,
                                ProgressListener* progress = nullptr);

/// Removes from an alignment all rows that have no leaf in a Newick text (`tree`), with a warning;
/// `label` names the text in messages. `source` has the options with which the alignment was read;
/// make_family() uses them to make aligned.set again.
/// Throws  as sequences_with_leaf: Error{bad_input} if the text is no tree; as make_family.
void prune_rows(InputAlignment& aligned, const FamilySource& source, const std::string& tree,
                const std::string& label);

/// Refuses rows without a known residue, since their place in a tree does not change the
/// likelihood. If `prunes` is set, removes these rows from the alignment, with a warning; `source`
/// is used as in prune_rows(). Warns of pairs of rows that share no column in which both are known.
/// Throws  Error{bad_input} for a row without a known residue, unless `prunes` is set.
/// Cost    O(rows^2 x columns / 64)
void check_rows(InputAlignment& aligned, const FamilySource& source, bool prunes);

}  // namespace accord
