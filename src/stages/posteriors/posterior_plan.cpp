// SPDX-License-Identifier: Apache-2.0
#include "stages/posteriors/posterior_plan.hpp"

#include <unordered_map>

#include "posteriors/workspace.h"
#include "stages/posteriors/wavefront_workspace.h"

namespace accord {
namespace {

/// The width of the bands of a task. Chooses the fewest bands, of about equal widths, that fit the
/// limits. If none fit, chooses the bands that need the least memory: the borders of many narrow
/// bands take more memory than the bands save.
///
/// `all`    the width of a single band, which is returned as 0
/// `bytes`  a function of a width (0: a single band): working memory of the task
/// `values` bytes of forward values for each 1 of the width
template <class Bytes>
std::uint32_t choose_band_width(std::uint32_t all, const Bytes& bytes, std::uint64_t values,
                                const TaskLimits& limits) {
  // The largest smaller width that needs more bands; 0 if there is none.
  const auto next_narrower = [&](std::uint32_t width) {
    if (width == 1) return 0u;
    const std::uint32_t bands = (all + width - 2) / (width - 1);
    return (all + bands - 1) / bands;
  };
  std::uint32_t best = all;
  std::uint64_t least = bytes(0);
  for (std::uint32_t width = all; width > 0; width = next_narrower(width)) {
    const std::uint64_t needed = width == all ? least : bytes(width);
    if (needed > least) continue;
    best = width;
    least = needed;
    if (least <= limits.task_bytes && width * values <= limits.band_bytes) break;
  }
  return best == all ? 0 : best;
}

/// The width of the bands of a task of some x's, in columns.
std::uint32_t choose_band_columns(std::uint32_t rows, std::uint32_t cols, std::uint32_t lanes,
                                  const TaskLimits& limits) {
  const accord_workspace one = accord_plan_workspace(rows, cols, 0);
  const std::uint64_t tiles = std::uint64_t{ACCORD_MODELS} * lanes * one.row_tiles;
  return ACCORD_TILE * choose_band_width(
                           one.col_tiles,
                           [&](std::uint32_t width) {
                             return pair_task_bytes(rows, cols, width * ACCORD_TILE, lanes);
                           },
                           tiles * ACCORD_TILE * ACCORD_TILE * sizeof(float), limits);
}

/// The width of the bands of a wavefront task of some pairs, in rounds.
std::uint32_t choose_band_rounds(std::uint32_t rows, std::uint32_t cols, std::uint32_t pairs,
                                 std::uint32_t lanes, const TaskLimits& limits) {
  const accord_wavefront_workspace one = accord_plan_wavefront(rows, cols, pairs, 0, lanes);
  const std::uint64_t tiles = std::uint64_t{ACCORD_MODELS} * lanes * one.period;
  return choose_band_width(
      one.rounds,
      [&](std::uint32_t width) { return wavefront_task_bytes(rows, cols, pairs, width, lanes); },
      tiles * ACCORD_TILE * ACCORD_TILE * sizeof(float), limits);
}

/// The time of a residue of y in a wavefront task of some pairs, in cells of the other tasks. A
/// cell takes 1.4 times as long, since every lane loads other weights and hands its values to the
/// next lane; the last lane is `lanes` rows behind the first; and half of the last round lies
/// behind the last column, if y is about as long as the x's. A narrow vector takes 0.6 of the time
/// of a wide one for half as many cells (EPYC of Zen 5).
std::uint64_t wavefront_cost(std::uint32_t rows, std::uint32_t pairs, std::uint32_t lanes,
                             const TaskLimits& limits) {
  const std::uint64_t round = std::uint64_t{lanes} * ACCORD_TILE;
  const std::uint64_t period = std::max<std::uint64_t>(rows, round);
  const std::uint64_t cells = pairs * period * rows + round * (period + round) / 2;
  return (lanes == limits.narrow_lanes ? 16 : 14) * cells / (10 * std::max(rows, 1u));
}

/// Whether a wavefront task of some pairs, whose y is no longer than its x's, needs no bands.
bool is_small_wavefront(std::uint32_t rows, std::uint32_t pairs, std::uint32_t lanes,
                        const TaskLimits& limits) {
  const accord_wavefront_workspace w = accord_plan_wavefront(rows, rows, pairs, 0, lanes);
  return (w.match_scale - w.match) * sizeof(float) <= limits.band_bytes &&
         w.size * sizeof(float) <= limits.task_bytes;
}

/// Some of the x's of a block, for one task.
struct Cut {
  std::uint32_t count = 0;
  std::uint32_t lanes = 0;
  bool is_wavefront = false;
};

/// Finds the cuts of a block into tasks with the fewest cells. For each number of first x's, the
/// best cuts follow from those of fewer x's (shortest paths). The cost of a cut is its lanes times
/// the rows of its longest x, or the cost of a wavefront. A wavefront of several x's must need no
/// bands.
class BlockCuts {
 public:
  /// Adds the next x, no longer than the one before.
  void add(std::uint32_t rows, const TaskLimits& limits) {
    rows_[count_++] = rows;
    cost_[count_] = UINT64_MAX;
    for (std::uint32_t done = 0; done < count_; ++done) {
      for (const std::uint32_t lanes : {limits.lanes, limits.narrow_lanes}) {
        if (count_ - done > lanes) continue;
        take({count_ - done, lanes}, std::uint64_t{lanes} * rows_[done]);
      }
    }
    for (const std::uint32_t lanes : {limits.lanes, limits.narrow_lanes}) {
      if (!limits.has_wavefronts || lanes == 0) continue;
      for (std::uint32_t pairs = 1; pairs <= std::min(count_, lanes); ++pairs) {
        const std::uint32_t longest = rows_[count_ - pairs];
        if (pairs > 1 && !is_small_wavefront(longest, pairs, lanes, limits)) break;
        take({pairs, lanes, true}, wavefront_cost(longest, pairs, lanes, limits));
      }
    }
  }
  std::uint32_t count() const { return count_; }
  /// The cost of the best cuts of all x's.
  std::uint64_t cost() const { return cost_[count_]; }
  /// The cut that ends with the first `count` x's.
  Cut last(std::uint32_t count) const { return last_[count]; }

