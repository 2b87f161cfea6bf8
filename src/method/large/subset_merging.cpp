// SPDX-License-Identifier: Apache-2.0
#include "method/large/subset_merging.hpp"

#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "align/profile_path.hpp"
#include "align/profile_scores.hpp"
#include "base/parallel.hpp"
#include "method/family_posteriors.hpp"
#include "method/large/common_subsequence.hpp"
#include "method/large/representatives.hpp"

namespace accord {
namespace {

using RowList = std::vector<std::uint32_t>;

/// A row of each side of a join.
struct SimilarRows {
  double similarity;
  std::uint32_t x, y;
};

/// All pairs of a row of `xs` and one of `ys`, the most similar first; ties go to lower indices.
std::vector<SimilarRows> by_similarity(const SequenceSet& set, const RowList& xs,
                                       const RowList& ys) {
  std::vector<SimilarRows> pairs(xs.size() * ys.size());
  std::vector<std::vector<std::uint64_t>> states(static_cast<std::size_t>(thread_count()));
  parallel_for(xs.size(), [&](std::size_t k, int thread) {
    const CommonSubsequence pattern(set.coded().codes(xs[k]), symbol_count(set.type()));
    for (std::size_t l = 0; l < ys.size(); ++l) {
      const std::span<const std::uint8_t> codes = set.coded().codes(ys[l]);
      const std::uint32_t common = pattern.with(codes, states[static_cast<std::size_t>(thread)]);
      pairs[k * ys.size() + l] = {
          similarity_of(common, pattern.length(), static_cast<std::uint32_t>(codes.size())), xs[k],
          ys[l]};
    }
  });
  std::ranges::sort(pairs, [](const SimilarRows& a, const SimilarRows& b) {
    return std::tie(b.similarity, a.x, a.y) < std::tie(a.similarity, b.x, b.y);
  });
  return pairs;
}

void add_row(std::uint32_t row, std::size_t most, RowList& rows) {
  if (rows.size() < most && std::ranges::find(rows, row) == rows.end()) rows.push_back(row);
}

/// Up to `most` rows of each side that are nearest to a row of the other side.
std::pair<RowList, RowList> near_rows(const SequenceSet& set, const RowList& x, const RowList& y,
                                      std::size_t most) {
  if (x.size() <= most && y.size() <= most) return {x, y};
  const RowList xs = select_representatives(set, x, kNearCandidates);
  const RowList ys = select_representatives(set, y, kNearCandidates);
  std::pair<RowList, RowList> near;
  for (const SimilarRows& pair : by_similarity(set, xs, ys)) {
    add_row(pair.x, most, near.first);
    add_row(pair.y, most, near.second);
  }
  return near;
}

}  // namespace

Msa merge_subsets(const SequenceSet& set, const std::vector<AlignedPart>& parts,
                  const GuideTree& tree, std::size_t rows, const AlignSettings& settings,
                  Scheduler& scheduler, const std::function<void()>& on_join) {
  std::vector<RowList> column_of(set.size()), rows_of;  // [sequence]; [node of the tree]
  std::vector<std::uint32_t> columns;                   // [node of the tree]
  for (const AlignedPart& part : parts) {
    for (std::size_t m = 0; m < part.members.size(); ++m) {
      column_of[part.members[m]] = part.msa.column_of[m];
    }
    rows_of.push_back(part.members);
    columns.push_back(part.msa.columns);
  }
  const RowList weights(set.size(), 1);
  for (std::size_t k = 0; k < tree.left.size(); ++k) {
    const std::uint32_t left = tree.left[k], right = tree.right[k];
    auto [x_rows, y_rows] = near_rows(set, rows_of[left], rows_of[right], rows);
    const PosteriorSet posteriors = compute_posteriors(
        {set, settings.parameters}, PairSet::between(set.size(), x_rows, y_rows), scheduler);
    std::vector<ScoreScratch> scratch(static_cast<std::size_t>(thread_count()));
    const ProfilePath path =
        best_path(profile_scores({x_rows, columns[left]}, {y_rows, columns[right]}, column_of,
                                 posteriors, weights, scratch));
    move_columns(rows_of[left], path.x_column, column_of);
    move_columns(rows_of[right], path.y_column, column_of);
    RowList both;
    const RowList &xs = rows_of[left], &ys = rows_of[right];
    std::merge(xs.begin(), xs.end(), ys.begin(), ys.end(), std::back_inserter(both));
    rows_of[left] = rows_of[right] = {};
    rows_of.push_back(std::move(both));
    columns.push_back(path.columns);
    if (on_join) on_join();
  }
  return {columns.back(), std::move(column_of)};
}

}  // namespace accord
