// SPDX-License-Identifier: Apache-2.0
#include "accord/align/group_path.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string>
#include <vector>

#include "accord/align/branch_weights.hpp"
#include "accord/align/importance.hpp"
#include "accord/base/error.hpp"

namespace accord {
namespace {

constexpr double kImpossible = -std::numeric_limits<double>::infinity();
constexpr std::size_t kTraceBytes = std::size_t{16} << 20;

/// The last column of an alignment: of both groups, of a alone, of b alone.
enum State : std::uint8_t { both, only_a, only_b };

// A byte of the trace: the state before each of the three states.
constexpr int kBeforeA = 2, kBeforeB = 4;

/// Values of the alignments of some columns of a with all beginnings of b, by the last column.
struct Row {
  std::vector<double> both, only_a, only_b;  // by columns of b

  explicit Row(std::size_t width)
      : both(width, kImpossible), only_a(width, kImpossible), only_b(width, kImpossible) {}
};

/// The scores of a column of a with all columns of b.
class MatchRow {
 public:
  explicit MatchRow(const GroupScores& groups)
      : groups_(groups), width_(groups.b.columns() + 1), row_(width_), of_letter_(ACCORD_SYMBOLS) {}

  const std::vector<double>& of(std::size_t i) {
    std::fill(row_.begin(), row_.end(), 0.0);
    for (const GroupColumns::Letter& letter : groups_.a.at(i)) add(letter);
    const ProfileScores& importance = groups_.importance;
    for (std::size_t at = importance.row_begin[i - 1]; at < importance.row_begin[i]; ++at) {
      row_[importance.cells[at].column + 1] += static_cast<double>(importance.cells[at].sum);
    }
    return row_;
  }

 private:
  void add(const GroupColumns::Letter& letter) {
    const std::vector<double>& scores = scores_of(letter.code);
    double* const row = row_.data();
    for (std::size_t j = 0; j < width_; ++j) row[j] += letter.weight * scores[j];
  }

  /// The scores of a letter with the columns of b, found when they are first needed.
  const std::vector<double>& scores_of(std::uint8_t code) {
    std::vector<double>& scores = of_letter_[code];
    if (!scores.empty()) return scores;
    scores.assign(width_, 0.0);
    for (std::size_t j = 1; j < width_; ++j) {
      for (const GroupColumns::Letter& other : groups_.b.at(j)) {
        const std::int32_t score = groups_.scores[code * ACCORD_SYMBOLS + other.code];
        scores[j] += other.weight * (static_cast<double>(kImportanceUnits) * score);
      }
    }
    return scores;
  }

  const GroupScores& groups_;
  std::size_t width_;
  std::vector<double> row_;
  std::vector<std::vector<double>> of_letter_;
};

/// The dynamic programming over columns of a (rows, from 1) and b.
class GroupAlignment {
 public:
  explicit GroupAlignment(const GroupScores& groups)
      : groups_(groups),
        rows_(groups.a.columns()),
        width_(groups.b.columns() + 1),
        match_(groups),
        above_(width_),
        here_(width_) {
    block_rows_ = rows_;
    if ((rows_ + 1) * width_ > kTraceBytes) {
      block_rows_ = static_cast<std::size_t>(5 * std::sqrt(static_cast<double>(rows_))) + 1;
    }
    trace_.resize(std::min(block_rows_, rows_) * width_);
  }

  GroupPath run() {
    // Before the first column of a there are columns of b alone, whose gaps are at an end.
    here_.both[0] = 0;
    std::fill(here_.only_b.begin() + 1, here_.only_b.end(), 0.0);
    std::vector<Row> kept;
    for (std::size_t first = 1; first <= rows_; first += block_rows_) {
      if (block_rows_ < rows_) kept.push_back(here_);
      fill_block(first);
    }
    const State last = best_state();
    GroupPath result;
    result.score = value_of(last);
    std::vector<State> moves = walk_back(last, kept);
    for (auto move = moves.rbegin(); move != moves.rend(); ++move, ++result.path.columns) {
      if (*move != only_b) result.path.x_column.push_back(result.path.columns);
      if (*move != only_a) result.path.y_column.push_back(result.path.columns);
    }
    return result;
  }

