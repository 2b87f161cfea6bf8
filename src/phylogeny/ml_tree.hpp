// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "core/sequence_set.hpp"
#include "phylogeny/fit.hpp"
#include "phylogeny/site_patterns.hpp"

namespace accord {

/// An alignment whose likelihood is wanted, and the model to begin with.
struct LikelihoodInput {
  AlignmentPatterns found;
  ModelSpec model;
  std::vector<double> values;       ///< of the model's parameters
  std::vector<double> frequencies;  ///< of its states

  /// The tree, with its own lengths, and the model.
  TreeWithModel with(GuideTree tree) const;
};

/// Finds patterns and frequencies of an alignment: rows of equal length, tip x is row row_of[x].
/// `model` is a name as parse_model takes it; if empty, or `auto` for a choice that is made later,
/// LG+G4, or GTR+G4 for nucleotides. `code` is the genetic code of a
/// model of codons, the standard one if it is not set.
/// Throws  Error{bad_input} for fewer than two rows, no columns, a model of other residues, and as
///         find_patterns; Error{usage} as parse_model and GeneticCode, and for a code without
///         codons. `label` names the alignment.
LikelihoodInput likelihood_input(const std::vector<SequenceRecord>& rows,
                                 const std::vector<std::size_t>& row_of, ResidueType type,
                                 const std::string& model, const std::string& label,
                                 std::optional<int> code = {});

/// Sets the model to another one of the same states and ascertainment.
void set_model(LikelihoodInput& input, const std::string& model);

/// Builds the tree of neighbour joining with maximum-likelihood distances. The distances assume one
/// rate for all sites: if rates differ, large distances are less certain, and the trees are worse.
TreeWithModel neighbor_joining_tree(const LikelihoodInput& input, Scheduler& scheduler);

/// Fits the shape and the lengths of a tree and, if `target` says so, the parameters of the model.
/// The search begins with the tree of neighbor_joining_tree and nearest-neighbour interchanges. It
/// begins again with distances that use the rates fitted for that tree. Then it improves the better
/// tree of both by regrafts within a radius (see improve_topology).
FitResult ml_tree(const LikelihoodInput& input, FitTarget target, std::uint32_t regraft_radius,
                  Scheduler& scheduler);

}  // namespace accord
