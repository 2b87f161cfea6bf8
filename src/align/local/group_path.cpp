// SPDX-License-Identifier: Apache-2.0
#include "align/local/group_path.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <deque>
#include <string>
#include <thread>
#include <utility>

#include "accord/base/error.hpp"
#include "align/local/group_bounds.hpp"
#include "align/local/group_sweep.hpp"
#include "align/local/importance.hpp"
#include "base/checked_size.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"

namespace accord {
namespace {

constexpr double kImpossible = -std::numeric_limits<double>::infinity();
constexpr std::size_t kTraceBytes = std::size_t{16} << 20;

/// The least number of cells for a parallel loop; the number of columns of a strip; and the number
/// of rows after which a strip lets the strip on its right continue.
constexpr std::size_t kParallelMatrix = 50000, kColumns = 128, kTurn = 16;
static_assert(kColumns <= kStripColumns);

/// Best scores of the alignments of the first columns of a with the first columns of b, for each
/// state of the last column. kImpossible if there is none.
struct Border {
  double both = kImpossible, only_a = kImpossible, only_b = kImpossible;

  double best() const { return std::max({both, only_a, only_b}); }
};

/// The borders for all columns of b, at one column of a.
struct Row {
  std::vector<double> both, only_a, only_b;  // by columns of b

  explicit Row(std::size_t width)
      : both(width, kImpossible), only_a(width, kImpossible), only_b(width, kImpossible) {}

  Border at(std::size_t j) const { return {both[j], only_a[j], only_b[j]}; }
};

/// Data of the groups that all strips share.
struct StripEvidence {
  const GroupScores& groups;
  const LetterScores& letters;
  const GroupBounds& bounds;
  const std::vector<double>& unpaired;  ///< see StripColumns
  double at_least;                      ///< alignments with a lower score are not needed

  /// Whether an alignment with this score after column i of a and column j of b can still reach
  /// at_least.
  bool is_alive(double score, std::size_t i, std::size_t j) const {
    return score + std::min(bounds.behind_a[i], bounds.behind_b[j]) >= at_least;
  }
};

/// Some neighbouring columns of b, which are swept row by row (a row is a column of a). The strip
/// stores two rows, the current one and the one before, and the scores of the next rows. Column 0
/// stands before the columns of b.
///
/// Rows through which no alignment reaches at_least are skipped: their values are kImpossible.
class Strip {
 public:
  Strip(const StripEvidence& evidence, std::size_t first, std::size_t end)
      : evidence_(evidence),
        groups_(evidence.groups),
        first_(first),
        count_(end - first),
        stride_(count_ + 1),
        unpaired_before_(first > 0 ? evidence.unpaired[first - 1] : 0),
        values_(6 * stride_),
        match_(kTurn * count_) {
    const GroupColumns& b = groups_.b;
    const std::vector<double>& unpaired = evidence.unpaired;
    columns_ = {b.residues.data() + first,
                b.residue_pairs.data() + first,
                b.gaps.data() + first,
                b.gap_pairs.data() + first,
                b.inner.data() + first,
                unpaired.data() + first,
                count_};
  }

  /// Begins a block of rows; `row` is the row before the block.
  void begin(const Row& row) {
    const StripRow here = rows(is_odd_);
    std::copy_n(row.both.data() + first_, count_, here.both);
    std::copy_n(row.only_a.data() + first_, count_, here.only_a);
    std::copy_n(row.only_b.data() + first_, count_, here.only_b);
    set_left(first_ == 0 ? Border() : row.at(first_ - 1));
    is_empty_ = false;
  }

  /// Whether a cell of the current row i can lead to an alignment that reaches at_least.
  bool is_alive(std::size_t i) const {
    if (is_empty_) return false;
    const StripRow here = rows(is_odd_);
    for (std::size_t j = 0; j < count_; ++j) {
      const double best = std::max({here.both[j], here.only_a[j], here.only_b[j]});
      if (evidence_.is_alive(best, i, first_ + j)) return true;
    }
    return false;
  }

