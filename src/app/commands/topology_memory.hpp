// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>

#include "app/cli/options.hpp"
#include "phylogeny/ml_tree.hpp"

namespace accord {

/// Refuses a search for the best shape of a tree whose partial likelihoods do not fit the memory.
/// Throws  Error{out_of_memory}; `label` names the alignment.
void check_topology_memory(const LikelihoodInput& input, std::uint32_t regraft_radius,
                           const ComputeOptions& options, const std::string& label);

}  // namespace accord