 private:
  /// What a column of a has, times the cost of a gap.
  struct GapSums {
    double residues, pairs, gaps, gap_pairs, inner;
  };
  GapSums gaps_of(std::size_t i) const {
    const GroupColumns& a = groups_.a;
    const double open = groups_.open;
    return {open * a.residues[i], open * a.residue_pairs[i], open * a.gaps[i],
            open * a.gap_pairs[i], open * a.inner[i]};
  }

  double value_of(State state) const {
    const Row& row = here_;
    return (state == both ? row.both : state == only_a ? row.only_a : row.only_b).back();
  }
  State best_state() const {
    State best = both;
    for (const State state : {only_a, only_b}) {
      if (value_of(state) > value_of(best)) best = state;
    }
    return best;
  }

  /// The rows of a block, of which the row before the first is here_.
  void fill_block(std::size_t first) {
    const std::size_t end = std::min(rows_ + 1, first + block_rows_);
    for (std::size_t i = first; i < end; ++i) {
      std::swap(above_, here_);
      std::uint8_t* const trace = trace_.data() + (i - first) * width_;
      fill_from_above(i, trace);
      fill_along(i, trace);
    }
  }

  /// The states that end with column i of a: they need only the row above.
  void fill_from_above(std::size_t i, std::uint8_t* trace) {
    const GapSums a = gaps_of(i);
    const GroupColumns& b = groups_.b;
    const double *const residues = b.residues.data(), *const pairs = b.residue_pairs.data(),
                        *const gaps = b.gaps.data(), *const gap_pairs = b.gap_pairs.data(),
                        *const inner = b.inner.data();
    const double *const m = above_.both.data(), *const x = above_.only_a.data(),
                        *const y = above_.only_b.data();
    const double* const match = match_.of(i).data();
    double *const to_both = here_.both.data(), *const to_a = here_.only_a.data();
    for (std::size_t j = 0; j < width_; ++j) {
      const double opened = a.residues * inner[j], kept = a.pairs * gaps[j];
      const double after_both = m[j] - (opened - kept), after_b = y[j] - opened;
      const double after_a = x[j] - (a.residues - a.pairs) * inner[j];
      const double other = std::max(after_both, after_b);
      to_a[j] = std::max(after_a, other);
      const int before = after_a >= other ? only_a : after_both >= after_b ? both : only_b;
      trace[j] = static_cast<std::uint8_t>(before << kBeforeA);
    }
    to_both[0] = kImpossible;
    for (std::size_t j = 1; j < width_; ++j) {
      const double in_a = a.gaps * residues[j], in_b = a.residues * gaps[j];
      const double after_both =
          m[j - 1] - (in_a - a.gap_pairs * pairs[j]) - (in_b - a.pairs * gap_pairs[j]);
      const double after_a = x[j - 1] - in_a - (in_b - a.pairs * gaps[j]);
      const double after_b = y[j - 1] - in_b - (in_a - a.gaps * pairs[j]);
      const double either = std::max(after_both, after_a);
      to_both[j] = std::max(either, after_b) + match[j];
      const int before = after_b > either ? only_b : after_a > after_both ? only_a : both;
      trace[j] = static_cast<std::uint8_t>(trace[j] | before);
    }
  }

  /// The state that ends with a column of b alone, along the row.
  void fill_along(std::size_t i, std::uint8_t* trace) {
    const GapSums a = gaps_of(i);
    const double *const residues = groups_.b.residues.data(), *const pairs =
                                                                  groups_.b.residue_pairs.data();
    double value = kImpossible;
    here_.only_b[0] = value;
    for (std::size_t j = 1; j < width_; ++j) {
      const double opened = a.inner * residues[j];
      const double after_both = here_.both[j - 1] - (opened - a.gaps * pairs[j]);
      const double after_a = here_.only_a[j - 1] - opened;
      const double other = std::max(after_both, after_a);
      value -= a.inner * (residues[j] - pairs[j]);
      const int before = value >= other ? only_b : after_both >= after_a ? both : only_a;
      value = std::max(value, other);
      here_.only_b[j] = value;
      trace[j] = static_cast<std::uint8_t>(trace[j] | before << kBeforeB);
    }
  }

