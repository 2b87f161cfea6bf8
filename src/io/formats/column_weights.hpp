// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

namespace accord {

/// The weight of each column for a program that makes a tree: 100 c, rounded, at least 1, where c
/// is the confidence of the column. A column without a known confidence (NaN), such as that of a
/// single residue, has the weight 1. No weight is 0, since RAxML-NG refuses it.
/// Units   confidence in [0, 1]; weights in [1, 100].
std::vector<int> column_weights(const std::vector<float>& confidence);

/// The weights, one a line, as RAxML (-a) and RAxML-NG (--site-weights) read them.
std::string format_weights(const std::vector<int>& weights);

}  // namespace accord
