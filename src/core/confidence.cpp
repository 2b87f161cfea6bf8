// SPDX-License-Identifier: Apache-2.0
#include "accord/core/confidence.hpp"

#include <limits>

#include "accord/base/parallel.hpp"

namespace accord {
namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
constexpr double kUnit = 1.0 / ACCORD_UNITS_OF_ONE;

/// Units of the cell (i, j); 0 if it is not kept.
std::uint32_t units_at(const SparseMatrix& matrix, std::uint32_t i, std::uint32_t j) {
  std::uint32_t found = 0;
  matrix.for_each_in_row(i, [&](std::uint32_t column, std::uint32_t units) {
    if (column == j) found = units;
  });
  return found;
}

/// The residue that each row has in each column; kNone for a gap.
std::vector<std::vector<std::uint32_t>> residues_by_column(const Msa& msa) {
  std::vector<std::vector<std::uint32_t>> residues(msa.column_of.size());
  for (std::size_t x = 0; x < residues.size(); ++x) {
    residues[x].assign(msa.columns, kNone);
    for (std::uint32_t i = 0; i < msa.column_of[x].size(); ++i) {
      residues[x][msa.column_of[x][i]] = i;
    }
  }
  return residues;
}

/// Adds the probability that each residue of x is aligned with anything in y, to `sums`.
void add_aligned(const PosteriorSet& posteriors, std::size_t x, std::size_t y,
                 std::vector<std::uint64_t>& sums) {
  const bool is_row = x < y;
  const SparseMatrix& matrix = is_row ? posteriors.at(x, y) : posteriors.at(y, x);
  for (std::uint32_t i = 0; i < matrix.rows(); ++i) {
    matrix.for_each_in_row(
        i, [&](std::uint32_t column, std::uint32_t units) { sums[is_row ? i : column] += units; });
  }
}

}  // namespace

char posterior_code(float probability) {
  if (!(probability > 0)) return '0';
  if (probability >= 0.95f) return '*';
  return static_cast<char>('0' + static_cast<int>(probability * 10.0f + 0.5f));
}

Confidence alignment_confidence(const Msa& msa, const PosteriorSet& posteriors) {
  const std::size_t n = msa.column_of.size();
  const auto residues = residues_by_column(msa);
  Confidence result;
  result.column_residues.assign(msa.columns, 0);
  for (const auto& columns : msa.column_of) {
    for (std::uint32_t c : columns) ++result.column_residues[c];
  }

  std::vector<std::vector<std::uint64_t>> sums(n);  // units, [x][i]
  result.residue.resize(n);
  // Every pair is looked up from both sides, so that no two threads write to one row.
  parallel_for(n, [&](std::size_t x, int) {
    const std::vector<std::uint32_t>& columns = msa.column_of[x];
    std::vector<std::uint64_t>& sum = sums[x];
    sum.assign(columns.size(), 0);
    bool is_any_alone = false;
    for (std::size_t y = 0; y < n; ++y) {
      if (y == x) continue;
      for (std::uint32_t i = 0; i < columns.size(); ++i) {
        const std::uint32_t j = residues[y][columns[i]];
        if (j == kNone) continue;
        sum[i] += x < y ? units_at(posteriors.at(x, y), i, j) : units_at(posteriors.at(y, x), j, i);
      }
    }
    std::vector<float>& confidence = result.residue[x];
    confidence.assign(columns.size(), 1.0f);
    for (std::size_t i = 0; i < columns.size(); ++i) {
      const std::uint32_t pairs = result.column_residues[columns[i]] - 1;
      is_any_alone = is_any_alone || pairs == 0;
      if (pairs > 0)
        confidence[i] = static_cast<float>(static_cast<double>(sum[i]) * kUnit / pairs);
    }
    if (!is_any_alone || n < 2) return;
    std::vector<std::uint64_t> aligned(columns.size(), 0);
    for (std::size_t y = 0; y < n; ++y) {
      if (y != x) add_aligned(posteriors, x, y, aligned);
    }
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (result.column_residues[columns[i]] > 1) continue;
      const double share = static_cast<double>(aligned[i]) * kUnit / static_cast<double>(n - 1);
      confidence[i] = static_cast<float>(share < 1.0 ? 1.0 - share : 0.0);
    }
  });

  std::vector<std::uint64_t> column_sums(msa.columns, 0);  // each pair twice
  for (std::size_t x = 0; x < n; ++x) {
    for (std::size_t i = 0; i < sums[x].size(); ++i) column_sums[msa.column_of[x][i]] += sums[x][i];
  }
  std::uint64_t total = 0;
  for (std::uint32_t c = 0; c < msa.columns; ++c) {
    const std::uint64_t k = result.column_residues[c];
    const std::uint64_t both_ways = k * (k - 1);
    total += column_sums[c];
    result.pairs += both_ways / 2;
    result.column.push_back(both_ways == 0
                                ? std::numeric_limits<float>::quiet_NaN()
                                : static_cast<float>(static_cast<double>(column_sums[c]) * kUnit /
                                                     static_cast<double>(both_ways)));
  }
  result.mean = result.pairs == 0
                    ? std::numeric_limits<double>::quiet_NaN()
                    : static_cast<double>(total) * kUnit / static_cast<double>(2 * result.pairs);
  return result;
}

}  // namespace accord
