// SPDX-License-Identifier: Apache-2.0
#include "align/removable_gaps.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>
#include <vector>

using namespace accord;

namespace {

constexpr std::uint64_t kCertain = 65536;
constexpr std::uint32_t kLength = 20, kDistance = 50, kColumns = 80;  // of a repeat, of its copies

/// Scores of a fragment, X, with a sequence that has the fragment's repeat in columns 0 and 50.
/// `first` and `second` are the scores of each residue with the two copies.
ProfileScores two_copies(const std::vector<std::uint64_t>& first,
                         const std::vector<std::uint64_t>& second) {
  ProfileScores scores;
  scores.columns = kColumns;
  scores.certain = kCertain;
  for (std::uint32_t i = 0; i < kLength; ++i) {
    if (first[i] > 0) scores.cells.push_back({first[i], i});
    if (second[i] > 0) scores.cells.push_back({second[i], i + kDistance});
    scores.row_begin.push_back(scores.cells.size());
  }
  return scores;
}

/// The same scores with the fragment as Y.
ProfileScores transposed(const ProfileScores& scores) {
  ProfileScores result;
  result.columns = static_cast<std::uint32_t>(scores.row_begin.size() - 1);
  result.certain = scores.certain;
  for (std::uint32_t column = 0; column < scores.columns; ++column) {
    for (std::uint32_t row = 0; row < result.columns; ++row) {
      for (std::size_t at = scores.row_begin[row]; at < scores.row_begin[row + 1]; ++at) {
        if (scores.cells[at].column == column) result.cells.push_back({scores.cells[at].sum, row});
      }
    }
    result.row_begin.push_back(result.cells.size());
  }
  return result;
}

/// The column of the long sequence that each residue of the fragment is aligned with, in the best
/// path; checks that the fragment as Y has the same.
std::vector<std::uint32_t> columns_of_fragment(const ProfileScores& scores) {
  const auto aligned = [](const std::vector<std::uint32_t>& fragment,
                          const std::vector<std::uint32_t>& other) {
    std::vector<std::uint32_t> columns;
    for (const std::uint32_t c : fragment) {
      const auto at = std::lower_bound(other.begin(), other.end(), c);
      REQUIRE(at != other.end());
      REQUIRE(*at == c);
      columns.push_back(static_cast<std::uint32_t>(at - other.begin()));
    }
    return columns;
  };
  const ProfilePath path = best_path(scores), swapped = best_path(transposed(scores));
  CHECK(path.columns == kColumns);
  const std::vector<std::uint32_t> columns = aligned(path.x_column, path.y_column);
  CHECK(aligned(swapped.y_column, swapped.x_column) == columns);
  CHECK(path.score == swapped.score);
  return columns;
}

std::vector<std::uint32_t> in_a_row(std::uint32_t first) {
  std::vector<std::uint32_t> columns(kLength);
  std::iota(columns.begin(), columns.end(), first);
  return columns;
}

std::vector<std::uint64_t> scores_of(std::uint64_t begin, std::uint64_t middle, std::uint64_t end) {
  std::vector<std::uint64_t> scores(kLength, middle);
  std::fill_n(scores.begin(), 5, begin);
  std::fill_n(scores.end() - 5, 5, end);
  return scores;
}

}  // namespace

TEST_CASE("removable gaps: of equal copies a fragment stands on the last as a whole") {
  const std::vector<std::uint64_t> half = scores_of(30000, 30000, 30000);
  CHECK(columns_of_fragment(two_copies(half, half)) == in_a_row(kDistance));
}

TEST_CASE("removable gaps: copies that are better by turns are not both taken") {
  const ProfileScores scores =
      two_copies(scores_of(36000, 32000, 24000), scores_of(25000, 32000, 37000));
  CHECK(largest_sum_path(scores).x_column != best_path(scores).x_column);
  CHECK(columns_of_fragment(scores) == in_a_row(kDistance));
  std::uint64_t sum = 0;
  for (const ScoreCell& cell : scores.cells) sum += cell.column >= kDistance ? cell.sum : 0;
  CHECK(best_path(scores).score == sum);
}

TEST_CASE("removable gaps: a gap stays where the evidence is for it") {
  const auto keeps_gap = [](const ProfileScores& scores) {
    const std::vector<std::uint32_t> columns = columns_of_fragment(scores);
    return columns.front() == 0 && columns.back() == kDistance + kLength - 1;
  };
  // One of the runs has nothing on the other diagonal, or less than half, or all are weak.
  CHECK(keeps_gap(two_copies(scores_of(60000, 60000, 0), scores_of(0, 0, 60000))));
  CHECK(keeps_gap(two_copies(scores_of(60000, 60000, 29000), scores_of(20000, 20000, 60000))));
  CHECK(keeps_gap(two_copies(scores_of(16000, 16000, 14000), scores_of(14000, 14000, 16000))));
}

TEST_CASE("removable gaps: residues without any score stay beside the others") {
  CHECK(columns_of_fragment(two_copies(scores_of(60000, 60000, 0), scores_of(0, 0, 0))) ==
        in_a_row(0));
  CHECK(columns_of_fragment(two_copies(scores_of(0, 0, 0), scores_of(0, 60000, 0))) ==
        in_a_row(kDistance));
}

TEST_CASE("removable gaps: three copies, each better than the others at some residues") {
  ProfileScores scores;
  scores.columns = 3 * 40;
  scores.certain = kCertain;
  for (std::uint32_t i = 0; i < 30; ++i) {
    for (std::uint32_t copy = 0; copy < 3; ++copy) {
      scores.cells.push_back({20000u + (i / 10 == copy ? 900u : 0u), i + 40 * copy});
    }
    scores.row_begin.push_back(scores.cells.size());
  }
  const ProfilePath path = best_path(scores);
  CHECK(path.columns == 120);
  CHECK(path.x_column.back() - path.x_column.front() == 29);
}
