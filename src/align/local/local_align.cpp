// SPDX-License-Identifier: Apache-2.0
#include "align/local/local_align.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>
#include <utility>

#include "accord/base/error.hpp"
#include "align/profile_path.hpp"
#include "align/progressive.hpp"
#include "base/parallel.hpp"

namespace accord {
namespace {

using Columns = std::vector<std::vector<std::uint32_t>>;

/// Two groups to align. `a` is the smaller one: a column with few letters costs less as a row.
struct TwoGroups {
  Profile a, b;
  GroupColumns columns_a, columns_b;
  ProfileScores importance;

  TwoGroups(Profile one, Profile other, const Columns& column_of, const LocalEvidence& evidence,
            std::span<const std::uint32_t> weights, std::span<ScoreScratch> scratch)
      : a(one), b(other) {
    if (b.rows.size() < a.rows.size()) std::swap(a, b);
    columns_a = group_columns(a, column_of, evidence.sequences, weights);
    columns_b = group_columns(b, column_of, evidence.sequences, weights);
    importance = profile_scores(a, b, column_of, evidence.importance, weights, scratch);
  }

  GroupScores scores(const LocalEvidence& evidence) const {
    return {columns_a, columns_b, importance, evidence.scores, evidence.open};
  }
};

/// Removes the columns of an alignment in which `rows` have no residue, and moves their residues.
/// Returns the numbers of the remaining columns.
std::vector<std::uint32_t> squeeze(std::span<const std::uint32_t> rows, std::uint32_t columns,
                                   Columns& column_of) {
  const OccupiedColumns occupied = occupied_columns(rows, column_of, columns);
  move_columns(rows, occupied.number, column_of);
  std::vector<std::uint32_t> kept;
  for (std::uint32_t c = 0; c < columns; ++c) {
    if (occupied.number[c] != OccupiedColumns::kNone) kept.push_back(c);
  }
  return kept;
}

/// A hash of an alignment, by which it is recognized.
std::uint64_t number_of(const Msa& msa) {
  std::uint64_t number = 1469598103934665603u;  // FNV-1a
  for (const auto& columns : msa.column_of) {
    for (const std::uint32_t c : columns) number = (number ^ c) * 1099511628211u;
    number = (number ^ 0xffffffffu) * 1099511628211u;
  }
  return number;
}

/// Threads for a branch that is tried alone. Its loops take fractions of a millisecond: 16 threads
/// took 4.0 s where 4 took 1.9 s (100 sequences of 500 residues).
constexpr int kThreadsOfBranch = 4;

/// An alignment under refinement.
class LocalRefinement {
 public:
  LocalRefinement(Msa msa, const LocalEvidence& evidence, const GuideTree& tree,
                  const LocalRefineOptions& options)
      : msa_(std::move(msa)), evidence_(evidence), splits_(tree), options_(options) {
    seen_.insert(number_of(msa_));
  }

  Msa run() {
    for (int round = 0; round < options_.rounds && !is_done_; ++round) {
      try_each();
      if (options_.on_round) options_.on_round();
    }
    return std::move(msa_);
  }

 private:
  /// Tries every branch once. After a gain, one branch is tried at a time, by several threads
  /// together. After some branches without a gain, several branches are tried in parallel. If one
  /// of these gains, the results of the branches behind it are dropped, and these branches are
  /// tried again.
  void try_each() {
    for (std::size_t k = 0; k < splits_.size() && !is_done_;) {
      const std::size_t count = std::min(
          {static_cast<std::size_t>(thread_count()), without_gain_ + 1, splits_.size() - k});
      std::vector<SplitOutcome> found = try_splits(k, count);
      for (std::size_t index = 0; index < count && !is_done_; ++index, ++k) {
        if (found[index].best > found[index].present) {
          accept(k, found[index]);
          ++k;
          break;
        }
        is_done_ = ++without_gain_ == splits_.size();
      }
    }
  }

