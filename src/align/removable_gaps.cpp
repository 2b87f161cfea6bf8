// SPDX-License-Identifier: Apache-2.0
#include "align/removable_gaps.hpp"

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace accord {
namespace {

/// Columns of X and of Y that are aligned one after the other, without a gap between them.
struct Run {
  std::uint32_t row = 0;     ///< the first column of X
  std::uint32_t column = 0;  ///< the first column of Y
  std::uint32_t length = 0;
};

std::vector<Run> runs_of(const ProfilePath& path) {
  std::vector<Run> runs;
  std::uint32_t row = 0, column = 0;
  bool follows = false;  // whether the column before is of both profiles
  for (std::uint32_t c = 0; c < path.columns; ++c) {
    const bool has_x = row < path.x_column.size() && path.x_column[row] == c;
    const bool has_y = column < path.y_column.size() && path.y_column[column] == c;
    if (has_x && has_y) {
      if (!follows) runs.push_back({row, column, 0});
      ++runs.back().length;
    }
    follows = has_x && has_y;
    row += has_x;
    column += has_y;
  }
  return runs;
}

std::uint64_t score_at(const ProfileScores& scores, std::uint32_t row, std::uint32_t column) {
  const auto cells =
      std::span(scores.cells).first(scores.row_begin[row + 1]).subspan(scores.row_begin[row]);
  const auto cell = std::ranges::lower_bound(cells, column, {}, &ScoreCell::column);
  return cell != cells.end() && cell->column == column ? cell->sum : 0;
}

std::uint64_t score_of(const ProfileScores& scores, const Run& run) {
  std::uint64_t sum = 0;
  for (std::uint32_t k = 0; k < run.length; ++k) {
    sum += score_at(scores, run.row + k, run.column + k);
  }
  return sum;
}

/// A run, and the same run moved to the diagonal of the run before it or behind it.
struct Choice {
  std::uint32_t length = 0;  ///< of the run
  std::uint64_t score = 0, moved_score = 0;

  Choice(const ProfileScores& scores, const Run& run, const Run& moved)
      : length(run.length), score(score_of(scores, run)), moved_score(score_of(scores, moved)) {}

  /// The score that the run loses if it moves.
  std::uint64_t loss() const { return score - std::min(score, moved_score); }

  /// Whether the run has enough score on both diagonals to be a copy of a repeat on either one.
  bool fits_both(const ProfileScores& scores) const {
    return moved_score >= score / 2 && std::min(score, moved_score) >= scores.certain / 4 * length;
  }
};

/// Makes one run of the last two if the gap between them is removable. Returns whether it is.
bool join_last(const ProfileScores& scores, std::vector<Run>& runs) {
  const Run first = runs[runs.size() - 2], second = runs.back();
  // The distance from the first run to the second one, in columns of X and of Y.
  const std::uint32_t x_step = second.row - first.row, y_step = second.column - first.column;
  std::uint32_t Run::*const along = y_step > x_step ? &Run::column : &Run::row;
  const std::uint32_t shift = y_step > x_step ? y_step - x_step : x_step - y_step;
  Run first_moved = first, second_moved = second;
  first_moved.*along += shift;
  second_moved.*along -= shift;
  const Choice a(scores, first, first_moved), b(scores, second, second_moved);
  const bool is_removable =
      std::min(a.loss(), b.loss()) == 0 || (a.fits_both(scores) && b.fits_both(scores));
  if (!is_removable) return false;
  Run joined = b.loss() <= a.loss() ? first : first_moved;
  const Run& end = b.loss() <= a.loss() ? second_moved : second;
  joined.length = end.row + end.length - joined.row;
  runs.pop_back();
  runs.back() = joined;
  return true;
}

/// Appends columns of X and of Y to a path, side by side from the next new column on.
void append(ProfilePath& path, std::uint32_t x, std::uint32_t y) {
  for (std::uint32_t k = 0; k < x; ++k) path.x_column.push_back(path.columns + k);
  for (std::uint32_t k = 0; k < y; ++k) path.y_column.push_back(path.columns + k);
  path.columns += std::max(x, y);
}

/// Appends a gap, of columns of X and then of Y.
void append_gap(ProfilePath& path, std::uint32_t x, std::uint32_t y) {
  append(path, x, 0);
  append(path, 0, y);
}

/// The path with these runs. Between two runs, and before the first one, the last columns of both
/// profiles are aligned, as many as both profiles have there. Behind the last run, the first
/// columns are aligned.
ProfilePath path_of(const ProfileScores& scores, std::span<const Run> runs) {
  const auto rows = static_cast<std::uint32_t>(scores.row_begin.size() - 1);
  ProfilePath path;
  path.x_column.reserve(rows);
  path.y_column.reserve(scores.columns);
  const auto left_before = [&](std::uint32_t row, std::uint32_t column) {
    return std::pair(row - static_cast<std::uint32_t>(path.x_column.size()),
                     column - static_cast<std::uint32_t>(path.y_column.size()));
  };
  for (const Run& run : runs) {
    const auto [x, y] = left_before(run.row, run.column);
    const std::uint32_t both = std::min(x, y);
    append_gap(path, x - both, y - both);
    append(path, both + run.length, both + run.length);
    path.score += score_of(scores, {run.row - both, run.column - both, both + run.length});
  }
  const auto [x, y] = left_before(rows, scores.columns);
  const std::uint32_t both = std::min(x, y);
  append(path, both, both);
  append_gap(path, x - both, y - both);
  return path;
}

}  // namespace

ProfilePath close_removable_gaps(const ProfileScores& scores, ProfilePath path) {
  const std::vector<Run> old_runs = runs_of(path);
  std::vector<Run> runs;
  for (const Run& run : old_runs) {
    runs.push_back(run);
    while (runs.size() > 1 && join_last(scores, runs)) {
    }
  }
  return runs.size() == old_runs.size() ? path : path_of(scores, runs);
}

}  // namespace accord
