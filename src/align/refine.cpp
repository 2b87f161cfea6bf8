// SPDX-License-Identifier: Apache-2.0
#include "align/refine.hpp"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "accord/base/error.hpp"
#include "align/profile_path.hpp"
#include "align/profile_scores.hpp"
#include "base/parallel.hpp"
#include "base/random_bits.hpp"

namespace accord {
namespace {

/// For each sequence, whether it is in the second group.
using Split = std::vector<bool>;

/// Picks a random column with a gap and returns a split by it: the sequences with a gap there form
/// the second group. Empty if no column has a gap.
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

/// One group of a split.
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

/// Realigns the groups of splits. A new alignment replaces the old one unless it is longer. The old
/// alignment is one of the alignments of the two groups, so that the expected accuracy falls only
/// by what it costs to close gaps (close_removable_gaps).
class Refinement {
 public:
  Refinement(Msa msa, const PosteriorSet& posteriors, std::span<const std::uint32_t> weights)
      : msa_(std::move(msa)), posteriors_(posteriors), weights_(weights) {}

  const Msa& msa() const { return msa_; }
  Msa finish() { return std::move(msa_); }

  /// Realigns one split.
  void run(Split split) {
    // The order of the groups decides ties, so sequence 0 is always in the first group.
    if (split[0]) split.flip();
    if (std::find(split.begin(), split.end(), true) == split.end()) return;
    // A split without effect has no effect until another split changes the alignment.
    if (without_effect_.count(split) != 0) return;
    if (realign(split)) {
      without_effect_.clear();
    } else {
      without_effect_.insert(std::move(split));
    }
  }

 private:
  /// Returns true if the alignment changed.
  bool realign(const Split& split) {
    const Group a = take_group(msa_, split, false);
    const Group b = take_group(msa_, split, true);
    Msa next;
    next.column_of = msa_.column_of;
    move_columns(a.rows, a.columns.number, next.column_of);
    move_columns(b.rows, b.columns.number, next.column_of);
    // The number of threads may change between iterations.
    const auto threads = static_cast<std::size_t>(thread_count());
    if (scratch_.size() < threads) scratch_.resize(threads);
    const ProfileScores scores =
        profile_scores({a.rows, a.columns.count}, {b.rows, b.columns.count}, next.column_of,
                       posteriors_, weights_, std::span(scratch_).first(threads));
    const ProfilePath path = best_path(scores);
    if (path.columns > msa_.columns) return false;
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
  std::vector<ScoreScratch> scratch_;
  std::set<Split> without_effect_;  ///< splits tried since the last change
};

}  // namespace

Msa refine(Msa msa, const PosteriorSet& posteriors, std::span<const std::uint32_t> weights,
           int iterations, const std::function<void()>& on_iteration) {
  const std::size_t n = msa.column_of.size();
  if (posteriors.sequences() != n || weights.size() != n) {
    throw Error(ErrorKind::internal, "refinement: alignment, posteriors and weights do not agree");
  }
  if (n < 2) return msa;
  Refinement refinement(std::move(msa), posteriors, weights);
  std::uint64_t random_state = 0;
  for (int iteration = 0; iteration < iterations; ++iteration) {
    Split split = gap_column_split(refinement.msa(), random_state);
    if (split.empty()) break;
    refinement.run(std::move(split));
    if (on_iteration) on_iteration();
  }
  return refinement.finish();
}

}  // namespace accord
