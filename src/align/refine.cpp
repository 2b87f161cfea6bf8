// SPDX-License-Identifier: Apache-2.0
#include "align/refine.hpp"

#include <algorithm>
#include <limits>
#include <set>
#include <utility>
#include <vector>

#include "accord/base/error.hpp"
#include "align/profile_path.hpp"
#include "align/profile_scores.hpp"
#include "align/progressive.hpp"
#include "base/parallel.hpp"

namespace accord {
namespace {

/// For each sequence, whether it is in the second group.
using Split = std::vector<bool>;

/// Random bits by the splitmix64 generator (Steele, Lea & Flood 2014): the standard library
/// promises the same numbers everywhere for its engines, but not for its distributions.
std::uint64_t next_random(std::uint64_t& state) {
  state += 0x9e3779b97f4a7c15u;
  std::uint64_t z = state;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

/// The coins of MSAProbs: a small congruential generator that starts at the iteration number.
/// For an even number of sequences the modulus is even, each step changes the parity of the state,
/// and every split is that of even against odd indices.
Split random_split(std::uint64_t sequences, std::uint64_t iteration) {
  std::uint64_t state = iteration;
  const auto draw = [&] {
    for (int step = 0; step < 7; ++step) state = (5 * state + 3) % (19 * sequences);
    return state;
  };
  draw();
  Split split(sequences);
  for (std::size_t x = 0; x < sequences; ++x) split[x] = draw() % 2 == 0;
  return split;
}

/// The sequences without a residue in a random column that has a gap; empty if no column has.
Split gap_column_split(const Msa& msa, std::uint64_t& random_state) {
  std::vector<std::uint32_t> residues(msa.columns, 0);
  for (const auto& columns : msa.column_of) {
    for (const std::uint32_t c : columns) ++residues[c];
  }
  std::vector<std::uint32_t> with_gap;
  for (std::uint32_t c = 0; c < msa.columns; ++c) {
    if (residues[c] < msa.column_of.size()) with_gap.push_back(c);
  }
  if (with_gap.empty()) return {};
  const std::uint32_t column = with_gap[next_random(random_state) % with_gap.size()];
  Split split;
  for (const auto& columns : msa.column_of) {
    split.push_back(!std::binary_search(columns.begin(), columns.end(), column));
  }
  return split;
}

/// Yields one split after the other.
class Splits {
 public:
  Splits(const GuideTree& tree, RefineStrategy strategy)
      : strategy_(strategy), sequences_(tree.leaves), order_(leaf_order(tree)) {
    // The two edges at the root stand for the same split: the last node is the root, and its
    // right child is left out.
    for (std::uint32_t node = 0; node + 1 < tree.nodes(); ++node) {
      if (node != tree.right.back()) edges_.push_back(node);
    }
  }

  /// After so many splits without effect in a row there is nothing left to do.
  std::size_t cycle() const {
    return strategy_ == RefineStrategy::tree_edge ? edges_.size()
                                                  : std::numeric_limits<std::size_t>::max();
  }

  /// The split of an iteration; empty if there is none left.
  Split next(const Msa& msa, std::uint64_t iteration) {
    switch (strategy_) {
      case RefineStrategy::random_split:
        return random_split(sequences_, iteration);
      case RefineStrategy::gap_column:
        return gap_column_split(msa, random_state_);
      case RefineStrategy::tree_edge:
        break;
    }
    Split split(sequences_, false);
    for (const std::uint32_t x : order_.of(edges_[iteration % edges_.size()])) split[x] = true;
    return split;
  }

 private:
  RefineStrategy strategy_;
  std::size_t sequences_;
  LeafOrder order_;
  std::vector<std::uint32_t> edges_;
  std::uint64_t random_state_ = 0;
};

/// One group of a split, taken out of an alignment.
struct Group {
  std::vector<std::uint32_t> rows;
  OccupiedColumns columns;
};

Group take_group(const Msa& msa, const Split& split, bool second) {
  Group group;
  for (std::uint32_t x = 0; x < split.size(); ++x) {
    if (split[x] == second) group.rows.push_back(x);
  }
  group.columns = occupied_columns(group.rows, msa.column_of, msa.columns);
  return group;
}

/// The score that the columns of the alignment the groups come from have now.
std::uint64_t present_score(const ProfileScores& scores, const Group& a, const Group& b) {
  std::uint64_t sum = 0;
  for (std::size_t c = 0; c < a.columns.number.size(); ++c) {
    const std::uint32_t row = a.columns.number[c];
    const std::uint32_t column = b.columns.number[c];
    if (row == OccupiedColumns::kNone || column == OccupiedColumns::kNone) continue;
    const auto first = scores.cells.begin() + static_cast<std::ptrdiff_t>(scores.row_begin[row]);
    const auto last = scores.cells.begin() + static_cast<std::ptrdiff_t>(scores.row_begin[row + 1]);
    const auto cell = std::lower_bound(
        first, last, column, [](const ScoreCell& s, std::uint32_t c2) { return s.column < c2; });
    if (cell != last && cell->column == column) sum += cell->sum;
  }
  return sum;
}

/// Realigns the groups of splits and keeps what the acceptance rule lets through.
class Refinement {
 public:
  Refinement(Msa msa, const PosteriorSet& posteriors, std::span<const std::uint32_t> weights,
             AcceptRule accept)
      : msa_(std::move(msa)), posteriors_(posteriors), weights_(weights), accept_(accept) {}

  const Msa& msa() const { return msa_; }
  Msa finish() { return std::move(msa_); }

  /// Realigns one split; true if the alignment changed.
  bool run(Split split) {
    // Which group is called the first decides ties; let it be that of sequence 0.
    if (split[0]) split.flip();
    if (std::find(split.begin(), split.end(), true) == split.end()) return false;
    // A split that changed nothing will change nothing until another one did.
    if (without_effect_.count(split) != 0) return false;
    if (realign(split)) {
      without_effect_.clear();
      return true;
    }
    without_effect_.insert(std::move(split));
    return false;
  }

 private:
  bool realign(const Split& split) {
    const Group a = take_group(msa_, split, false);
    const Group b = take_group(msa_, split, true);
    Msa next;
    next.column_of = msa_.column_of;
    move_columns(a.rows, a.columns.number, next.column_of);
    move_columns(b.rows, b.columns.number, next.column_of);
    // The cores of a family come and go between iterations.
    const auto threads = static_cast<std::size_t>(thread_count());
    if (scratch_.size() < threads) scratch_.resize(threads);
    const ProfileScores scores =
        profile_scores({a.rows, a.columns.count}, {b.rows, b.columns.count}, next.column_of,
                       posteriors_, weights_, std::span(scratch_).first(threads));
    const ProfilePath path = best_path(scores);
    if (accept_ == AcceptRule::not_longer && path.columns > msa_.columns) return false;
    if (accept_ == AcceptRule::better && path.score <= present_score(scores, a, b)) return false;
    move_columns(a.rows, path.x_column, next.column_of);
    move_columns(b.rows, path.y_column, next.column_of);
    next.columns = path.columns;
    if (next == msa_) return false;
    msa_ = std::move(next);
    return true;
  }

  Msa msa_;
  const PosteriorSet& posteriors_;
  std::span<const std::uint32_t> weights_;
  AcceptRule accept_;
  std::vector<ScoreScratch> scratch_;
  std::set<Split> without_effect_;  ///< splits tried since the last change
};

}  // namespace

Msa refine(Msa msa, const PosteriorSet& posteriors, const GuideTree& tree,
           std::span<const std::uint32_t> weights, const RefineOptions& options,
           const std::function<void()>& on_iteration) {
  const std::size_t n = msa.column_of.size();
  if (posteriors.sequences() != n || tree.leaves != n || weights.size() != n) {
    throw Error(ErrorKind::internal,
                "refinement: alignment, tree, posteriors and weights do not agree");
  }
  if (n < 2) return msa;
  Splits splits(tree, options.strategy);
  Refinement refinement(std::move(msa), posteriors, weights, options.accept);
  std::size_t unchanged = 0;
  for (int iteration = 0; iteration < options.iterations && unchanged < splits.cycle();
       ++iteration) {
    Split split = splits.next(refinement.msa(), static_cast<std::uint64_t>(iteration));
    if (split.empty()) break;
    unchanged = refinement.run(std::move(split)) ? 0 : unchanged + 1;
    if (on_iteration) on_iteration();
  }
  return refinement.finish();
}

}  // namespace accord
