// SPDX-License-Identifier: Apache-2.0
#include "align/profile_path.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

#include "align/removable_gaps.hpp"
#include "core/step_row.hpp"

namespace accord {
namespace {

struct Step {
  std::uint64_t value;
  std::uint32_t column;
};

/// A cell of row i whose diagonal move scores at least V(i-1, j) and at least the cells on its
/// left. Only candidates can raise V(i, .), and only they can be aligned by the traceback.
struct Candidate {
  std::uint64_t value;    ///< V(i-1, j-1) + P(i, j)
  std::uint32_t column;   ///< j, 1-based
  std::uint32_t removed;  ///< number of steps it replaced; kTie if it changed nothing
};
constexpr std::uint32_t kTie = std::numeric_limits<std::uint32_t>::max();

/// A block of the scores that is aligned by itself: rows [first_row, last_row) and columns
/// [first_column, last_column).
struct Rectangle {
  std::uint32_t first_row, last_row;
  std::uint32_t first_column, last_column;

  std::uint32_t rows() const { return last_row - first_row; }
  std::uint32_t columns() const { return last_column - first_column; }
};

/// All changes of V from row to row. Undoing them restores any earlier row. This replaces a
/// traceback matrix: its size grows with the number of scores, not with L_X x L_Y.
class History {
 public:
  History(const ProfileScores& scores, const Rectangle& block) : scores_(scores), block_(block) {
    row_begin.reserve(block.rows());
  }

  std::vector<Candidate> candidates;   ///< by row, columns decreasing
  std::vector<Step> removed;           ///< steps that candidates replaced
  std::vector<std::size_t> row_begin;  ///< offsets into candidates

  /// Applies a row of the block to v; rows come in order.
  void apply_row(std::size_t row, RisingRow& v) {
    row_begin.push_back(candidates.size());
    // From right to left, so that no step is set that the next candidate would remove.
    for (std::size_t k = find_candidates(row, v); k-- > 0;) {
      Candidate candidate = found_[k];
      if (candidate.removed != kTie) {
        v.raise(candidate.column, candidate.value, [&](std::uint32_t column, std::uint64_t value) {
          removed.push_back({value, column});
          ++candidate.removed;
        });
      }
      candidates.push_back(candidate);
    }
  }

 private:
  /// Writes the candidates of a row to `found_`, columns increasing, and returns their number. It
  /// has no branches: most cells are not candidates, and the processor cannot predict which are.
  std::size_t find_candidates(std::size_t row, const RisingRow& v) {
    const std::span<const std::size_t> begin = std::span(scores_.row_begin).subspan(row);
    const std::size_t first = begin[block_.first_row], last = begin[block_.first_row + 1];
    if (found_.size() < last - first) found_.resize(last - first);
    std::size_t count = 0;
    std::uint64_t best = 0;
    for (std::size_t at = first; at < last; ++at) {
      const std::uint32_t j = scores_.cells[at].column - block_.first_column + 1;
      const std::uint64_t value = v.level(j - 1) + scores_.cells[at].sum;
      const std::uint64_t current = std::max(v.level(j), best);
      found_[count] = {value, j, value > current ? 0 : kTie};
      count += value >= current;
      best = std::max(best, value);
    }
    return count;
  }

  const ProfileScores& scores_;
  const Rectangle block_;
  std::vector<Candidate> found_;
};

/// A row V(i, .) of the recursion that is taken back from the last row to the first.
class RewindingRow {
 public:
  RewindingRow(const StepRow& last, const History& history)
      : v_(last),
        history_(history),
        candidates_(history.candidates.size()),
        removed_(history.removed.size()) {}

  std::uint64_t at(std::uint32_t j) const { return v_.at(j); }

  /// Undoes `row`: the row becomes what it was before `row` was applied.
  void undo(std::size_t row) {
    while (candidates_ > history_.row_begin[row]) {
      const Candidate& candidate = history_.candidates[--candidates_];
      if (candidate.removed == kTie) continue;
      v_.clear(candidate.column);
      for (std::uint32_t k = 0; k < candidate.removed; ++k) {
        const Step& step = history_.removed[--removed_];
        v_.set(step.column, step.value);
      }
    }
  }

