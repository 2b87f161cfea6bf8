// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "core/guide_tree.hpp"
#include "models/parameters.hpp"

namespace accord {

/// Computes the weights of the sequences of a family. GuideTree::length of each branch is divided
/// equally among the leaves below the branch. The weight of a leaf is the sum of its shares of
/// all branches up to the root, raised to the power params.exponent.
///
/// Shape   one per sequence.
/// Units   1 / params.total of the sum over the family, rounded down and at least 1, so that sums
///         over pairs of sequences are exact in integers.
/// Cost    O(N), no recursion.
/// Reference  Thompson et al. 1994, Nucleic Acids Res 22:4673; integers as Liu et al. 2010.
std::vector<std::uint32_t> integer_sequence_weights(const GuideTree& tree,
                                                    const WeightParams& params = {});

/// The same numbers as float, for the consistency transform, where only ratios matter.
std::vector<float> sequence_weights(const GuideTree& tree, const WeightParams& params = {});

}  // namespace accord