  /// Marks the current rows as skipped: all values become kImpossible.
  void leave_out() {
    if (!std::exchange(is_empty_, true)) std::ranges::fill(values_, kImpossible);
  }

  /// Continues behind skipped rows; `left` is the last column of the strip on the left, in the row
  /// before the next one.
  void go_on(const Border& left) {
    if (std::exchange(is_empty_, false)) set_left(left);
  }

  /// Computes the scores of `count` rows from `first` on; `count` is at most kTurn. Scores do not
  /// depend on the strip on the left, so they are computed before waiting for it.
  void score(std::size_t first, std::size_t count) {
    scored_from_ = first;
    for (std::size_t k = 0; k < count; ++k) score_row(first + k, match_.data() + k * count_);
  }

  /// Computes row i, whose scores are known. `left` is the last column of the strip on the left in
  /// this row; returns the same of this strip. `trace` is the row of the trace for all columns of
  /// b.
  Border sweep(std::size_t i, const Border& left, std::uint8_t* trace) {
    const StripRow above = rows(is_odd_);
    is_odd_ = !is_odd_;
    set_left(left);
    const StripRow here = rows(is_odd_);
    const GroupColumns& a = groups_.a;
    const double open = groups_.open;
    const GapSums gaps = {open * a.residues[i], open * a.residue_pairs[i], open * a.gaps[i],
                          open * a.gap_pairs[i], open * a.inner[i]};
    sweep_strip_row(columns_, gaps, unpaired_before_, match_.data() + (i - scored_from_) * count_,
                    above, here, trace + first_);
    return {here.both[count_ - 1], here.only_a[count_ - 1], here.only_b[count_ - 1]};
  }

  /// Copies the current row to its columns of `row`.
  void end(Row& row) const {
    const StripRow here = rows(is_odd_);
    std::copy_n(here.both, count_, row.both.data() + first_);
    std::copy_n(here.only_a, count_, row.only_a.data() + first_);
    std::copy_n(here.only_b, count_, row.only_b.data() + first_);
  }

 private:
  StripRow rows(bool is_odd) const {
    double* const first = values_.data() + (is_odd ? 3 * stride_ : 0) + 1;
    return {first, first + stride_, first + 2 * stride_};
  }
  void set_left(const Border& left) {
    const StripRow here = rows(is_odd_);
    here.both[-1] = left.both;
    here.only_a[-1] = left.only_a;
    here.only_b[-1] = left.only_b;
  }

  /// Computes the scores of column i of a with the columns of b in this strip.
  void score_row(std::size_t i, double* match) {
    std::fill_n(match, count_, 0.0);
    for (const GroupColumns::Letter& letter : groups_.a.at(i)) {
      add_scores(letter.weight, evidence_.letters.of(letter.code) + first_, count_, match);
    }
    // Column c of b is numbered from 0 in the importance, and is column c + 1 here.
    const ProfileScores& importance = groups_.importance;
    const auto end =
        importance.cells.begin() + static_cast<std::ptrdiff_t>(importance.row_begin[i]);
    auto cell = std::lower_bound(
        importance.cells.begin() + static_cast<std::ptrdiff_t>(importance.row_begin[i - 1]), end,
        first_, [](const ScoreCell& s, std::size_t first) { return s.column + 1 < first; });
    for (; cell != end && cell->column + 1 < first_ + count_; ++cell) {
      match[cell->column + 1 - first_] += static_cast<double>(cell->sum);
    }
  }

