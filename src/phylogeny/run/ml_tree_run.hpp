// SPDX-License-Identifier: Apache-2.0
// Trees of maximum likelihood, and likelihoods of trees.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/backend.hpp"
#include "io/families/family_reader.hpp"
#include "io/families/input_alignment.hpp"
#include "method/settings.hpp"
#include "phylogeny/likelihood_search.hpp"
#include "phylogeny/ml_tree.hpp"
#include "phylogeny/model_choice.hpp"
#include "phylogeny/support.hpp"
#include "run/devices/run_devices.hpp"
#include "run/family/prepared_family.hpp"

namespace accord::run {

/// The options of a search for a tree of maximum likelihood.
struct TreeSearch {
  /// The name of the model, such as "WAG+F+G4"; "auto": the search chooses the model; empty: LG+G4
  /// for proteins, GTR+G4 for nucleotides.
  std::string model;
  std::uint32_t regraft_radius = 0;   ///< most branches that a regraft crosses; 0: no regrafts
  std::vector<SupportKind> supports;  ///< the kinds of support that are computed

  /// Whether the search also chooses the model.
  bool chooses_model() const { return asks_for_choice(model); }
};

/// A tree of maximum likelihood.
struct MlTree {
  FitResult fit;                    ///< the tree and the model
  std::vector<RankedModel> models;  ///< the models fitted to choose one, sorted by BIC
  std::vector<std::string> labels;  ///< [node]: the supports of its branch; empty without supports
};

/// Aligns a family, as the input of a search for a tree.
/// Throws  as align.
InputAlignment align_for_tree(PreparedFamily family, const RunContext& context);

/// Searches for the tree of maximum likelihood of an alignment. `input`: the result of
/// likelihood_input() for the alignment; if the search chooses the model, `input` gets the chosen
/// model.
/// Throws  Error{out_of_memory} if the search does not fit the memory budget; as choose_model,
///         accord::ml_tree and support_labels.
MlTree ml_tree(LikelihoodInput& input, const InputAlignment& aligned, const TreeSearch& search,
               const RunContext& context);

/// The stages that likelihoods and trees of maximum likelihood need.
std::vector<const Stage*> likelihood_stages();

/// Computes the likelihood of an alignment on a given tree, or on a tree that accord finds, as the
/// query says. `input`: the result of input_of() for the query and the alignment.
/// Throws  Error{out_of_memory} if a search for the shape of the tree does not fit the memory
///         budget; as find_likelihood.
LikelihoodFound likelihood(const LikelihoodQuery& query, LikelihoodInput& input,
                           const InputAlignment& aligned, const RunContext& context);

}  // namespace accord::run

namespace accord {

/// Refuses a search for the best shape of a tree if its partial likelihoods need more than `budget`
/// bytes; without a budget, allows it. `regraft_radius`: the radius of regrafts in branches; 0: the
/// search has no regrafts.
/// Throws  Error{out_of_memory}; `label` names the alignment in it.
void check_topology_memory(const LikelihoodInput& input, std::uint32_t regraft_radius,
                           std::optional<std::size_t> budget, const std::string& label);

}  // namespace accord
