// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/guide_tree.hpp"
#include "core/sequence_set.hpp"

namespace accord {

/// A tree of some sequences by average linkage of 1 - similarity_of() their longest common
/// subsequences. If there are more than kTreeSequences, the tree is that of a sample of so many,
/// and each other sequence is attached to the nearest of these (see attached_tree).
///
/// `among`: increasing canonical indices; leaf k of the tree is among[k].
/// Cost    a common subsequence for each pair, or for each sequence with each of the sample;
///         thread_count() threads.
GuideTree similarity_tree(const SequenceSet& set, std::span<const std::uint32_t> among);

constexpr std::size_t kTreeSequences = 1000;

/// Cuts a tree into connected parts with at most `most` leaves each. A part that has more is cut at
/// the branch that divides its leaves most evenly. So a part has at least (most + 1) / 3 leaves,
/// unless the tree has fewer.
///
/// `most`: at least 1.
/// Shape   leaves of each part, increasing; the parts in the order of their first leaves.
/// Reference  Mirarab et al. 2015, J Comput Biol 22:377 (centroid decomposition).
std::vector<std::vector<std::uint32_t>> parts_of_tree(const GuideTree& tree, std::size_t most);

/// Divides sequences into subsets of near relatives: the parts_of_tree() of their
/// similarity_tree(). `among` and the members of the subsets are canonical indices, increasing.
std::vector<std::vector<std::uint32_t>> choose_subsets(const SequenceSet& set,
                                                       std::span<const std::uint32_t> among,
                                                       std::size_t most);

}  // namespace accord
