// SPDX-License-Identifier: Apache-2.0
// The posterior kernels against their own recursion (posteriors/recursion.h) written out in long
// double, which needs no scaling for pairs this short: any number of gap classes, any shares of the
// models and any blend of mean and root mean square, whatever parameter sets there are.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "oracle/oracle.hpp"
#include "support/pair_posteriors.hpp"
#include "support/rich_model.hpp"
#include "support/sequences.hpp"
#include "tolerances.hpp"

namespace accord {
namespace {

using oracle::Dense;
using testing::Codes;
using Real = long double;

/// Factors of opening a gap behind 0, 1, ... all residues.
std::vector<Real> openings(const Codes& codes, const accord_model& model) {
  std::vector<Real> factors(codes.size() + 1, 1);
  for (std::size_t i = 1; i < codes.size(); ++i) {
    for (int side = 0; side < 2; ++side) {
      const int code = codes[i - 1 + static_cast<std::size_t>(side)];
      factors[i] *= Real{model.opening[side][code & 31]} * model.opening[side][32 + (code >> 5)];
    }
    factors[i] = std::clamp(factors[i], Real{0.25}, Real{4});
  }
  return factors;
}

/// The values of a recursion at all cells, border included.
class Recursion {
 public:
  /// The sequences in the order of the sweep, with their openings; `free_ends`: S = 1 on the
  /// border.
  Recursion(const Codes& x, const Codes& y, const std::vector<Real>& opening_x,
            const std::vector<Real>& opening_y, const accord_recursion& tables, bool backward,
            bool free_ends)
      : columns_(y.size() + 1), cells_((x.size() + 1) * columns_) {
    const float* gap = backward ? tables.backward_gap : tables.forward_gap;
    for (std::size_t i = 0; i <= x.size(); ++i) {
      for (std::size_t j = 0; j < columns_; ++j) {
        Cell& cell = at(i, j);
        if (i > 0 && j > 0) {
          const int a = x[i - 1], b = y[j - 1];
          cell.m = Real{tables.weight[(a & 31) * ACCORD_SYMBOLS + (b & 31)]} *
                   tables.context[(a >> 5) * ACCORD_SYMBOLS + (b >> 5)] * at(i - 1, j - 1).s;
        }
        cell.s = cell.m;
        for (int k = 0; k < ACCORD_GAP_CLASSES; ++k) {
          const Real extend = tables.gap_extend[k];
          if (i > 0) cell.x[k] = opening_y[j] * at(i - 1, j).m + extend * at(i - 1, j).x[k];
          if (j > 0) cell.y[k] = opening_x[i] * at(i, j - 1).m + extend * at(i, j - 1).y[k];
          if (!free_ends && i == 1 && j == 0) cell.x[k] += gap[k];
          if (!free_ends && i == 0 && j == 1) cell.y[k] += gap[k];
          cell.s += Real{tables.gap_scale[k]} * (cell.x[k] + cell.y[k]);
        }
        if (free_ends && (i == 0 || j == 0)) cell.s = 1;
        if (!free_ends && i == 0 && j == 0) {
          cell.s = backward ? tables.backward_start : tables.forward_start;
        }
      }
    }
  }

  struct Cell {
    Real m = 0, s = 0, x[ACCORD_GAP_CLASSES] = {}, y[ACCORD_GAP_CLASSES] = {};
  };
  const Cell& at(std::size_t i, std::size_t j) const { return cells_[i * columns_ + j]; }

 private:
  Cell& at(std::size_t i, std::size_t j) { return cells_[i * columns_ + j]; }