 private:
  /// Compares a cut that ends with the last x with the best one so far, and keeps the better one.
  void take(Cut cut, std::uint64_t cut_cost) {
    const std::uint64_t cost = cost_[count_ - cut.count] + cut_cost;
    if (cost >= cost_[count_]) return;
    cost_[count_] = cost;
    last_[count_] = cut;
  }

  std::uint32_t count_ = 0;
  std::array<std::uint32_t, kBlockPairs> rows_{};
  std::array<std::uint64_t, kBlockPairs + 1> cost_{};
  std::array<Cut, kBlockPairs + 1> last_{};
};

/// Appends the tasks of a block.
void add_tasks(std::span<const std::uint32_t> lengths, const PairBlock& block,
               const TaskLimits& limits, std::vector<PairTask>& tasks) {
  const std::uint32_t cols = lengths[block.y];
  BlockCuts cuts;
  for (const std::uint32_t rows : lengths.subspan(block.first_x, block.count)) {
    cuts.add(rows, limits);
  }
  for (std::uint32_t end = block.count; end > 0; end -= cuts.last(end).count) {
    const Cut cut = cuts.last(end);
    PairTask task;
    task.y = block.y;
    task.first_x = block.first_x + end - cut.count;
    task.count = cut.count;
    task.lanes = cut.lanes;
    task.is_wavefront = cut.is_wavefront;
    const std::uint32_t rows = lengths[task.first_x];
    if (cut.is_wavefront) {
      const std::uint32_t rounds = choose_band_rounds(rows, cols, cut.count, cut.lanes, limits);
      task.band_columns = rounds * cut.lanes * ACCORD_TILE;
      task.work_bytes = wavefront_task_bytes(rows, cols, cut.count, rounds, cut.lanes);
      task.cells = wavefront_cost(rows, cut.count, cut.lanes, limits) * cols;
      tasks.push_back(task);
      continue;
    }
    task.band_columns = choose_band_columns(rows, cols, cut.lanes, limits);
    task.work_bytes = pair_task_bytes(rows, cols, task.band_columns, cut.lanes);
    task.cells = std::uint64_t{rows} * cols * cut.lanes;
    tasks.push_back(task);
  }
}

/// Sums over the partners of a y. For y's that share a list of partners, each next y has the
/// partners of the previous y and further ones of the list.
class ListSums {
 public:
  /// Adds the partners that were not added yet.
  void extend(std::span<const std::uint32_t> lengths, std::span<const std::uint32_t> partners,
              const TaskLimits& limits) {
    for (; taken_ < partners.size(); ++taken_) {
      if (block_.count() == kBlockPairs) {
        full_ += static_cast<double>(block_.cost());
        block_ = {};
      }
      block_.add(lengths[partners[taken_]], limits);
      rows_ += lengths[partners[taken_]];
    }
  }
  double rows() const { return rows_; }
  /// Lanes times rows of the tasks; for wavefronts, the number that takes the same time.
  double task_rows() const { return full_ + static_cast<double>(block_.cost()); }

