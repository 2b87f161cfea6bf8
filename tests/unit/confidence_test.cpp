// SPDX-License-Identifier: Apache-2.0
#include "core/confidence.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <random>

#include "base/parallel.hpp"

using namespace accord;

namespace {

/// Posteriors of three sequences of lengths 3, 2 and 1.
PosteriorSet three() {
  PosteriorSet set(3);
  set.at(0, 1) =
      SparseMatrix(3, 2, std::vector<PosteriorCell>{{0, 0, 0.5f}, {1, 1, 0.25f}, {2, 1, 0.5f}});
  set.at(0, 2) = SparseMatrix(3, 1, std::vector<PosteriorCell>{{0, 0, 0.75f}, {1, 0, 0.125f}});
  set.at(1, 2) = SparseMatrix(2, 1, std::vector<PosteriorCell>{{0, 0, 0.25f}});
  return set;
}

}  // namespace

TEST_CASE("confidence: means over the pairs of a residue, of a column, of all") {
  // x: 0 1 2 -   y: 0 - 1 -   z: 0 - - -   with column 1 held by x alone.
  const Msa msa{3, {{0, 1, 2}, {0, 2}, {0}}};
  const Confidence found = alignment_confidence(msa, three());
  CHECK(found.pairs == 4);
  CHECK(found.column_residues == std::vector<std::uint32_t>{3, 1, 2});
  CHECK(found.column[0] == doctest::Approx((0.5 + 0.75 + 0.25) / 3));
  CHECK(std::isnan(found.column[1]));
  CHECK(found.column[2] == doctest::Approx(0.5));
  CHECK(found.residue[0][0] == doctest::Approx((0.5 + 0.75) / 2));
  CHECK(found.residue[1][0] == doctest::Approx((0.5 + 0.25) / 2));
  CHECK(found.residue[2][0] == doctest::Approx((0.75 + 0.25) / 2));
  CHECK(found.residue[0][2] == doctest::Approx(0.5));
  // Alone: 1 - (0.25 with y + 0.125 with z) / 2.
  CHECK(found.residue[0][1] == doctest::Approx(1 - 0.375 / 2));
  CHECK(found.mean == doctest::Approx((0.5 + 0.75 + 0.25 + 0.5) / 4));
}

TEST_CASE(
    "confidence: a pair that is not kept has probability 0; nothing is right for sure alone") {
  const Msa msa{3, {{0, 1, 2}, {0, 1}, {2}}};
  const Confidence found = alignment_confidence(msa, three());
  CHECK(found.column[2] == 0.0f);
  CHECK(found.residue[2][0] == 0.0f);
  const Confidence alone = alignment_confidence(Msa{2, {{0, 1}}}, PosteriorSet(1));
  CHECK(alone.residue[0] == std::vector<float>{1.0f, 1.0f});
  CHECK(alone.pairs == 0);
  CHECK(std::isnan(alone.mean));
  CHECK(alignment_confidence(Msa{}, PosteriorSet(0)).column.empty());
}

TEST_CASE("confidence: of some pairs alone, rows in none of them are not known") {
  PosteriorSet some(PairSet::listed(3, {{0, 1}}));
  some.at(0, 1) = three().at(0, 1);
  const Msa msa{3, {{0, 1, 2}, {0, 2}, {0}}};
  const Confidence found = alignment_confidence(msa, some);
  CHECK(found.pairs == 2);
  CHECK(found.column_residues == std::vector<std::uint32_t>{3, 1, 2});
  CHECK(found.column[0] == doctest::Approx(0.5));
  CHECK(std::isnan(found.column[1]));
  CHECK(found.column[2] == doctest::Approx(0.5));
  CHECK(found.residue[0][0] == doctest::Approx(0.5));
  CHECK(found.residue[0][1] == doctest::Approx(1 - 0.25));  // alone: 0.25 with y
  CHECK(std::isnan(found.residue[2][0]));
  CHECK(found.mean == doctest::Approx(0.5));
}

TEST_CASE("confidence: random families against sums taken pair by pair") {
  std::mt19937 random(77);
  for (int round = 0; round < 20; ++round) {
    const std::size_t n = 2 + random() % 5;
    const std::uint32_t columns = 3 + random() % 8;
    Msa msa{columns, std::vector<std::vector<std::uint32_t>>(n)};
    for (auto& row : msa.column_of) {
      for (std::uint32_t c = 0; c < columns; ++c) {
        if (random() % 3 > 0) row.push_back(c);
      }
    }
    PosteriorSet set(n);
    std::vector<double> column_sum(columns, 0);
    std::vector<int> column_pairs(columns, 0);
    for (std::size_t y = 1; y < n; ++y) {
      for (std::size_t x = 0; x < y; ++x) {
        std::vector<PosteriorCell> cells;
        for (std::uint32_t i = 0; i < msa.column_of[x].size(); ++i) {
          for (std::uint32_t j = 0; j < msa.column_of[y].size(); ++j) {
            const float p = static_cast<float>(random() % 1000) / 1000.0f;
            if (random() % 2) cells.push_back({i, j, p});
            if (msa.column_of[x][i] != msa.column_of[y][j]) continue;
            ++column_pairs[msa.column_of[x][i]];
            if (!cells.empty() && cells.back().row == i && cells.back().column == j) {
              column_sum[msa.column_of[x][i]] += p;
            }
          }
        }
        set.at(x, y) = SparseMatrix(static_cast<std::uint32_t>(msa.column_of[x].size()),
                                    static_cast<std::uint32_t>(msa.column_of[y].size()), cells);
      }
    }
    set_thread_count(1);
    const Confidence found = alignment_confidence(msa, set);
    set_thread_count(3);
    CHECK(alignment_confidence(msa, set).residue == found.residue);
    set_thread_count(1);
    for (std::uint32_t c = 0; c < columns; ++c) {
      CAPTURE(c);
      if (column_pairs[c] == 0) {
        CHECK(std::isnan(found.column[c]));
      } else {
        CHECK(found.column[c] == doctest::Approx(column_sum[c] / column_pairs[c]).epsilon(1e-4));
      }
    }
  }
}

TEST_CASE("confidence: HMMER's code") {
  CHECK(posterior_code(0.0f) == '0');
  CHECK(posterior_code(0.049f) == '0');
  CHECK(posterior_code(0.051f) == '1');
  CHECK(posterior_code(0.449f) == '4');
  CHECK(posterior_code(0.451f) == '5');
  CHECK(posterior_code(0.949f) == '9');
  CHECK(posterior_code(0.95f) == '*');
  CHECK(posterior_code(1.0f) == '*');
}
