// SPDX-License-Identifier: Apache-2.0
#include "method/large/subset_alignment.hpp"

#include <algorithm>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "accord/base/error.hpp"
#include "base/cpu_budget.hpp"
#include "base/text.hpp"
#include "core/aligned_part.hpp"
#include "method/align_family.hpp"
#include "method/large/attached_tree.hpp"
#include "method/large/representatives.hpp"
#include "method/large/subset_merging.hpp"
#include "method/large/subsets.hpp"
#include "method/stage_log.hpp"

namespace accord {
namespace {

/// Aligned subsets.
struct AlignedSubsets {
  std::vector<AlignedPart> parts;
  std::vector<GuideTree> trees;                       // [subset]
  std::vector<std::optional<Confidence>> confidence;  // [subset]
};

/// The sum of the lengths of the rows of all pairs of a subset, roughly.
double rows_of_pairs(const SequenceSet& set, std::span<const std::uint32_t> members) {
  double residues = 0;
  for (const std::uint32_t x : members) residues += set.length(x);
  return static_cast<double>(members.size()) * residues;
}

/// The number of subsets, from the first of `subsets` on, that are aligned at the same time.
std::size_t group_size(const SequenceSet& set, std::span<const std::vector<std::uint32_t>> subsets,
                       double most_rows) {
  double rows = rows_of_pairs(set, subsets.front());
  std::size_t size = 1;
  for (; size < subsets.size(); ++size) {
    rows += rows_of_pairs(set, subsets[size]);
    if (rows > most_rows) break;
  }
  return size;
}

AlignedSubsets align_subsets(const SequenceSet& set,
                             const std::vector<std::vector<std::uint32_t>>& subsets,
                             std::size_t most, const AlignSettings& settings, Scheduler& scheduler,
                             StageLog& log) {
  AlignedSubsets aligned{std::vector<AlignedPart>(subsets.size()),
                         std::vector<GuideTree>(subsets.size()),
                         std::vector<std::optional<Confidence>>(subsets.size())};
  const double mean = static_cast<double>(set.coded().all_codes().size()) /
                      static_cast<double>(std::max<std::size_t>(1, set.size()));
  const double most_rows = static_cast<double>(most) * static_cast<double>(most) * mean;
  for (std::size_t first = 0; first < subsets.size();) {
    const std::size_t size = group_size(set, std::span(subsets).subspan(first), most_rows);
    parallel_with_leases(scheduler.cpus(), size, [&](std::size_t d) {
      const std::size_t k = first + d;
      AlignResult result = align_family(set.subset(subsets[k]), settings, scheduler);
      aligned.parts[k] = {subsets[k], std::move(result.msa)};
      aligned.trees[k] = std::move(result.tree);
      aligned.confidence[k] = std::move(result.confidence);
      log.advance();
    });
    first += size;
  }
  return aligned;
}

/// The distance of the root from the leaves of a tree with branch lengths, along the left children.
double depth_of(const GuideTree& tree) {
  double depth = 0;
  for (std::uint32_t node = tree.nodes() - 1; node >= tree.leaves;) {
    node = tree.left[node - tree.leaves];
    depth += tree.length[node];
  }
  return depth;
}

/// The tree of all sequences: the trees of the subsets below the tree `above` of the subsets. A
/// leaf has the place of its sequence in `distinct`.
GuideTree tree_of_all_subsets(const AlignedSubsets& aligned, const GuideTree& above,
                              std::span<const std::uint32_t> distinct) {
  GrowingTree tree(distinct.size());
  std::vector<std::uint32_t> node_of;  // [node of `above`]
  std::vector<double> depth;           // [subset]
  for (std::size_t p = 0; p < aligned.parts.size(); ++p) {
    const GuideTree part = with_branch_lengths(aligned.trees[p]);
    std::vector<std::uint32_t> nodes;
    for (const std::uint32_t x : aligned.parts[p].members) {
      const auto at = std::ranges::lower_bound(distinct, x);
      nodes.push_back(static_cast<std::uint32_t>(at - distinct.begin()));
    }
    for (std::size_t k = 0; k < part.left.size(); ++k) {
      const std::uint32_t left = part.left[k], right = part.right[k];
      nodes.push_back(tree.join(nodes[left], part.length[left], nodes[right], part.length[right]));
    }
    node_of.push_back(nodes.back());
    depth.push_back(depth_of(part));
  }
  const GuideTree lengths = with_branch_lengths(above);
  const auto length_of = [&](std::uint32_t node) {
    // A branch of a subset begins at its leaves in `above`, and at its root in the tree of all.
    const double below = node < depth.size() ? depth[node] : 0;
    return std::max(0.0, lengths.length[node] - below);
  };
  for (std::size_t k = 0; k < above.left.size(); ++k) {
    const std::uint32_t left = above.left[k], right = above.right[k];
    node_of.push_back(tree.join(node_of[left], length_of(left), node_of[right], length_of(right)));
  }
  return tree.finish();
}

/// The confidence over the pairs within the subsets.
Confidence confidence_of(const AlignedSubsets& aligned, const Msa& msa) {
  Confidence result;
  result.residue.resize(msa.column_of.size());
  result.column_residues.assign(msa.columns, 0);
  for (const std::vector<std::uint32_t>& row : msa.column_of) {
    for (const std::uint32_t c : row) ++result.column_residues[c];
  }
  std::vector<double> sums(msa.columns, 0.0);
  std::vector<std::uint64_t> pairs(msa.columns, 0);
  for (std::size_t p = 0; p < aligned.parts.size(); ++p) {
    const AlignedPart& part = aligned.parts[p];
    const Confidence& of_part = *aligned.confidence[p];
    std::vector<bool> is_counted(part.msa.columns, false);
    for (std::size_t m = 0; m < part.members.size(); ++m) {
      const std::uint32_t x = part.members[m];
      result.residue[x] = of_part.residue[m];
      for (std::size_t i = 0; i < part.msa.column_of[m].size(); ++i) {
        const std::uint32_t c = part.msa.column_of[m][i];
        const std::uint64_t residues = of_part.column_residues[c];
        if (is_counted[c] || residues < 2) continue;
        is_counted[c] = true;
        const std::uint64_t count = residues * (residues - 1) / 2;
        sums[msa.column_of[x][i]] += of_part.column[c] * static_cast<double>(count);
        pairs[msa.column_of[x][i]] += count;
      }
    }
  }
  constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();
  double total = 0;
  for (std::uint32_t c = 0; c < msa.columns; ++c) {
    result.column.push_back(
        static_cast<float>(pairs[c] == 0 ? kUnknown : sums[c] / static_cast<double>(pairs[c])));
    total += sums[c];
    result.pairs += pairs[c];
  }
  result.mean = result.pairs == 0 ? kUnknown : total / static_cast<double>(result.pairs);
  return result;
}

/// The subset with most members.
std::size_t largest(const std::vector<AlignedPart>& parts) {
  const auto has_fewer = [](const AlignedPart& a, const AlignedPart& b) {
    return a.members.size() < b.members.size();
  };
  return static_cast<std::size_t>(std::ranges::max_element(parts, has_fewer) - parts.begin());
}

/// Gives equal sequences the columns of the first of them, and attaches them to it in the tree.
void add_equal_ones(const SequenceSet& set, std::span<const std::uint32_t> distinct,
                    AlignResult& result) {
  std::vector<Attachment> attachments;
  for (std::uint32_t d = 0; d < distinct.size(); ++d) {
    const std::uint32_t first = distinct[d];
    const auto end =
        d + 1 < distinct.size() ? distinct[d + 1] : static_cast<std::uint32_t>(set.size());
    for (std::uint32_t x = first + 1; x < end; ++x) {
      attachments.push_back({x, d, 0.0f});
      result.msa.column_of[x] = result.msa.column_of[first];
      if (!result.confidence) continue;
      result.confidence->residue[x] = result.confidence->residue[first];
      for (const std::uint32_t c : result.msa.column_of[x]) ++result.confidence->column_residues[c];
    }
  }
  result.tree = attached_tree(result.tree, distinct, std::move(attachments), set.size());
}

}  // namespace

AlignResult align_by_subsets(const SequenceSet& set, std::size_t most,
                             const AlignSettings& settings, Scheduler& scheduler,
                             const RunListener& listener) {
  if (settings.tree == TreeMethod::file) {
    throw Error(ErrorKind::usage,
                "the guide tree of " + settings.tree_file + " has all " +
                    counted(set.size(), "sequence") + ", but subsets are aligned along their own",
                "leave out {tree}, or try {large=never}");
  }
  AlignResult result;
  StageLog log(result.stages, listener);
  const std::vector<std::uint32_t> distinct = distinct_sequences(set);
  const Subsets subsets =
      choose_subsets(set, distinct, most, settings, scheduler, listener.progress);
  log.finish("choose", counted(subsets.members.size(), "subset"));

  log.begin("subsets", "subsets", subsets.members.size());
  AlignedSubsets aligned = align_subsets(set, subsets.members, most, settings, scheduler, log);
  log.finish("subsets", counted(distinct.size(), "sequence"));

  log.begin("merge", "joins", subsets.tree.left.size());
  result.msa = merge_subsets(set, aligned.parts, subsets.tree, (most + 1) / 2, settings, scheduler,
                             [&log] { log.advance(); });
  log.finish("merge", counted(result.msa.columns, "column"));

  if (settings.confidence) result.confidence = confidence_of(aligned, result.msa);
  result.tree = tree_of_all_subsets(aligned, subsets.tree, distinct);
  add_equal_ones(set, distinct, result);
  const std::size_t shown = largest(aligned.parts);
  result.backbone = Backbone{aligned.parts[shown].members, std::move(aligned.trees[shown])};
  return result;
}

}  // namespace accord
