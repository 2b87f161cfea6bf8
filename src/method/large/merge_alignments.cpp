// SPDX-License-Identifier: Apache-2.0
#include "method/large/merge_alignments.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "align/profile_path.hpp"
#include "align/profile_scores.hpp"
#include "align/progressive.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "core/confidence.hpp"
#include "method/family_posteriors.hpp"
#include "method/large/representatives.hpp"
#include "method/stage_log.hpp"
#include "method/upgma.hpp"
#include "stages/posteriors/expected_accuracy.hpp"

namespace accord {
namespace {

using Rows = std::vector<std::uint32_t>;

/// Alignments that are being merged.
class Merging {
 public:
  Merging(const SequenceSet& set, std::vector<AlignedPart> parts)
      : set_(set), parts_(std::move(parts)), column_of_(set.size()), part_of_(set.size(), 0) {
    // Sorted, so that the order of the files does not matter.
    std::sort(parts_.begin(), parts_.end(),
              [](const AlignedPart& a, const AlignedPart& b) { return a.members < b.members; });
    for (const AlignedPart& part : parts_) {
      Rows& columns = moved_.emplace_back(part.msa.columns);
      std::iota(columns.begin(), columns.end(), 0u);
    }
    const std::size_t each = std::max(kLeastMergedRows, kMergedRows / parts_.size());
    for (std::uint32_t p = 0; p < parts_.size(); ++p) {
      for (std::size_t m = 0; m < parts_[p].members.size(); ++m) {
        column_of_[parts_[p].members[m]] = parts_[p].msa.column_of[m];
        part_of_[parts_[p].members[m]] = p;
      }
      representatives_.push_back(select_representatives(set, parts_[p].members, each));
      columns_.push_back(parts_[p].msa.columns);
    }
  }

  /// The pairs of representatives from different alignments.
  PairSet pairs() const {
    Rows all;
    for (const Rows& rows : representatives_) all.insert(all.end(), rows.begin(), rows.end());
    std::sort(all.begin(), all.end());
    std::vector<PairIndex> pairs;
    for (std::size_t k = 0; k < all.size(); ++k) {
      for (std::size_t l = 0; l < k; ++l) {
        if (part_of_[all[l]] != part_of_[all[k]]) pairs.push_back({all[l], all[k]});
      }
    }
    return PairSet::listed(set_.size(), std::move(pairs));
  }

  /// The tree of the alignments: average linkage of the mean distances between their
  /// representatives.
  GuideTree tree(const PosteriorSet& posteriors) const {
    const std::size_t n = parts_.size();
    std::vector<double> sums(n * n, 0.0);
    for (std::size_t number = 0; number < posteriors.pairs().size(); ++number) {
      const PairIndex pair = posteriors.pairs()[number];
      const auto [p, q] = std::minmax(part_of_[pair.x], part_of_[pair.y]);
      sums[p * n + q] += expected_accuracy_distance(posteriors[number]);
    }
    DistanceMatrix distances(n);
    for (std::size_t p = 0; p < n; ++p) {
      for (std::size_t q = p + 1; q < n; ++q) {
        const auto pairs =
            static_cast<double>(representatives_[p].size() * representatives_[q].size());
        distances.set(p, q, static_cast<float>(sums[p * n + q] / pairs));
      }
    }
    return upgma(distances);
  }

  /// Aligns the columns of the two children of join k, and unites them.
  void join(const GuideTree& tree, const LeafOrder& order, std::uint32_t k,
            const PosteriorSet& posteriors) {
    const std::uint32_t left = tree.left[k], right = tree.right[k];
    const Rows x_rows = rows_of(order.of(left), representatives_);
    const Rows y_rows = rows_of(order.of(right), representatives_);
    const std::vector<std::uint32_t> weights(set_.size(), 1);
    std::vector<ScoreScratch> scratch(static_cast<std::size_t>(thread_count()));
    const ProfilePath path =
        best_path(profile_scores({x_rows, columns_[left]}, {y_rows, columns_[right]}, column_of_,
                                 posteriors, weights, scratch));
    move_columns(all_rows(order.of(left)), path.x_column, column_of_);
    move_columns(all_rows(order.of(right)), path.y_column, column_of_);
    move_columns(order.of(left), path.x_column, moved_);
    move_columns(order.of(right), path.y_column, moved_);
    columns_.push_back(path.columns);
  }

  Msa finish() { return {columns_.back(), std::move(column_of_)}; }

  /// The new column of each column of the part whose first member is `first_member`.
  std::vector<std::uint32_t> moved_columns(std::uint32_t first_member) const {
    return moved_[part_of_[first_member]];
  }

 private:
  static Rows rows_of(std::span<const std::uint32_t> parts, const std::vector<Rows>& rows) {
    Rows all;
    for (const std::uint32_t p : parts) all.insert(all.end(), rows[p].begin(), rows[p].end());
    return all;
  }
  Rows all_rows(std::span<const std::uint32_t> parts) const {
    Rows all;
    for (const std::uint32_t p : parts) {
      all.insert(all.end(), parts_[p].members.begin(), parts_[p].members.end());
    }
    return all;
  }

  const SequenceSet& set_;
  std::vector<AlignedPart> parts_;
  std::vector<std::vector<std::uint32_t>> column_of_;  // [sequence]
  std::vector<std::uint32_t> part_of_;                 // [sequence]
  std::vector<Rows> representatives_;                  // [part]
  std::vector<Rows> moved_;                            // [part]: new column of each of its columns
  std::vector<std::uint32_t> columns_;                 // [node of the tree]
};

}  // namespace

CombinedAlignment merge_alignments(const SequenceSet& set, std::vector<AlignedPart> parts,
                                   const AlignSettings& settings, Scheduler& scheduler,
                                   const RunListener& listener) {
  CombinedAlignment result;
  StageLog log(result.stages, listener);
  Rows first_members;
  for (const AlignedPart& part : parts) first_members.push_back(part.members.front());
  Merging merging(set, std::move(parts));
  const PosteriorSet posteriors =
      compute_posteriors({set, settings.parameters}, merging.pairs(), scheduler, listener.progress);
  log.finish("posteriors", counted(posteriors.pairs().size(), "pair"));

  const GuideTree tree = merging.tree(posteriors);
  const LeafOrder order = leaf_order(tree);
  log.begin("merge", "joins", tree.left.size());
  for (std::uint32_t k = 0; k < tree.left.size(); ++k) {
    merging.join(tree, order, k, posteriors);
    log.advance();
  }
  result.msa = merging.finish();
  for (const std::uint32_t x : first_members) {
    result.given_columns.push_back(merging.moved_columns(x));
  }
  log.finish("merge", counted(result.msa.columns, "column"));
  result.is_given_column.assign(result.msa.columns, true);
  if (settings.confidence) {
    log.begin("confidence");
    result.confidence = alignment_confidence(result.msa, posteriors);
    log.finish("confidence", counted(result.confidence->pairs, "aligned pair"));
  }
  return result;
}

}  // namespace accord
