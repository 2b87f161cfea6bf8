// SPDX-License-Identifier: Apache-2.0
#include "core/confidence.hpp"

#include <algorithm>
#include <limits>
#include <span>

#include "base/parallel.hpp"

namespace accord {
namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
constexpr double kUnit = 1.0 / ACCORD_UNITS_OF_ONE;

/// For each sequence, the sequences that it is paired with.
std::vector<std::vector<std::uint32_t>> partners_of_all(const PairSet& pairs) {
  std::vector<std::vector<std::uint32_t>> partners(pairs.sequences());
  for (std::uint32_t y = 0; y < partners.size(); ++y) {
    for (const std::uint32_t x : pairs.partners(y)) {
      partners[y].push_back(x);
      partners[x].push_back(y);
    }
  }
  return partners;
}

/// For each row, the residue in each column, or kNone for a gap. A row without partners is left
/// empty.
std::vector<std::vector<std::uint32_t>> residues_by_column(
    const Msa& msa, const std::vector<std::vector<std::uint32_t>>& partners) {
  std::vector<std::vector<std::uint32_t>> residues(msa.column_of.size());
  for (std::size_t x = 0; x < residues.size(); ++x) {
    if (partners[x].empty()) continue;
    residues[x].assign(msa.columns, kNone);
    for (std::uint32_t i = 0; i < msa.column_of[x].size(); ++i) {
      residues[x][msa.column_of[x][i]] = i;
    }
  }
  return residues;
}

/// Adds to `sums`, for each residue of x, the probability that it is aligned with any residue of y.
void add_aligned(const PosteriorSet& posteriors, std::size_t x, std::size_t y,
                 std::vector<std::uint64_t>& sums) {
  const bool is_row = x < y;
  const SparseMatrix& matrix = is_row ? posteriors.at(x, y) : posteriors.at(y, x);
  for (std::uint32_t i = 0; i < matrix.rows(); ++i) {
    matrix.for_each_in_row(
        i, [&](std::uint32_t column, std::uint32_t units) { sums[is_row ? i : column] += units; });
  }
}

/// For each residue of a row, the evidence from the pairs of the row.
struct RowSums {
  std::vector<std::uint64_t> units;  // sum of probabilities that it is aligned as in the alignment
  std::vector<std::uint32_t> pairs;  // number of these probabilities
};

/// The confidence of the residues of row x.
std::vector<float> row_confidence(const PosteriorSet& posteriors, std::size_t x,
                                  std::span<const std::uint32_t> partners, const RowSums& sums) {
  const std::size_t length = sums.pairs.size();
  if (partners.empty()) {
    const bool is_alone = posteriors.sequences() == 1;
    return std::vector<float>(length, is_alone ? 1.0f : std::numeric_limits<float>::quiet_NaN());
  }
  std::vector<float> confidence(length);
  for (std::size_t i = 0; i < length; ++i) {
    if (sums.pairs[i] == 0) continue;
    confidence[i] = static_cast<float>(static_cast<double>(sums.units[i]) * kUnit / sums.pairs[i]);
  }
  if (std::ranges::find(sums.pairs, 0u) == sums.pairs.end()) return confidence;
  std::vector<std::uint64_t> aligned(length, 0);
  for (const std::uint32_t y : partners) add_aligned(posteriors, x, y, aligned);
  for (std::size_t i = 0; i < length; ++i) {
    if (sums.pairs[i] > 0) continue;
    const double share =
        static_cast<double>(aligned[i]) * kUnit / static_cast<double>(partners.size());
    confidence[i] = static_cast<float>(share < 1.0 ? 1.0 - share : 0.0);
  }
  return confidence;
}

}  // namespace

char posterior_code(float probability) {
  if (!(probability > 0)) return '0';
  if (probability >= 0.95f) return '*';
  return static_cast<char>('0' + static_cast<int>(probability * 10.0f + 0.5f));
}

Confidence alignment_confidence(const Msa& msa, const PosteriorSet& posteriors) {
  const std::size_t n = msa.column_of.size();
  const auto partners = partners_of_all(posteriors.pairs());
  const auto residues = residues_by_column(msa, partners);
  Confidence result;
  result.column_residues.assign(msa.columns, 0);
  for (const auto& columns : msa.column_of) {
    for (std::uint32_t c : columns) ++result.column_residues[c];
  }

  std::vector<RowSums> sums(n);
  result.residue.resize(n);
  // Every pair is looked up from both sides, so that no two threads write to one row.
  parallel_for(n, [&](std::size_t x, int) {
    const std::vector<std::uint32_t>& columns = msa.column_of[x];
    sums[x].units.assign(columns.size(), 0);
    sums[x].pairs.assign(columns.size(), 0);
    for (const std::uint32_t y : partners[x]) {
      for (std::uint32_t i = 0; i < columns.size(); ++i) {
        const std::uint32_t j = residues[y][columns[i]];
        if (j == kNone) continue;
        sums[x].units[i] +=
            x < y ? posteriors.at(x, y).units_at(i, j) : posteriors.at(y, x).units_at(j, i);
        ++sums[x].pairs[i];
      }
    }
    result.residue[x] = row_confidence(posteriors, x, partners[x], sums[x]);
  });

  std::vector<std::uint64_t> column_units(msa.columns, 0), column_pairs(msa.columns, 0);
  for (std::size_t x = 0; x < n; ++x) {  // each pair twice
    for (std::size_t i = 0; i < sums[x].units.size(); ++i) {
      column_units[msa.column_of[x][i]] += sums[x].units[i];
      column_pairs[msa.column_of[x][i]] += sums[x].pairs[i];
    }
  }
  std::uint64_t total = 0;
  for (std::uint32_t c = 0; c < msa.columns; ++c) {
    total += column_units[c];
    result.pairs += column_pairs[c] / 2;
    result.column.push_back(column_pairs[c] == 0
                                ? std::numeric_limits<float>::quiet_NaN()
                                : static_cast<float>(static_cast<double>(column_units[c]) * kUnit /
                                                     static_cast<double>(column_pairs[c])));
  }
  result.mean = result.pairs == 0
                    ? std::numeric_limits<double>::quiet_NaN()
                    : static_cast<double>(total) * kUnit / static_cast<double>(2 * result.pairs);
  return result;
}

}  // namespace accord
