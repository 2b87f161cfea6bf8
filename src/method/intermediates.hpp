// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/distance_matrix.hpp"
#include "core/guide_tree.hpp"

namespace accord {

/// The sequences through which the consistency transform of a family goes: from each of `most`
/// clusters the one nearest to the whole family. The clusters are those of the UPGMA tree before
/// its last `most` - 1 joins. All sequences if there are no more, or if `most` is 0.
///
/// A family of hundreds has many sequences that add the same evidence to a pair, or none. Going
/// through some different ones costs a fraction, and was no less accurate on PREFAB and OXBench-X.
/// (Gudys & Deorowicz 2017, Sci Rep 7:41553, leave out sequences by their distance from the pair.)
///
/// Shape   increasing canonical indices; ties are for the lower index.
/// Cost    N^2 operations; as many again for the tree unless the caller has it.
std::vector<std::uint32_t> select_intermediates(const DistanceMatrix& distances, std::size_t most,
                                                const GuideTree* upgma_tree = nullptr);

/// For each sequence the `count` sequences that are nearest to it, or all others if there are no
/// more: the intermediates that a pair of sequences is near to are those in the lists of both (see
/// ConsistencyWeights). In a family of hundreds the same intermediates for all pairs are far from
/// most of them.
///
/// Shape   one list per sequence, increasing canonical indices; ties are for the lower index.
/// Cost    N^2 log N comparisons.
std::vector<std::vector<std::uint32_t>> nearest_intermediates(const DistanceMatrix& distances,
                                                              std::size_t count);

}  // namespace accord
