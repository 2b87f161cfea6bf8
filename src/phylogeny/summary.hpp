// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "phylogeny/fit.hpp"
#include "phylogeny/model_choice.hpp"

namespace accord {

/// The number of fitted or counted values of a tree and its model: the branch lengths of the
/// unrooted tree, the parameters that were not given, and the frequencies that were counted.
std::size_t free_parameters(const TreeWithModel& state);

/// Formats the result as a table with a header line; each further line has a name and a value. The
/// lines are: the model, the sizes of the alignment, the logarithm of the likelihood, AIC and BIC
/// (Akaike 1974, IEEE Trans Automat Contr 19:716; Schwarz 1978, Ann Stat 6:461), the length of the
/// tree, the parameters, and the frequencies of single residues.
std::string format_summary(const FitResult& result, const SitePatterns& patterns);

/// Formats a table with a header line; each further line has the number of a site, from 1, and the
/// logarithm of its likelihood. `pattern_of`: the pattern of each site.
std::string format_sites(const Likelihood& likelihood,
                         const std::vector<std::uint32_t>& pattern_of);

/// Models as a table: name, logarithm of the likelihood, free parameters, BIC.
std::string format_models(const std::vector<RankedModel>& models);

/// Returns the tree of the state, with the lengths of the state as branch lengths.
GuideTree tree_with_lengths(const TreeWithModel& state);

}  // namespace accord
