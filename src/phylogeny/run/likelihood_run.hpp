// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "engine/backend.hpp"
#include "io/families/input_alignment.hpp"
#include "phylogeny/likelihood_search.hpp"
#include "run/devices/run_context.hpp"

namespace accord::run {

/// The stages that likelihoods and trees of maximum likelihood need.
std::vector<const Stage*> likelihood_stages();

/// Computes the likelihood of an alignment on a given tree, or on a tree that accord finds, as the
/// query says. `input`: the result of input_of() for the query and the alignment.
/// Throws  Error{out_of_memory} if a search for the shape of the tree does not fit the memory
///         budget; as find_likelihood.
LikelihoodFound likelihood(const LikelihoodQuery& query, LikelihoodInput& input,
                           const InputAlignment& aligned, const RunContext& context);

}  // namespace accord::run
