// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <algorithm>
#include <numeric>

#include "align/profile_path.hpp"
#include "align/profile_scores.hpp"
#include "align/progressive.hpp"
#include "align/refine.hpp"
#include "support/align_cases.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

using Dense = std::vector<std::vector<std::uint64_t>>;

/// The recursion as it is written, with the whole matrix and its traceback.
ProfilePath obvious_path(const Dense& p, std::size_t rows, std::size_t columns) {
  Dense v(rows + 1, std::vector<std::uint64_t>(columns + 1, 0));
  for (std::size_t i = 1; i <= rows; ++i) {
    for (std::size_t j = 1; j <= columns; ++j) {
      v[i][j] = std::max({v[i - 1][j - 1] + p[i - 1][j - 1], v[i][j - 1], v[i - 1][j]});
    }
  }
  std::vector<char> moves;
  for (std::size_t i = rows, j = columns; i > 0 || j > 0;) {
    if (i > 0 && j > 0 && v[i][j] == v[i - 1][j - 1] + p[i - 1][j - 1]) {
      moves.push_back('D');
      --i, --j;
    } else if (j > 0 && (i == 0 || v[i][j] == v[i][j - 1])) {
      moves.push_back('L');
      --j;
    } else {
      moves.push_back('U');
      --i;
    }
  }
  ProfilePath path;
  path.score = v[rows][columns];
  for (auto move = moves.rbegin(); move != moves.rend(); ++move, ++path.columns) {
    if (*move != 'L') path.x_column.push_back(path.columns);
    if (*move != 'U') path.y_column.push_back(path.columns);
  }
  return path;
}

ProfileScores sparse(const Dense& p, std::size_t columns) {
  ProfileScores scores;
  scores.columns = static_cast<std::uint32_t>(columns);
  for (const auto& row : p) {
    for (std::size_t c = 0; c < row.size(); ++c) {
      if (row[c] > 0) scores.cells.push_back({row[c], static_cast<std::uint32_t>(c)});
    }
    scores.row_begin.push_back(scores.cells.size());
  }
  return scores;
}

/// Total expected accuracy of an alignment: the sum over all pairs x < y of w_x w_y P_xy(i, j) over
/// the residues i, j that stand in the same column, P in units of 2^-16.
std::uint64_t alignment_score(const Msa& msa, const PosteriorSet& posteriors,
                              const std::vector<std::uint32_t>& weights) {
  std::uint64_t score = 0;
  for (std::size_t y = 0; y < msa.column_of.size(); ++y) {
    for (std::size_t x = 0; x < y; ++x) {
      const SparseMatrix& matrix = posteriors.at(x, y);
      std::uint64_t units = 0;
      for (std::uint32_t i = 0; i < matrix.rows(); ++i) {
        matrix.for_each_in_row(i, [&](std::uint32_t j, std::uint32_t u) {
          if (msa.column_of[x][i] == msa.column_of[y][j]) units += u;
        });
      }
      score += units * weights[x] * weights[y];
    }
  }
  return score;
}

/// A random family with some short and empty sequences.
struct Family {
  std::vector<std::uint32_t> lengths;
  std::vector<std::uint32_t> weights;
  PosteriorSet posteriors;
  GuideTree tree;

  Family(Random& random, std::uint32_t count, std::uint32_t longest) {
    for (std::uint32_t x = 0; x < count; ++x) {
      const std::uint32_t kind = draw(random, 0, 9);
      lengths.push_back(kind == 0   ? 0
                        : kind == 1 ? draw(random, 1, 3)
                                    : draw(random, longest / 2, longest));
    }
    std::sort(lengths.rbegin(), lengths.rend());
    weights = random_weights(random, count);
    posteriors = random_posteriors(random, lengths, draw(random, 1, 4), random() % 2 ? 3 : 999);
    tree = random_tree(random, count);
  }
};

}  // namespace

TEST_CASE("largest sum: the recursion and traceback as written, ties included") {
  for (std::uint32_t seed = 0; seed < 2000; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const std::size_t rows = draw(random, 0, 30);
    const std::size_t columns = seed % 10 == 1   ? 64 * draw(random, 1, 3) - draw(random, 0, 1)
                                : seed % 10 == 0 ? draw(random, 0, 200)
                                                 : draw(random, 0, 30);
    const std::uint32_t percent = draw(random, 0, 100);
    const std::uint32_t levels = random() % 2 ? 2 : 1000000;
    Dense p(rows, std::vector<std::uint64_t>(columns, 0));
    for (auto& row : p) {
      for (auto& cell : row) {
        if (draw(random, 0, 99) < percent) cell = draw(random, 1, levels);
      }
    }
    const ProfilePath expected = obvious_path(p, rows, columns);
    const ProfilePath path = largest_sum_path(sparse(p, columns));
    CHECK(path.score == expected.score);
    CHECK(path.columns == expected.columns);
    CHECK(path.x_column == expected.x_column);
    CHECK(path.y_column == expected.y_column);
  }
}

