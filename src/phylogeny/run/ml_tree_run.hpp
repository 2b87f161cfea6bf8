// SPDX-License-Identifier: Apache-2.0
// Trees of maximum likelihood.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "io/families/family_reader.hpp"
#include "io/families/input_alignment.hpp"
#include "method/settings.hpp"
#include "phylogeny/ml_tree.hpp"
#include "phylogeny/model_choice.hpp"
#include "phylogeny/support.hpp"
#include "run/devices/run_context.hpp"
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

}  // namespace accord::run
