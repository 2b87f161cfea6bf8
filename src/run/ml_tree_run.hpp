// SPDX-License-Identifier: Apache-2.0
// Trees of maximum likelihood.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "io/family_reader.hpp"
#include "io/input_alignment.hpp"
#include "method/settings.hpp"
#include "phylogeny/ml_tree.hpp"
#include "phylogeny/model_choice.hpp"
#include "phylogeny/support.hpp"
#include "run/devices/run_context.hpp"

namespace accord::run {

/// How a tree of maximum likelihood is searched.
struct TreeSearch {
  std::string model;                 ///< empty: see likelihood_input
  std::uint32_t regraft_radius = 0;  ///< 0: interchanges alone
  std::vector<SupportKind> supports;

  bool chooses_model() const { return asks_for_choice(model); }
};

/// A tree of maximum likelihood.
struct MlTree {
  FitResult fit;                    ///< the tree and the model
  std::vector<RankedModel> models;  ///< that a choice has fitted, by BIC
  std::vector<std::string> labels;  ///< the supports of the branches, see support_labels
};

/// Aligns a family for a tree.
/// Throws  as align.
InputAlignment align_for_tree(FamilyInput family, const AlignSettings& settings,
                              const RunContext& context);

/// The tree of an alignment; `input` is what likelihood_input() makes of it, and gets the model
/// that is chosen, if the search leaves it open.
/// Throws  Error{out_of_memory} if the search does not fit the memory budget; as choose_model,
///         accord::ml_tree and support_labels.
MlTree ml_tree(LikelihoodInput& input, const InputAlignment& aligned, const TreeSearch& search,
               const RunContext& context);

}  // namespace accord::run
