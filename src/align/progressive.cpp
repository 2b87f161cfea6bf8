// SPDX-License-Identifier: Apache-2.0
#include "align/progressive.hpp"

#include <algorithm>
#include <numeric>

#include "accord/base/error.hpp"
#include "align/profile_path.hpp"
#include "base/parallel.hpp"

namespace accord {
namespace {

constexpr double kParallelLevel = 50000;  // rows of pairs; fewer are not worth a parallel loop

void check_sizes(const PosteriorSet& posteriors, const GuideTree& tree, std::size_t weights,
                 std::size_t lengths) {
  const std::size_t n = tree.leaves;
  if (posteriors.sequences() != n || weights != n || lengths != n ||
      tree.left.size() + (n > 0) != n || tree.right.size() != tree.left.size()) {
    throw Error(ErrorKind::internal,
                "progressive alignment: tree, posteriors, weights and lengths do not agree");
  }
}

/// A progressive alignment in progress: the column table, and the number of columns of each
/// finished node.
class Progress {
 public:
  Progress(const PosteriorSet& posteriors, const GuideTree& tree,
           std::span<const std::uint32_t> weights, std::span<const std::uint32_t> lengths)
      : posteriors_(posteriors),
        tree_(tree),
        weights_(weights),
        order_(leaf_order(tree)),
        columns_(tree.nodes(), 0),
        scratch_(static_cast<std::size_t>(thread_count())) {
    msa_.column_of.resize(tree.leaves);
    for (std::uint32_t x = 0; x < tree.leaves; ++x) {
      msa_.column_of[x].resize(lengths[x]);
      std::iota(msa_.column_of[x].begin(), msa_.column_of[x].end(), 0u);
      columns_[x] = lengths[x];
    }
  }

  /// Aligns all joins of a level. A join with a large part of the work uses all threads by itself;
  /// the others run in parallel, the largest first.
  void run_level(std::vector<std::uint32_t> joins) {
    std::sort(joins.begin(), joins.end(), [&](std::uint32_t a, std::uint32_t b) {
      return work(a) != work(b) ? work(a) > work(b) : a < b;
    });
    double level_work = 0;
    for (const std::uint32_t k : joins) level_work += work(k);
    if (level_work < kParallelLevel) {
      for (const std::uint32_t k : joins) run_join(k, std::span(scratch_).first(1));
      return;
    }
    std::size_t large = 0;
    while (large < joins.size() &&
           work(joins[large]) * 2.0 * static_cast<double>(scratch_.size()) > level_work) {
      run_join(joins[large++], scratch_);
    }
    parallel_for(joins.size() - large, [&](std::size_t index, int thread) {
      run_join(joins[large + index],
               std::span(scratch_).subspan(static_cast<std::size_t>(thread), 1));
    });
  }

  Msa finish() {
    if (tree_.leaves > 0) msa_.columns = columns_.back();
    return std::move(msa_);
  }

 private:
  double work(std::uint32_t join) const {
    const std::uint32_t left = tree_.left[join];
    const std::uint32_t right = tree_.right[join];
    return static_cast<double>(order_.count[left]) * order_.count[right] *
           std::min(columns_[left], columns_[right]);
  }

  void run_join(std::uint32_t join, std::span<ScoreScratch> scratch) {
    const std::uint32_t left = tree_.left[join];
    const std::uint32_t right = tree_.right[join];
    columns_[tree_.leaves + join] =
        align_profiles({order_.of(left), columns_[left]}, {order_.of(right), columns_[right]},
                       msa_.column_of, posteriors_, weights_, scratch);
  }

  const PosteriorSet& posteriors_;
  const GuideTree& tree_;
  std::span<const std::uint32_t> weights_;
  LeafOrder order_;
  std::vector<std::uint32_t> columns_;  ///< one per node
  std::vector<ScoreScratch> scratch_;   ///< one per thread
  Msa msa_;
};

}  // namespace

LeafOrder leaf_order(const GuideTree& tree) {
  LeafOrder order;
  order.leaves.resize(tree.leaves);
  order.first.assign(tree.nodes(), 0);
  order.count.assign(tree.nodes(), 1);
  for (std::size_t k = 0; k < tree.left.size(); ++k) {
    order.count[tree.leaves + k] = order.count[tree.left[k]] + order.count[tree.right[k]];
  }
  for (std::size_t k = tree.left.size(); k-- > 0;) {
    order.first[tree.left[k]] = order.first[tree.leaves + k];
    order.first[tree.right[k]] = order.first[tree.leaves + k] + order.count[tree.left[k]];
  }
  for (std::uint32_t x = 0; x < tree.leaves; ++x) order.leaves[order.first[x]] = x;
  return order;
}

std::vector<std::vector<std::uint32_t>> levels_of(const GuideTree& tree) {
  std::vector<std::uint32_t> level(tree.nodes(), 0);
  std::vector<std::vector<std::uint32_t>> levels;
  for (std::uint32_t k = 0; k < tree.left.size(); ++k) {
    const std::uint32_t level_of_join = std::max(level[tree.left[k]], level[tree.right[k]]) + 1;
    level[tree.leaves + k] = level_of_join;
    if (levels.size() < level_of_join) levels.resize(level_of_join);
    levels[level_of_join - 1].push_back(k);
  }
  return levels;
}

Msa progressive_align(const PosteriorSet& posteriors, const GuideTree& tree,
                      std::span<const std::uint32_t> weights,
                      std::span<const std::uint32_t> lengths) {
  check_sizes(posteriors, tree, weights.size(), lengths.size());
  Progress progress(posteriors, tree, weights, lengths);
  for (std::vector<std::uint32_t>& joins : levels_of(tree)) progress.run_level(std::move(joins));
  return progress.finish();
}

}  // namespace accord