  std::vector<SplitOutcome> try_splits(std::size_t first, std::size_t count) {
    std::vector<SplitOutcome> found(count);
    const int threads = thread_count();
    const LocalThreadCount scope(count == 1 ? std::min(kThreadsOfBranch, threads) : threads);
    prepare_scratch(count);
    parallel_for(count, [&](std::size_t index, int thread) {
      found[index] = try_split(msa_, splits_.at(first + index), evidence_,
                               scratch_[static_cast<std::size_t>(thread)]);
    });
    return found;
  }

  /// Memory for branches that are tried together. A branch that is tried alone uses several
  /// threads; otherwise each branch uses one.
  void prepare_scratch(std::size_t branches) {
    const auto threads = static_cast<std::size_t>(thread_count());
    scratch_.resize(std::max(scratch_.size(), branches == 1 ? 1 : threads));
    std::vector<ScoreScratch>& alone = scratch_[0].scores;
    if (branches == 1) alone.resize(std::max(alone.size(), threads));
  }

  void accept(std::size_t k, SplitOutcome& outcome) {
    if (options_.on_accept) {
      options_.on_accept({splits_.at(k), msa_, outcome.msa, outcome.best - outcome.present});
    }
    msa_ = std::move(outcome.msa);
    without_gain_ = 0;
    is_done_ = !seen_.insert(number_of(msa_)).second;
  }