 private:
  StepRow v_;
  const History& history_;
  std::size_t candidates_;
  std::size_t removed_;
};

enum class Move : std::uint8_t { both, y_only, x_only };

/// Follows the recursion back; returns the moves from the end to the start.
std::vector<Move> trace_back(const History& history, const StepRow& last, std::uint32_t rows,
                             std::uint32_t columns) {
  std::vector<Move> moves;
  moves.reserve(std::size_t{rows} + columns);
  std::uint32_t i = rows;
  std::uint32_t j = columns;
  if (i > 0 && j > 0) {
    RewindingRow above(last, history);  // V(i-1, .)
    above.undo(i - 1);
    std::size_t next = history.row_begin[i - 1];  // the next candidate of row i
    std::uint64_t value = last.at(j);             // V(i, j)
    while (i > 0 && j > 0) {
      const std::size_t stop = i < rows ? history.row_begin[i] : history.candidates.size();
      while (next < stop && history.candidates[next].column > j) ++next;
      const auto first = history.candidates.begin() + static_cast<std::ptrdiff_t>(next);
      const auto end = history.candidates.begin() + static_cast<std::ptrdiff_t>(stop);
      const auto found = std::find_if(
          first, end, [&](const Candidate& candidate) { return candidate.value == value; });
      const bool both = (found != end && found->column == j) || above.at(j - 1) == value;
      // V(i, j - 1) is the largest of V(i-1, j - 1) and the candidates up to column j - 1.
      if (!both && found != end) {
        moves.push_back(Move::y_only);
        --j;
        continue;
      }
      moves.push_back(both ? Move::both : Move::x_only);
      if (both) --j;
      --i;
      if (i == 0) break;
      value = above.at(j);
      above.undo(i - 1);
      next = history.row_begin[i - 1];
    }
  }
  moves.insert(moves.end(), i, Move::x_only);
  moves.insert(moves.end(), j, Move::y_only);
  return moves;
}

/// Wider profiles are cut into blocks at forced rows.
constexpr std::uint32_t kWide = 2048;

/// Finds the forced rows. A forced row has a single score; all scores of the rows above lie before
/// its column, and all scores of the rows below behind it. Every best alignment aligns this row
/// with this column. So the best alignments of the blocks between such cells together are a best
/// alignment of the whole, and the traceback finds the same one.
std::vector<std::uint32_t> forced_rows(const ProfileScores& scores) {
  const auto rows = static_cast<std::uint32_t>(scores.row_begin.size() - 1);
  std::vector<std::uint32_t> below(rows);  // the first column with a score in the rows below
  std::uint32_t first = std::numeric_limits<std::uint32_t>::max();
  for (std::uint32_t row = rows; row-- > 0;) {
    below[row] = first;
    if (scores.row_begin[row] == scores.row_begin[row + 1]) continue;
    first = std::min(first, scores.cells[scores.row_begin[row]].column);
  }
  std::vector<std::uint32_t> forced;
  std::uint32_t above = 0;  // behind the last column with a score in the rows above
  for (std::uint32_t row = 0; row < rows; ++row) {
    const std::size_t from = scores.row_begin[row], to = scores.row_begin[row + 1];
    if (from == to) continue;
    const std::uint32_t column = scores.cells[to - 1].column;
    if (to == from + 1 && column >= above && column < below[row]) forced.push_back(row);
    above = std::max(above, column + 1);
  }
  return forced;
}

/// Appends the best alignment of a block to a path.
void append_block(const ProfileScores& scores, const Rectangle& block, ProfilePath& path) {
  std::vector<Move> moves;
  if (block.rows() > 0 && block.columns() > 0) {
    RisingRow v(block.columns());
    History history(scores, block);
    for (std::uint32_t row = 0; row < block.rows(); ++row) history.apply_row(row, v);
    path.score += v.at(block.columns());
    moves = trace_back(history, v, block.rows(), block.columns());
  } else {
    moves.insert(moves.end(), block.rows(), Move::x_only);
    moves.insert(moves.end(), block.columns(), Move::y_only);
  }
  for (auto move = moves.rbegin(); move != moves.rend(); ++move, ++path.columns) {
    if (*move != Move::y_only) path.x_column.push_back(path.columns);
    if (*move != Move::x_only) path.y_column.push_back(path.columns);
  }
}

}  // namespace

ProfilePath largest_sum_path(const ProfileScores& scores) {
  const auto rows = static_cast<std::uint32_t>(scores.row_begin.size() - 1);
  ProfilePath path;
  path.x_column.reserve(rows);
  path.y_column.reserve(scores.columns);
  Rectangle block{0, rows, 0, scores.columns};
  if (scores.columns >= kWide) {
    for (const std::uint32_t row : forced_rows(scores)) {
      const ScoreCell& cell = scores.cells[scores.row_begin[row]];
      append_block(scores, {block.first_row, row, block.first_column, cell.column}, path);
      path.x_column.push_back(path.columns);
      path.y_column.push_back(path.columns++);
      path.score += cell.sum;
      block.first_row = row + 1;
      block.first_column = cell.column + 1;
    }
  }
  append_block(scores, block, path);
  return path;
}

ProfilePath best_path(const ProfileScores& scores) {
  return close_removable_gaps(scores, largest_sum_path(scores));
}

std::uint32_t align_profiles(const Profile& x_profile, const Profile& y_profile,
                             std::span<std::vector<std::uint32_t>> column_of,
                             const PosteriorSet& posteriors, std::span<const std::uint32_t> weights,
                             std::span<ScoreScratch> scratch) {
  const ProfilePath path =
      best_path(profile_scores(x_profile, y_profile, column_of, posteriors, weights, scratch));
  move_columns(x_profile.rows, path.x_column, column_of);
  move_columns(y_profile.rows, path.y_column, column_of);
  return path.columns;
}

OccupiedColumns occupied_columns(std::span<const std::uint32_t> rows,
                                 std::span<const std::vector<std::uint32_t>> column_of,
                                 std::uint32_t columns) {
  OccupiedColumns occupied;
  occupied.number.assign(columns, OccupiedColumns::kNone);
  for (const std::uint32_t x : rows) {
    for (const std::uint32_t c : column_of[x]) occupied.number[c] = 0;
  }
  for (std::uint32_t& number : occupied.number) {
    if (number != OccupiedColumns::kNone) number = occupied.count++;
  }
  return occupied;
}

void move_columns(std::span<const std::uint32_t> rows, std::span<const std::uint32_t> map,
                  std::span<std::vector<std::uint32_t>> column_of) {
  for (const std::uint32_t x : rows) {
    for (std::uint32_t& c : column_of[x]) c = map[c];
  }
}

}  // namespace accord
