// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "phylogeny/ml_tree.hpp"

namespace accord {

/// Whether the name of a model asks for a choice: `auto` or `auto+ASC`, in letters of either case.
bool asks_for_choice(std::string_view model);

/// A model that was fitted.
struct RankedModel {
  std::string name;
  double total;      ///< logarithm of the likelihood
  std::size_t free;  ///< number of free parameters, including the lengths of branches
  double bic;        ///< free ln(sites) - 2 total; a smaller value is better
};

/// Chooses the model of `input`. Fits all candidate_models() to the alignment on the tree of
/// `start`, whose shape stays. Then fits the best matrix with +R2 and +R3, and with +R4 if +R3
/// lowers the BIC. Sets the model of `input` to that with the lowest BIC. Each fitted model is a
/// step of `log`.
/// Returns  all fitted models, the lowest BIC first.
/// Reference  Schwarz 1978, Ann Stat 6:461; all models on one tree: Posada & Crandall 1998,
///         Bioinformatics 14:817.
std::vector<RankedModel> choose_model(LikelihoodInput& input, const TreeWithModel& start,
                                      ResidueType type, Scheduler& scheduler, SearchLog& log);

}  // namespace accord
