// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/distance_matrix.hpp"
#include "core/guide_tree.hpp"
#include "core/sequence_set.hpp"
#include "engine/progress_listener.hpp"
#include "engine/scheduler.hpp"
#include "method/settings.hpp"

namespace accord {

/// A tree of some sequences by average linkage of 1 - similarity_of() their longest common
/// subsequences. If there are more than kTreeSequences, the tree is that of a sample of
/// kTreeSequences, and each other sequence is attached to the nearest of these (see attached_tree).
///
/// `among`: increasing canonical indices; leaf k of the tree is among[k].
/// Cost    a common subsequence for each pair, or for each sequence with each of the sample;
///         thread_count() threads.
GuideTree similarity_tree(const SequenceSet& set, std::span<const std::uint32_t> among);

constexpr std::size_t kTreeSequences = 1000;

/// Cuts a tree into `count` clades at one height, or into its leaves if it has no more. Branch
/// lengths are not negative. Of equally high joins, the last ones are cut.
/// Shape   leaves of each clade, increasing; the clades in the order of their first leaves.
std::vector<std::vector<std::uint32_t>> clades_of_tree(const GuideTree& tree, std::size_t count);

/// Cuts a tree into connected parts whose leaves weigh at most `most`, or that have one leaf. A
/// part that weighs more is cut at the branch that divides it most evenly. So, if each leaf weighs
/// 1, a part has at least (most + 1) / 3 leaves, unless the tree has fewer.
///
/// `most`: at least 1. `weights`: one for each leaf, at least 1; or none, for weights of 1.
/// Shape   leaves of each part, increasing; the parts in the order of their first leaves.
/// Reference  Mirarab et al. 2015, J Comput Biol 22:377 (centroid decomposition).
std::vector<std::vector<std::uint32_t>> parts_of_tree(const GuideTree& tree, std::size_t most,
                                                      std::span<const std::uint32_t> weights = {});

/// Subsets of a family, and the tree along which their alignments are merged.
struct Subsets {
  std::vector<std::vector<std::uint32_t>> members;  ///< canonical indices, increasing
  GuideTree tree;                                   ///< leaf p is members[p]
};

/// Divides sequences into subsets of near relatives with at most `most` members.
///
/// Common subsequences tell near relatives, but remote ones hardly from unrelated ones. So the
/// clades_of_tree() of the similarity_tree() are groups of near relatives, about kGroups; larger
/// ones than `most` are cut into parts. A tree of the groups by average linkage of the
/// group_distances() is cut into subsets, and that of the subsets is the average linkage of the
/// same distances.
///
/// `among`: increasing canonical indices. `progress` may be null.
/// Throws  what the scheduler throws.
/// Cost    as similarity_tree() and group_distances().
Subsets choose_subsets(const SequenceSet& set, std::span<const std::uint32_t> among,
                       std::size_t most, const AlignSettings& settings, Scheduler& scheduler,
                       ProgressListener* progress = nullptr);

constexpr std::size_t kGroups = 400;

/// The mean distances, by posteriors, of a few representatives of each group: kGroupRows in all, at
/// least one of each group.
/// `groups`: increasing canonical indices, no sequence in two groups.
/// Throws  what the scheduler throws.
/// Cost    the posteriors of the pairs of representatives; they are not stored.
DistanceMatrix group_distances(const SequenceSet& set,
                               const std::vector<std::vector<std::uint32_t>>& groups,
                               const AlignSettings& settings, Scheduler& scheduler,
                               ProgressListener* progress = nullptr);

constexpr std::size_t kGroupRows = 400;

}  // namespace accord
