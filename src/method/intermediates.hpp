// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/distance_matrix.hpp"
#include "core/guide_tree.hpp"

namespace accord {

/// Selects the intermediates of the consistency transform: from each of `most` clusters, the
/// sequence nearest to the whole family. The clusters are those of the UPGMA tree without its last
/// `most` - 1 joins. All sequences are selected if there are at most `most`, or if `most` is 0.
/// `upgma_tree`: the UPGMA tree of `distances`; null: the function makes it.
///
/// In a family of hundreds, many sequences add the same evidence to a pair, or none. Going through
/// some different ones costs a fraction, and was no less accurate on PREFAB and OXBench-X. (Gudys &
/// Deorowicz 2017, Sci Rep 7:41553, leave out sequences by their distance from the pair.)
///
/// Shape   increasing canonical indices; ties go to the lower index.
/// Cost    N^2 operations, twice that if the caller passes no tree.
std::vector<std::uint32_t> select_intermediates(const DistanceMatrix& distances, std::size_t most,
                                                const GuideTree* upgma_tree = nullptr);

/// For each sequence, selects the `count` sequences nearest to it, or all others if there are no
/// more. The intermediates of a pair are then the sequences in the lists of both (see
/// ConsistencyWeights). In a family of hundreds, intermediates that are the same for all pairs are
/// far from most pairs.
///
/// Shape   one list per sequence, increasing canonical indices; ties go to the lower index.
/// Cost    N^2 log N comparisons.
std::vector<std::vector<std::uint32_t>> nearest_intermediates(const DistanceMatrix& distances,
                                                              std::size_t count);

}  // namespace accord
