// SPDX-License-Identifier: Apache-2.0
// Likelihoods of alignments from which all sites that do not vary were left out. The likelihood of
// a site is then the probability of its pattern, given that the site varies.
// Reference  Lewis 2001, Syst Biol 50:913.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "core/guide_tree.hpp"
#include "engine/scheduler.hpp"
#include "phylogeny/likelihood/likelihood_call.hpp"
#include "phylogeny/site_patterns.hpp"

namespace accord {

/// Adds the unobserved patterns, with weight 0: for each state, the pattern of a site that has this
/// state in all rows. `label` names the alignment in messages.
/// Throws  Error{bad_input} if the rows may have the same state in a column of the alignment.
void add_unobserved(AlignmentPatterns& found, const std::string& label);

/// Sets the weight of each unobserved pattern to the expected number of its columns, given the
/// number of observed columns. `patterns` must have unobserved patterns (see add_unobserved).
/// `lengths` has the length of the branch above each node. With these weights, the slopes of a
/// likelihood are those of the likelihood given that sites vary.
/// Throws  as Scheduler::run.
void expect_unobserved(SitePatterns& patterns, const SubstitutionProcess& process,
                       const GuideTree& tree, std::span<const double> lengths,
                       Scheduler& scheduler);

/// Changes `sites`, the natural logarithms of the likelihoods of all patterns, to those given that
/// a site varies, and removes the elements of unobserved patterns, which are the last ones. Without
/// unobserved patterns, `sites` stays unchanged.
/// Returns  the sum of `sites`, each times the weight of its pattern.
double condition_on_variation(const SitePatterns& patterns, std::vector<double>& sites);

/// Changes `sites` and `total` of a likelihood in the same way; its slopes stay. Does nothing
/// without unobserved patterns.
void condition_on_variation(const SitePatterns& patterns, Likelihood& likelihood);

}  // namespace accord