  Msa msa_;
  const LocalEvidence& evidence_;
  const BranchSplits splits_;
  const LocalRefineOptions& options_;
  std::vector<SplitScratch> scratch_;  // one for each branch that is tried in parallel
  std::set<std::uint64_t> seen_;       // hashes of all alignments so far
  std::size_t without_gain_ = 0;       // number of branches since the last gain
  bool is_done_ = false;
};

void check_sizes(const LocalEvidence& evidence, const GuideTree& tree, std::size_t rows) {
  const std::size_t n = tree.leaves;
  if (evidence.sequences.size() == n && evidence.importance.sequences() == n && rows == n) return;
  throw Error(ErrorKind::internal, "local mode: tree, sequences and importance do not agree");
}

constexpr double kShortest = 0.001;  // least length of a branch

/// Resistance of two parallel branches; 0 if one of them has none.
double parallel(double a, double b) { return a > 0 && b > 0 ? 1 / (1 / a + 1 / b) : 0; }

/// Three-way weight of an inner node for groups divided at branch c; a and b are its other
/// branches.
double three_way(double a, double b, double c) {
  if (c <= 0) return 1;
  if (a <= 0 || b <= 0) return 0.01;
  return std::sqrt(a * b * (c + a) * (c + b) / (c * (a + b) * (a * b + b * c + c * a)));
}

}  // namespace

Msa local_progressive(const LocalEvidence& evidence, const GuideTree& tree,
                      std::span<const double> weights) {
  check_sizes(evidence, tree, weights.size());
  const LeafOrder order = leaf_order(tree);
  std::vector<std::uint32_t> columns(tree.nodes(), 0), scaled(tree.leaves, 0);
  Msa msa;
  for (std::uint32_t x = 0; x < tree.leaves; ++x) {
    columns[x] = evidence.sequences.length(x);
    msa.column_of.emplace_back(columns[x]);
    std::iota(msa.column_of[x].begin(), msa.column_of[x].end(), 0u);
  }
  // The joins of one level have no sequence in common.
  for (const std::vector<std::uint32_t>& joins : levels_of(tree)) {
    // A single join uses all threads.
    const std::size_t threads = joins.size() > 1 ? 1 : static_cast<std::size_t>(thread_count());
    parallel_for(joins.size(), [&](std::size_t index, int) {
      const std::uint32_t k = joins[index], left = tree.left[k], right = tree.right[k];
      scale_weights(weights, order.of(left), scaled);
      scale_weights(weights, order.of(right), scaled);
      std::vector<ScoreScratch> scratch(threads);
      const TwoGroups groups({order.of(left), columns[left]}, {order.of(right), columns[right]},
                             msa.column_of, evidence, scaled, scratch);
      const ProfilePath path = best_group_path(groups.scores(evidence)).path;
      move_columns(groups.a.rows, path.x_column, msa.column_of);
      move_columns(groups.b.rows, path.y_column, msa.column_of);
      columns[tree.leaves + k] = path.columns;
    });
  }
  if (tree.leaves > 0) msa.columns = columns.back();
  return msa;
}

SplitOutcome try_split(const Msa& msa, const BranchSplit& split, const LocalEvidence& evidence,
                       SplitScratch& scratch) {
  Columns column_of = msa.column_of;
  const std::vector<std::uint32_t> first = squeeze(split.first, msa.columns, column_of);
  const std::vector<std::uint32_t> second = squeeze(split.second, msa.columns, column_of);
  const TwoGroups groups({split.first, static_cast<std::uint32_t>(first.size())},
                         {split.second, static_cast<std::uint32_t>(second.size())}, column_of,
                         evidence, split.weights, scratch.scores);
  const GroupScores scores = groups.scores(evidence);
  const bool is_swapped = groups.a.rows.data() != split.first.data();
  const ProfilePath present = {is_swapped ? second : first, is_swapped ? first : second,
                               msa.columns, 0};
  SplitOutcome outcome;
  outcome.present = path_score(scores, present);
  const GroupPath found = best_group_path(scores, outcome.present, &scratch.groups);
  outcome.best = found.score;
  if (found.score <= outcome.present) return outcome;
  move_columns(groups.a.rows, found.path.x_column, column_of);
  move_columns(groups.b.rows, found.path.y_column, column_of);
  outcome.msa = {found.path.columns, std::move(column_of)};
  return outcome;
}

Msa local_refine(Msa msa, const LocalEvidence& evidence, const GuideTree& tree,
                 const LocalRefineOptions& options) {
  check_sizes(evidence, tree, msa.column_of.size());
  if (tree.leaves < 2) return msa;
  return LocalRefinement(std::move(msa), evidence, tree, options).run();
}

void scale_weights(std::span<const double> weights, std::span<const std::uint32_t> group,
                   std::span<std::uint32_t> scaled) {
  double sum = 0;
  for (const std::uint32_t x : group) sum += weights[x];
  for (const std::uint32_t x : group) {
    const double share = std::floor(kGroupWeight * (weights[x] / sum) + 0.5);
    scaled[x] = static_cast<std::uint32_t>(std::max(1.0, share));
  }
}

BranchSplits::BranchSplits(const GuideTree& tree) : leaves_(tree.leaves), at_node_(tree.nodes()) {
  if (tree.left.empty()) return;
  const GuideTree lengths = with_branch_lengths(tree);
  const auto length = [&](std::uint32_t node) {
    return std::max<double>(kShortest, lengths.length[node]);
  };
  for (std::size_t k = 0; k + 1 < tree.left.size(); ++k) {
    const std::uint32_t node = tree.leaves + static_cast<std::uint32_t>(k);
    add_edge(tree.left[k], node, length(tree.left[k]));
    add_edge(tree.right[k], node, length(tree.right[k]));
  }
  const auto [low, high] = std::minmax(tree.left.back(), tree.right.back());
  const double whole = double{lengths.length[low]} + double{lengths.length[high]};
  add_edge(low, high, std::max(kShortest, whole));
  find_resistances(high);
  for (std::uint32_t edge = 0; edge < low_.size(); ++edge) {
    weight_.push_back(node_weight(low_[edge], edge) * node_weight(high_[edge], edge));
  }
  branches_.resize(low_.size());
  std::iota(branches_.begin(), branches_.end(), 0u);
  std::sort(branches_.begin(), branches_.end(),
            [&](std::uint32_t a, std::uint32_t b) { return low_[a] < low_[b]; });
}

void BranchSplits::add_edge(std::uint32_t a, std::uint32_t b, double length) {
  const auto edge = static_cast<std::uint32_t>(low_.size());
  low_.push_back(a);
  high_.push_back(b);
  length_.push_back(length);
  at_node_[a].push_back({b, edge});
  at_node_[b].push_back({a, edge});
}

/// Synthetic length (Gotoh 1995) of an edge and the subtree behind it, where `node` is the end of
/// the edge inside the subtree.
double BranchSplits::resistance(std::uint32_t node, std::uint32_t edge) const {
  return node == low_[edge] ? from_low_[edge] : from_high_[edge];
}

/// Computes from_low_ and from_high_ of all edges: once from the leaves to `root`, once back.
void BranchSplits::find_resistances(std::uint32_t root) {
  from_low_.assign(low_.size(), 0);
  from_high_.assign(low_.size(), 0);
  constexpr std::uint32_t kNoEdge = 0xffffffffu;
  std::vector<End> order = {{root, kNoEdge}};
  for (std::size_t k = 0; k < order.size(); ++k) {
    const End here = order[k];
    for (const End& next : at_node_[here.node]) {
      if (next.edge != here.edge) order.push_back(next);
    }
  }
  // The other two edges of the node in parallel, in series with the edge itself.
  const auto set = [&](std::uint32_t node, std::uint32_t edge) {
    double sides[2] = {0, 0};
    int count = 0;
    for (const End& next : at_node_[node]) {
      if (next.edge != edge) sides[count++] = resistance(next.node, next.edge);
    }
    const double behind = count == 2 ? parallel(sides[0], sides[1]) : 0;
    (node == low_[edge] ? from_low_ : from_high_)[edge] = behind + length_[edge];
  };
  for (std::size_t k = order.size(); k-- > 1;) set(order[k].node, order[k].edge);
  for (std::size_t k = 1; k < order.size(); ++k) {
    const std::uint32_t edge = order[k].edge;
    set(order[k].node == low_[edge] ? high_[edge] : low_[edge], edge);
  }
}

double BranchSplits::node_weight(std::uint32_t node, std::uint32_t edge) const {
  double sides[2] = {0, 0};
  int count = 0;
  for (const End& next : at_node_[node]) {
    if (next.edge != edge) sides[count++] = resistance(next.node, next.edge);
  }
  if (count < 2) return 1;
  const std::uint32_t other = node == low_[edge] ? high_[edge] : low_[edge];
  return three_way(sides[0], sides[1], resistance(other, edge));
}

/// Collects the leaves behind `node`, seen from `edge`, each with the product of the weights of the
/// edges on its path.
void BranchSplits::collect(std::uint32_t node, std::uint32_t edge,
                           std::vector<std::uint32_t>& leaves, std::vector<double>& weights) const {
  struct Place {
    std::uint32_t node, edge;
    double weight;
  };
  std::vector<Place> open = {{node, edge, 1.0}};
  while (!open.empty()) {
    const Place place = open.back();
    open.pop_back();
    if (place.node < leaves_) {
      leaves.push_back(place.node);
      weights[place.node] = place.weight;
      continue;
    }
    for (const End& next : at_node_[place.node]) {
      if (next.edge == place.edge) continue;
      open.push_back({next.node, next.edge, place.weight * weight_[next.edge]});
    }
  }
  std::sort(leaves.begin(), leaves.end());
}

BranchSplit BranchSplits::at(std::size_t k) const {
  const std::uint32_t edge = branches_[k];
  BranchSplit split;
  std::vector<double> weights(leaves_, 0.0);
  collect(low_[edge], edge, split.first, weights);
  collect(high_[edge], edge, split.second, weights);
  if (split.first.front() != 0) std::swap(split.first, split.second);
  split.weights.assign(leaves_, 0);
  scale_weights(weights, split.first, split.weights);
  scale_weights(weights, split.second, split.weights);
  return split;
}

}  // namespace accord