 private:
  std::size_t taken_ = 0;
  BlockCuts block_;             // the last one
  double full_ = 0, rows_ = 0;  // cost of the blocks before; rows of the partners
};

bool is_long(const PairLengths& pair) { return std::uint64_t{pair.x} * pair.y >= kLongCells; }

/// The time of pairs in teams of a size, in steps: of the longest pair, and of all pairs on a
/// device that they fill.
struct TeamTime {
  double longest = 0, filled = 0;
  double all() const { return std::max(longest, filled); }
};

TeamTime time_of(std::span<const PairLengths> pairs, std::uint32_t team, std::size_t groups) {
  constexpr double kOfLargeGroup = 1.2;  // items wait for each other (measured on an H200)
  const double of_step = group_of(team) > kTeamGroup ? kOfLargeGroup : 1.0;
  const double share =
      of_step * team / (static_cast<double>(groups) * kTeamGroup);  // of the device in a step
  TeamTime time;
  for (const PairLengths& pair : pairs) {
    const double steps =
        accord_team_steps(pair.x / ACCORD_TILE + 1, pair.y / ACCORD_TILE + 1, team);
    time.filled += steps * share;
    time.longest = std::max(time.longest, steps * of_step);
  }
  return time;
}

}  // namespace

std::uint64_t pair_task_bytes(std::uint32_t rows, std::uint32_t cols, std::uint32_t band_columns,
                              std::uint32_t lanes) {
  return accord_plan_workspace(rows, cols, band_columns).size * lanes * sizeof(float);
}

std::uint64_t wavefront_task_bytes(std::uint32_t rows, std::uint32_t cols, std::uint32_t pairs,
                                   std::uint32_t band_rounds, std::uint32_t lanes) {
  return accord_plan_wavefront(rows, cols, pairs, band_rounds, lanes).size * sizeof(float);
}

std::vector<PairBlock> plan_pair_blocks(std::span<const std::uint32_t> lengths) {
  std::vector<PairBlock> blocks;
  for (std::uint32_t y = 1; y < lengths.size() && lengths[y] > 0; ++y) {
    for (std::uint32_t x = 0; x < y; x += kBlockPairs) {
      blocks.push_back({y, x, std::min(kBlockPairs, y - x)});
    }
  }
  std::stable_sort(blocks.begin(), blocks.end(), [&](const PairBlock& a, const PairBlock& b) {
    return block_cells(lengths, a) > block_cells(lengths, b);
  });
  return blocks;
}

std::vector<PairBlock> cut_blocks(std::span<const PairBlock> blocks, std::uint32_t lanes) {
  std::vector<PairBlock> pieces;
  for (const PairBlock& block : blocks) {
    for (std::uint32_t first = 0; first < block.count; first += lanes) {
      pieces.push_back({block.y, block.first_x + first, std::min(lanes, block.count - first)});
    }
  }
  return pieces;
}

std::uint64_t block_cells(std::span<const std::uint32_t> lengths, const PairBlock& block) {
  return std::uint64_t{lengths[block.first_x]} * lengths[block.y] * block.count;
}

std::vector<PairTask> plan_pair_tasks(std::span<const std::uint32_t> lengths,
                                      std::span<const PairBlock> blocks, const TaskLimits& limits) {
  std::vector<PairTask> tasks;
  for (const PairBlock& block : blocks) add_tasks(lengths, block, limits, tasks);
  std::stable_sort(tasks.begin(), tasks.end(),
                   [](const PairTask& a, const PairTask& b) { return a.cells > b.cells; });
  return tasks;
}

PairWork work_of_pairs(std::span<const std::uint32_t> lengths, const PairSet& pairs,
                       const TaskLimits& limits) {
  std::unordered_map<std::size_t, ListSums> sums_of;
  PairWork work;
  double most = 0;
  for (std::uint32_t y = 0; y < lengths.size(); ++y) {
    const std::span<const std::uint32_t> partners = pairs.partners(y);
    if (partners.empty()) continue;
    ListSums& sums = sums_of[pairs.list(y)];
    sums.extend(lengths, partners, limits);
    work.rows += sums.rows();
    work.cells += sums.rows() * lengths[y];
    work.task_cells += sums.task_rows() * lengths[y];
    // The first block of a list has the longest x, and as many as any.
    const double largest = static_cast<double>(lengths[partners.front()]) * lengths[y] *
                           static_cast<double>(std::min<std::size_t>(kBlockPairs, partners.size()));
    if (largest <= most) continue;
    most = largest;
    work.largest = {partners.front(), y};
  }
  return work;
}

std::vector<std::uint32_t> plan_teams(std::span<const PairLengths> pairs, std::size_t groups) {
  constexpr double kWorthIt = 0.75;
  const TeamTime smallest = time_of(pairs, kTeams.front(), groups);
  if (smallest.filled >= smallest.longest) return std::vector(pairs.size(), kTeams.front());
  std::vector<PairLengths> others, long_ones;
  for (const PairLengths& pair : pairs) (is_long(pair) ? long_ones : others).push_back(pair);
  std::uint32_t usual = kTeams.front(), of_long = usual;
  double best = smallest.all();
  const auto consider = [&](std::uint32_t team, std::uint32_t team_of_long, double steps) {
    if (steps > kWorthIt * best) return;
    usual = team;
    of_long = team_of_long;
    best = steps;
  };
  for (const std::uint32_t team : kTeams) {
    consider(team, team, time_of(pairs, team, groups).all());
    if (long_ones.empty() || others.empty()) continue;
    consider(team, kTeams.back(),
             time_of(others, team, groups).all() + time_of(long_ones, kTeams.back(), groups).all());
  }
  std::vector<std::uint32_t> teams;
  for (const PairLengths& pair : pairs) teams.push_back(is_long(pair) ? of_long : usual);
  return teams;
}

}  // namespace accord