  const StripEvidence& evidence_;
  const GroupScores& groups_;
  std::size_t first_, count_, stride_;
  double unpaired_before_;
  StripColumns columns_;
  // For each of the two rows: both, only_a and only_b, each with a cell to its left.
  mutable std::vector<double> values_;
  bool is_odd_ = false;    // which of the two rows is the current one
  bool is_empty_ = false;  // its rows are skipped
  std::vector<double> match_;
  std::size_t scored_from_ = 0;  // the row of the first scores in match_
};

/// The dynamic programming over the columns of a (rows, from 1) and b. Strips of columns of b are
/// swept in parallel, each some rows behind the strip on its left.
class GroupAlignment {
 public:
  GroupAlignment(const GroupScores& groups, double at_least, std::vector<std::uint8_t>& trace)
      : rows_(groups.a.columns()),
        width_(groups.b.columns() + 1),
        here_(width_),
        trace_(trace),
        letters_(groups),
        bounds_(groups, letters_),
        evidence_{groups, letters_, bounds_, unpaired_, at_least} {
    block_rows_ = rows_;
    if (std::uint64_t{rows_ + 1} * width_ > kTraceBytes) {
      block_rows_ = static_cast<std::size_t>(5 * std::sqrt(static_cast<double>(rows_))) + 1;
    }
    const std::size_t bytes = checked_size(std::uint64_t{std::min(block_rows_, rows_)} * width_);
    if (trace_.size() < bytes) trace_.resize(bytes);
    unpaired_.resize(width_);
    for (std::size_t j = 1; j < width_; ++j) {
      unpaired_[j] = unpaired_[j - 1] + groups.b.residues[j] - groups.b.residue_pairs[j];
    }
    for (std::size_t first = 0; first < width_; first += kColumns) {
      strips_.emplace_back(evidence_, first, std::min(width_, first + kColumns));
    }
    borders_.resize(strips_.size() * std::min(block_rows_, rows_));
  }

  GroupPath run() {
    // Before the first column of a, columns of b stand alone; their gaps are at an end and cost
    // nothing.
    here_.both[0] = 0;
    std::fill(here_.only_b.begin() + 1, here_.only_b.end(), 0.0);
    std::vector<Row> kept;
    for (std::size_t first = 1; first <= rows_; first += block_rows_) {
      if (block_rows_ < rows_) kept.push_back(here_);
      fill_block(first);
    }
    const GroupState last = best_state();
    GroupPath result;
    result.score = value_of(last);
    std::vector<GroupState> moves = walk_back(last, kept);
    for (auto move = moves.rbegin(); move != moves.rend(); ++move, ++result.path.columns) {
      if (*move != kOnlyB) result.path.x_column.push_back(result.path.columns);
      if (*move != kOnlyA) result.path.y_column.push_back(result.path.columns);
    }
    return result;
  }

 private:
  double value_of(GroupState state) const {
    return (state == kBoth ? here_.both : state == kOnlyA ? here_.only_a : here_.only_b).back();
  }
  GroupState best_state() const {
    GroupState best = kBoth;
    for (const GroupState state : {kOnlyA, kOnlyB}) {
      if (value_of(state) > value_of(best)) best = state;
    }
    return best;
  }

  /// Computes a block of rows; `here_` is the row before the block, and then its last row.
  void fill_block(std::size_t first) {
    const std::size_t rows = std::min(rows_ + 1 - first, block_rows_);
    std::vector<std::atomic<std::size_t>> swept(strips_.size());
    // Strips are handed out first to last, so that the strip on the left has always begun.
    const auto sweep_strip = [&](std::size_t s, int) {
      strips_[s].begin(here_);
      for (std::size_t from = 0; from < rows; from += kTurn) {
        const std::size_t to = std::min(rows, from + kTurn);
        const bool is_alive = strips_[s].is_alive(first + from - 1);
        if (is_alive) strips_[s].score(first + from, to - from);
        while (s > 0 && swept[s - 1].load(std::memory_order_acquire) < to) {
          std::this_thread::yield();
        }
        sweep_turn(s, first, from, to, is_alive);
        swept[s].store(to, std::memory_order_release);
      }
    };
    if (rows * width_ < kParallelMatrix) {
      for (std::size_t s = 0; s < strips_.size(); ++s) sweep_strip(s, 0);
    } else {
      parallel_for(strips_.size(), sweep_strip);
    }
    for (const Strip& strip : strips_) strip.end(here_);
  }

