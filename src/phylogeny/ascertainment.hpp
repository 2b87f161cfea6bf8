// SPDX-License-Identifier: Apache-2.0
// Likelihoods of alignments from which all sites that do not vary were left out. They are those of
// the sites given that these vary.
// Reference  Lewis 2001, Syst Biol 50:913.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "core/guide_tree.hpp"
#include "engine/scheduler.hpp"
#include "phylogeny/site_patterns.hpp"
#include "stages/likelihood/call.hpp"

namespace accord {

/// Adds the patterns of sites that do not vary, one for each state, of weight 0.
/// Throws  Error{bad_input} if a column may be one of those; `label` names the alignment.
void add_unobserved(AlignmentPatterns& found, const std::string& label);

/// Sets the weights of unobserved patterns to the columns of them that are expected beside those
/// that vary. The slopes of a likelihood with these weights are those of the conditional one.
void expect_unobserved(SitePatterns& patterns, const SubstitutionProcess& process,
                       const GuideTree& tree, std::span<const double> lengths,
                       Scheduler& scheduler);

/// Makes logarithms of patterns those given that a site varies, and leaves out unobserved ones; the
/// total. Does nothing but to sum where no pattern is unobserved.
double condition_on_variation(const SitePatterns& patterns, std::vector<double>& sites);

/// The same of a likelihood; does nothing where no pattern is unobserved.
void condition_on_variation(const SitePatterns& patterns, Likelihood& likelihood);

}  // namespace accord