  /// The states of the columns, last to first.
  std::vector<State> walk_back(State state, const std::vector<Row>& kept) {
    std::vector<State> moves;
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
      const int shift = state == both ? 0 : state == only_a ? kBeforeA : kBeforeB;
      if (state != only_b) --i;
      if (state != only_a) --j;
      state = static_cast<State>(trace >> shift & 3);
    }
    moves.insert(moves.end(), j, only_b);
    return moves;
  }

  const GroupScores& groups_;
  std::size_t rows_, width_, block_rows_;
  MatchRow match_;
  Row above_, here_;
  std::vector<std::uint8_t> trace_;
};

void check_columns(const GroupScores& groups) {
  // The largest sum of a column: a score below 2^11 and an importance below 2^16, each unit of
  // which counts the weights of both groups.
  constexpr double kOfColumn =
      (kImportanceUnits * 2048.0 + 65536.0) * 1.5 * kGroupWeight * 1.5 * kGroupWeight;
  const double most = std::min(groups.a.columns(), groups.b.columns()) * kOfColumn;
  if (most < 9007199254740992.0) return;
  throw Error(ErrorKind::bad_input,
              "two groups of " + std::to_string(groups.a.columns()) + " and " +
                  std::to_string(groups.b.columns()) +
                  " columns: too long for exact scores of the local mode",
              "leave out --mode");
}

}  // namespace

double path_score(const GroupScores& groups, const ProfilePath& path) {
  const GroupColumns &a = groups.a, &b = groups.b;
  double score = 0;
  State before = both;
  std::size_t i = 0, j = 0;  // columns of a and b so far
  for (std::uint32_t c = 0; c < path.columns; ++c) {
    const bool has_a = i < path.x_column.size() && path.x_column[i] == c;
    const bool has_b = j < path.y_column.size() && path.y_column[j] == c;
    const State state = !has_b ? only_a : !has_a ? only_b : both;
    if (state == both) {
      ++i, ++j;
      double match = 0;
      for (const GroupColumns::Letter& x : a.at(i)) {
        for (const GroupColumns::Letter& y : b.at(j)) {
          match += x.weight * y.weight * groups.scores[x.code * ACCORD_SYMBOLS + y.code];
        }
      }
      const auto first = groups.importance.cells.begin();
      const auto end = first + static_cast<std::ptrdiff_t>(groups.importance.row_begin[i]);
      const auto cell = std::lower_bound(
          first + static_cast<std::ptrdiff_t>(groups.importance.row_begin[i - 1]), end, j - 1,
          [](const ScoreCell& s, std::size_t column) { return s.column < column; });
      score += kImportanceUnits * match;
      if (cell != end && cell->column == j - 1) score += static_cast<double>(cell->sum);
      const double in_a = a.gaps[i] * b.residues[j], in_b = b.gaps[j] * a.residues[i];
      double kept = 0;
      if (before == both) {
        kept = a.gap_pairs[i] * b.residue_pairs[j] + b.gap_pairs[j] * a.residue_pairs[i];
      } else {
        kept = before == only_a ? b.gaps[j] * a.residue_pairs[i] : a.gaps[i] * b.residue_pairs[j];
      }
      score -= groups.open * (in_a + in_b - kept);
    } else if (state == only_a) {
      ++i;
      const double kept = before == both ? b.gaps[j] : before == only_a ? b.inner[j] : 0;
      score -= groups.open * (b.inner[j] * a.residues[i] - kept * a.residue_pairs[i]);
    } else {
      ++j;
      const double kept = before == both ? a.gaps[i] : before == only_b ? a.inner[i] : 0;
      score -= groups.open * (a.inner[i] * b.residues[j] - kept * b.residue_pairs[j]);
    }
    before = state;
  }
  return score;
}

GroupPath best_group_path(const GroupScores& groups) {
  check_columns(groups);
  return GroupAlignment(groups).run();
}

}  // namespace accord
