// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>

#include "stages/consistency/consistency_call.hpp"
#include "stages/local_pairs/local_pairs_call.hpp"
#include "stages/neighbor_joining/neighbor_joining_call.hpp"
#include "stages/posteriors/posterior_call.hpp"

namespace accord {

/// All stages of the method: those that an alignment may need.
inline constexpr std::array kAlignerStages = {&PosteriorCall::stage, &NeighborJoiningCall::stage,
                                              &ConsistencyCall::stage, &LocalPairsCall::stage};

}  // namespace accord