TEST_CASE("largest sum: wide profiles, cut where every path has to pass") {
  for (std::uint32_t seed = 0; seed < 12; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const std::size_t rows = draw(random, 1900, 2200), columns = draw(random, 2048, 2300);
    const std::uint32_t levels = seed % 2 ? 2 : 65535;
    Dense p(rows, std::vector<std::uint64_t>(columns, 0));
    std::size_t column = draw(random, 0, 30);
    for (std::size_t row = 0; row < rows; ++row) {
      const std::uint32_t event = draw(random, 0, 60);
      if (event == 0) column += draw(random, 1, 9);  // columns without a score
      if (event == 1) row = std::min(rows - 1, row + draw(random, 1, 9));
      if (column < columns && event != 2) p[row][column] = draw(random, 1, levels);
      // Other cells, of which some are far from the path.
      for (std::uint32_t k = event < 9 ? draw(random, 0, 4) : 0; k > 0; --k) {
        const std::size_t reach = seed % 3 == 0 && k == 4 ? columns : 12;
        const std::size_t other = column + draw(random, 0, 24) * reach / 12;
        if (other >= reach && other - reach < columns) {
          p[row][other - reach] = draw(random, 1, levels);
        }
      }
      ++column;
    }
    const ProfilePath expected = obvious_path(p, rows, columns);
    const ProfilePath path = largest_sum_path(sparse(p, columns));
    CHECK(path.score == expected.score);
    CHECK(path.columns == expected.columns);
    CHECK(path.x_column == expected.x_column);
    CHECK(path.y_column == expected.y_column);
  }
}

TEST_CASE("profile scores: the sum over all pairs, on any number of threads") {
  for (std::uint32_t seed = 0; seed < 60; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const bool large = seed % 5 == 0;  // enough for loops to run in parallel
    const bool wide = seed % 5 == 1;   // not all rows have room at a time
    const std::uint32_t n = large ? 40 : draw(random, 2, wide ? 4 : 12);
    const std::uint32_t columns = large  ? 300
                                  : wide ? 1000
                                         : draw(random, 1, seed % 5 == 2 ? 3 : 300);
    const Msa msa = random_msa(random, n, columns, draw(random, 20, 100));
    const std::vector<std::uint32_t> weights = random_weights(random, n);
    PosteriorSet posteriors = random_posteriors(random, lengths_of(msa), 3, 999);
    if (seed % 3 == 0) posteriors.at(0, 1) = SparseMatrix();
    std::vector<std::uint32_t> rows(n);
    std::iota(rows.begin(), rows.end(), 0u);
    std::shuffle(rows.begin(), rows.end(), random);
    const std::size_t cut = large ? n / 2 : draw(random, 0, n);
    const Profile a{std::span(rows).first(cut), msa.columns};
    const Profile b{std::span(rows).subspan(cut), msa.columns};

    Dense p(msa.columns, std::vector<std::uint64_t>(msa.columns, 0));
    for (const std::uint32_t x : a.rows) {
      for (const std::uint32_t y : b.rows) {
        const bool swap = x > y;
        const SparseMatrix& matrix = posteriors.at(std::min(x, y), std::max(x, y));
        for (std::uint32_t i = 0; i < matrix.rows(); ++i) {
          matrix.for_each_in_row(i, [&](std::uint32_t j, std::uint32_t units) {
            const std::uint32_t row = msa.column_of[x][swap ? j : i];
            p[row][msa.column_of[y][swap ? i : j]] +=
                std::uint64_t{units} * weights[x] * weights[y];
          });
        }
      }
    }
    const ProfileScores expected = sparse(p, msa.columns);
    for (const int threads : {1, 2, 4}) {
      const ThreadCount scope(threads);
      std::vector<ScoreScratch> scratch(static_cast<std::size_t>(threads));
      for (int repeat = 0; repeat < 2; ++repeat) {
        const ProfileScores scores =
            profile_scores(a, b, msa.column_of, posteriors, weights, scratch);
        CHECK(scores.row_begin == expected.row_begin);
        REQUIRE(scores.cells.size() == expected.cells.size());
        bool same = true;
        for (std::size_t k = 0; k < scores.cells.size(); ++k) {
          same = same && scores.cells[k].sum == expected.cells[k].sum &&
                 scores.cells[k].column == expected.cells[k].column;
        }
        CHECK(same);
      }
    }
  }
}

TEST_CASE("progressive and refine: valid alignments, the same on any number of threads") {
  for (std::uint32_t seed = 0; seed < 30; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const bool large = seed % 10 == 0;  // enough for loops to run in parallel
    const Family family(random, large ? 70 : draw(random, 1, 25),
                        large ? 150 : draw(random, 2, 200));
    std::vector<Msa> results;
    for (const int threads : {1, 2, 4}) {
      const ThreadCount scope(threads);
      const Msa first =
          progressive_align(family.posteriors, family.tree, family.weights, family.lengths);
      CHECK(is_valid(first, family.lengths));
      results.push_back(first);
      const Msa refined = refine(first, family.posteriors, family.weights, 12);
      CHECK(is_valid(refined, family.lengths));
      results.push_back(refined);
    }
    const std::size_t count = results.size() / 3;
    for (std::size_t k = 0; k < count; ++k) {
      CAPTURE(k);
      CHECK(results[k] == results[k + count]);
      CHECK(results[k] == results[k + 2 * count]);
    }
  }
}

TEST_CASE("refine: the expected accuracy never falls") {
  for (std::uint32_t seed = 0; seed < 40; ++seed) {
    CAPTURE(seed);
    Random random(seed);
    const Family family(random, draw(random, 2, 15), draw(random, 2, 100));
    const Msa start =
        progressive_align(family.posteriors, family.tree, family.weights, family.lengths);
    std::uint64_t before = alignment_score(start, family.posteriors, family.weights);
    for (const int iterations : {1, 2, 5, 20}) {
      const Msa refined = refine(start, family.posteriors, family.weights, iterations);
      const std::uint64_t after = alignment_score(refined, family.posteriors, family.weights);
      CHECK(after >= before);
      before = after;
    }
  }
}