  /// Sweeps rows [from, to) of the block in strip s, or skips them if no alignment through them can
  /// reach at_least. `first` is the first row of the block.
  void sweep_turn(std::size_t s, std::size_t first, std::size_t from, std::size_t to,
                  bool is_alive) {
    Strip& strip = strips_[s];
    const auto left = [&](std::size_t k) {
      return s > 0 ? borders_[(s - 1) * block_rows_ + k] : Border();
    };
    Border before;
    if (s > 0) before = from > 0 ? left(from - 1) : here_.at(s * kColumns - 1);
    const auto is_entered_after = [&](const Border& border, std::size_t i) {
      return s > 0 && evidence_.is_alive(border.best(), i, s * kColumns - 1);
    };
    bool is_entered = is_alive || is_entered_after(before, first + from - 1);
    for (std::size_t k = from; k < to && !is_entered; ++k) {
      is_entered = is_entered_after(left(k), first + k);
    }
    if (!is_entered) {
      strip.leave_out();
      std::fill_n(borders_.begin() + static_cast<std::ptrdiff_t>(s * block_rows_ + from), to - from,
                  Border());
      return;
    }
    strip.go_on(before);
    if (!is_alive) strip.score(first + from, to - from);
    for (std::size_t k = from; k < to; ++k) {
      borders_[s * block_rows_ + k] = strip.sweep(first + k, left(k), trace_.data() + k * width_);
    }
  }

  /// Follows the trace from the last cell; returns the state of each column, last to first.
  std::vector<GroupState> walk_back(GroupState state, const std::vector<Row>& kept) {
    std::vector<GroupState> moves;
    std::size_t i = rows_, j = width_ - 1, first = 1;
    if (rows_ > 0) first = (rows_ - 1) / block_rows_ * block_rows_ + 1;  // of the block in trace_
    while (i > 0) {
      if (i < first) {
        first -= block_rows_;
        here_ = kept[(first - 1) / block_rows_];
        fill_block(first);
      }
      moves.push_back(state);
      const std::uint8_t trace = trace_[(i - first) * width_ + j];
      const int shift = state == kBoth ? 0 : state == kOnlyA ? kBeforeA : kBeforeB;
      if (state != kOnlyB) --i;
      if (state != kOnlyA) --j;
      state = static_cast<GroupState>(trace >> shift & 3);
    }
    moves.insert(moves.end(), j, kOnlyB);
    return moves;
  }

  std::size_t rows_, width_, block_rows_;
  Row here_;
  std::vector<std::uint8_t>& trace_;
  std::vector<double> unpaired_;  // see StripColumns
  const LetterScores letters_;
  const GroupBounds bounds_;
  const StripEvidence evidence_;
  std::deque<Strip> strips_;
  std::vector<Border> borders_;  // last column of each strip, by row of a block
};

/// The largest sum of weights in a column; no value of a column exceeds it.
double weight_of(const GroupColumns& group) {
  double most = 0;
  for (std::size_t c = 0; c < group.residues.size(); ++c) {
    most = std::max({most, group.residues[c], group.inner[c]});
  }
  return most;
}

void check_columns(const GroupScores& groups) {
  // The largest score of a column: a score below 2^11, an importance below 2^16 and the cost of a
  // gap, times the weights of both groups.
  const double weights = weight_of(groups.a) * weight_of(groups.b);
  const double of_column = (kImportanceUnits * 2048.0 + 65536.0) * weights;
  const auto [fewer, more] = std::minmax({groups.a.columns(), groups.b.columns()});
  const double most = static_cast<double>(fewer) * of_column +
                      2 * static_cast<double>(more) * groups.open * weights;
  if (most < 9007199254740992.0) return;
  throw Error(ErrorKind::bad_input,
              "two groups of " + std::to_string(groups.a.columns()) + " and " +
                  counted(groups.b.columns(), "column") +
                  ": too long for exact scores of the local mode",
              "leave out {mode}");
}

}  // namespace

GroupPath best_group_path(const GroupScores& groups, double at_least, GroupScratch* scratch) {
  check_columns(groups);
  GroupScratch local_scratch;
  return GroupAlignment(groups, at_least, (scratch ? *scratch : local_scratch).trace).run();
}

}  // namespace accord
