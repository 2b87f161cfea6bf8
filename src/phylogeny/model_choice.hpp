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
  std::size_t free;  ///< parameters, lengths among them
  double bic;        ///< free ln(sites) - 2 total
};

/// The models that a choice begins with: JC, F81, K80, HKY, TNE, TN, SYM and GTR for nucleotides,
/// LG, WAG, JTT and DAYHOFF, each also with +F, for proteins; each of them alone, with +I, +G4 and
/// +I+G4 (with +ASC alone and with +G4).
std::vector<std::string> candidate_models(ResidueType type, bool is_ascertained);

/// Fits all candidates to the alignment on a tree, then the best matrix with +R2, +R3 and +R4 as
/// long as BIC falls, and sets the model of `input` to the one of the lowest BIC. `start` has the
/// tree, whose shape stays.
/// Returns  all, by BIC.
/// Reference  Schwarz 1978, Ann Stat 6:461; all models on one tree: Posada & Crandall 1998,
///         Bioinformatics 14:817.
std::vector<RankedModel> choose_model(LikelihoodInput& input, const TreeWithModel& start,
                                      ResidueType type, Scheduler& scheduler);

}  // namespace accord
