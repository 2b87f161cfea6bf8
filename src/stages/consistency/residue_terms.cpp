// SPDX-License-Identifier: Apache-2.0
#include "stages/consistency/residue_terms.hpp"

#include <algorithm>
#include <numeric>

namespace accord::host {
namespace {

/// Calls f(m, i, k, units) for every packed cell (i, k) of x with an intermediate of its pairs; m
/// is the index of the intermediate among all. A filler has 0 units. For each i, the calls are in
/// the order of (m, k).
template <class F>
void visit_cells(const PosteriorSet& set, const ConsistencyWeights& weights, std::uint32_t x,
                 F&& f) {
  const std::span<const std::uint32_t> intermediates = weights.intermediates();
  for (std::size_t m = 0; m < intermediates.size(); ++m) {
    const std::uint32_t z = intermediates[m];
    if (!weights.allows_intermediate(x, z)) continue;
    const SparseMatrix& matrix = z < x ? set.at(z, x) : set.at(x, z);
    const std::uint32_t *begin = matrix.row_begin().data(), *packed = matrix.packed().data();
    for (std::uint32_t row = 0; row < matrix.rows(); ++row) {
      std::uint32_t column = 0;
      for (std::uint32_t at = begin[row]; at < begin[row + 1]; ++at) {
        column += ACCORD_CELL_STEP(packed[at]);
        if (z < x) {
          f(m, column, row, ACCORD_CELL_UNITS(packed[at]));
        } else {
          f(m, row, column, ACCORD_CELL_UNITS(packed[at]));
        }
      }
    }
  }
}

/// Ranks residues by their numbers of terms, the largest first. This is a counting sort, without
/// comparisons.
void rank_by(const std::vector<std::uint32_t>& counts, ResidueTerms& terms) {
  const std::uint32_t most = *std::max_element(counts.begin(), counts.end());
  std::vector<std::uint32_t> next(std::size_t{most} + 2,
                                  0);  // [m]: next rank of residues with `most` - m terms
  for (std::uint32_t count : counts) ++next[most - count + 1];
  std::partial_sum(next.begin(), next.end(), next.begin());
  terms.order.resize(counts.size());
  terms.rank.resize(counts.size());
  for (std::uint32_t i = 0; i < counts.size(); ++i) {
    terms.rank[i] = next[most - counts[i]]++;
    terms.order[terms.rank[i]] = i;
  }
}

}  // namespace

std::vector<std::uint32_t> term_offsets(const PosteriorSet& set,
                                        std::span<const std::uint32_t> intermediates) {
  std::vector<std::uint32_t> offsets{0};
  for (std::uint32_t z : intermediates) offsets.push_back(offsets.back() + set.length(z));
  return offsets;
}

ResidueTerms::ResidueTerms(const PosteriorSet& set, const ConsistencyWeights& weights,
                           std::span<const std::uint32_t> offsets, std::uint32_t x) {
  std::vector<std::uint32_t> counts(set.length(x), 0);
  if (counts.empty()) return;
  visit_cells(set, weights, x,
              [&](std::size_t, std::uint32_t i, std::uint32_t, std::uint32_t units) {
                counts[i] += units != 0;
              });
  begin.assign(counts.size() + 1, 0);
  std::partial_sum(counts.begin(), counts.end(), begin.begin() + 1);
  const std::uint32_t all = begin.back();
  terms.resize(std::size_t{all} + 1);
  std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1);
  visit_cells(set, weights, x,
              [&](std::size_t m, std::uint32_t i, std::uint32_t k, std::uint32_t units) {
                // Without a branch, since a processor cannot predict which cells are fillers.
                terms[units != 0 ? next[i] : all] = {kConsistencyRows * (offsets[m] + k),
                                                     ACCORD_FRACTION_OF_UNITS(units)};
                next[i] += units != 0;
              });
  rank_by(counts, *this);
}

}  // namespace accord::host
