// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "phylogeny/ml_tree.hpp"

namespace accord {

/// Refuses a search for the best shape of a tree if its partial likelihoods need more than `budget`
/// bytes; without a budget, allows it. `regraft_radius`: the radius of regrafts in branches; 0: the
/// search has no regrafts.
/// Throws  Error{out_of_memory}; `label` names the alignment in it.
void check_topology_memory(const LikelihoodInput& input, std::uint32_t regraft_radius,
                           std::optional<std::size_t> budget, const std::string& label);

}  // namespace accord