  std::size_t columns_;
  std::vector<Cell> cells_;
};

/// M times the reversed S over Z; Z of the pair-HMM at the last cell, of the partition function
/// over the last row and column.
Dense posteriors(const Codes& x, const Codes& y, const accord_model& model, bool free_ends) {
  const std::size_t m = x.size(), n = y.size();
  const accord_recursion& tables = free_ends ? model.partition : model.hmm;
  const std::vector<Real> of_x = openings(x, model), of_y = openings(y, model);
  const Recursion forward(x, y, of_x, of_y, tables, false, free_ends);
  const Recursion backward(Codes(x.rbegin(), x.rend()), Codes(y.rbegin(), y.rend()),
                           {of_x.rbegin(), of_x.rend()}, {of_y.rbegin(), of_y.rend()}, tables, true,
                           free_ends);
  Real total = 0;
  if (free_ends) {
    for (std::size_t j = 1; j <= n; ++j) total += forward.at(m, j).m;
    for (std::size_t i = 1; i < m; ++i) total += forward.at(i, n).m;
  } else {
    const Recursion::Cell& last = forward.at(m, n);
    total = last.m * (Real{tables.end_match[0]} + tables.end_match[1]);
    for (int k = 0; k < ACCORD_GAP_CLASSES; ++k) {
      total += (last.x[k] + last.y[k]) * (Real{tables.end_gap[k][0]} + tables.end_gap[k][1]);
    }
  }
  Dense posterior(m, n);
  for (std::size_t i = 1; i <= m; ++i) {
    for (std::size_t j = 1; j <= n; ++j) {
      posterior.at(i, j) =
          static_cast<double>(forward.at(i, j).m * backward.at(m - i, n - j).s / total);
    }
  }
  return posterior;
}

/// Checks all cells of a pair; returns how many were kept.
std::size_t check_pair(const Codes& x, const Codes& y, const accord_model& model) {
  const Dense p = posteriors(x, y, model, false);
  const Dense q = posteriors(x, y, model, true);
  const double h = model.hmm_share, r = model.square_share, cutoff = model.cutoff;
  const std::vector<PosteriorCell> cells = testing::pair_posteriors(x, y, model);
  Dense kept(x.size(), y.size(), 0);
  for (const PosteriorCell& cell : cells) {
    kept.at(cell.row + 1, cell.column + 1) = static_cast<double>(cell.probability);
  }
  double largest_error = 0;
  std::size_t missing = 0;
  for (std::size_t i = 1; i <= x.size(); ++i) {
    for (std::size_t j = 1; j <= y.size(); ++j) {
      const double a = p.at(i, j), b = q.at(i, j);
      const double expected =
          (1 - r) * (h * a + (1 - h) * b) + r * std::sqrt(h * a * a + (1 - h) * b * b);
      if (kept.at(i, j) > 0) {
        largest_error = std::max(largest_error, std::abs(kept.at(i, j) - expected));
        CHECK(expected >= cutoff - testing::kPosteriorError);
      } else {
        missing += expected >= cutoff + testing::kPosteriorError;
      }
    }
  }
  CHECK(largest_error <= testing::kPosteriorError);
  CHECK(missing == 0);
  return cells.size();
}

TEST_CASE("recursion: three gap classes, shares and blends of the models") {
  constexpr std::uint64_t kSeed = 41;
  CAPTURE(kSeed);
  for (const ResidueType type : {ResidueType::protein, ResidueType::dna}) {
    testing::SequenceGenerator random(kSeed, type);
    for (const std::size_t length : {1, 7, 8, 30, 90}) {
      const Codes root = random.background(length);
      const Codes x = random.with_contexts(root);
      const Codes y = random.with_contexts(length < 30 ? random.background(length + 2)
                                                       : random.mutate(root, 0.4, 0.05, 0.6));
      for (const float hmm_share : {0.0f, 0.375f, 0.5f, 1.0f}) {
        for (const float square_share : {0.0f, 0.4f, 1.0f}) {
          CAPTURE(length);
          CAPTURE(hmm_share);
          CAPTURE(square_share);
          accord_model model = testing::rich_model(type);
          model.hmm_share = hmm_share;
          model.partition_share = 1 - hmm_share;
          model.square_share = square_share;
          CHECK(check_pair(x, y, model) > 0);
        }
      }
    }
  }
}

TEST_CASE("recursion: the third gap class changes the posteriors") {
  testing::SequenceGenerator random(42);
  const Codes x = random.background(120);
  Codes y(x.begin(), x.begin() + 40);  // without 40 residues in the middle
  y.insert(y.end(), x.begin() + 80, x.end());
  accord_model with = testing::rich_model(), without = with;
  without.hmm.gap_scale[2] = 0;
  const Dense p = posteriors(x, y, with, false), q = posteriors(x, y, without, false);
  double difference = 0;
  for (std::size_t i = 1; i <= x.size(); ++i) {
    for (std::size_t j = 1; j <= y.size(); ++j) {
      difference = std::max(difference, std::abs(p.at(i, j) - q.at(i, j)));
    }
  }
  CHECK(difference > 100 * testing::kPosteriorError);
  check_pair(x, y, with);
}

}  // namespace
}  // namespace accord
