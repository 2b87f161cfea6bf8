// SPDX-License-Identifier: Apache-2.0
#include "align/tears.hpp"

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

/// A run, and the same one on the diagonal of the run before or behind it.
struct Choice {
  Run here, there;
  std::uint64_t score_here = 0, score_there = 0;

  Choice(const ProfileScores& scores, const Run& run, const Run& moved)
      : here(run),
        there(moved),
        score_here(score_of(scores, run)),
        score_there(score_of(scores, moved)) {}

  std::uint64_t loss() const { return score_here - std::min(score_here, score_there); }

  /// Whether it is as good as a copy on either diagonal.
  bool is_open(const ProfileScores& scores) const {
    return score_there >= score_here / 2 &&
           std::min(score_here, score_there) >= scores.certain / 4 * here.length;
  }
};

/// Makes one run of the last two if the gap between them is a tear.
bool join_last(const ProfileScores& scores, std::vector<Run>& runs) {
  const Run first = runs[runs.size() - 2], second = runs.back();
  // The columns in the gap that the other profile has nothing for.
  const std::uint32_t x_gap = second.row - first.row, y_gap = second.column - first.column;
  std::uint32_t Run::*const along = y_gap > x_gap ? &Run::column : &Run::row;
  const std::uint32_t shift = y_gap > x_gap ? y_gap - x_gap : x_gap - y_gap;
  Run first_moved = first, second_moved = second;
  first_moved.*along += shift;
  second_moved.*along -= shift;
  const Choice a(scores, first, first_moved), b(scores, second, second_moved);
  const bool is_tear =
      std::min(a.loss(), b.loss()) == 0 || (a.is_open(scores) && b.is_open(scores));
  if (!is_tear) return false;
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

/// The path with these runs, where the columns between them are aligned as far as both profiles
/// have some: the last ones, those behind the last run the first ones.
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

ProfilePath close_tears(const ProfileScores& scores, ProfilePath path) {
  const std::vector<Run> torn = runs_of(path);
  std::vector<Run> runs;
  for (const Run& run : torn) {
    runs.push_back(run);
    while (runs.size() > 1 && join_last(scores, runs)) {
    }
  }
  return runs.size() == torn.size() ? path : path_of(scores, runs);
}

}  // namespace accord
