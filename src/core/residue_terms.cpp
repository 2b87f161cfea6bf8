// SPDX-License-Identifier: Apache-2.0
#include "accord/core/residue_terms.hpp"

namespace accord {
namespace {

/// Calls f(z, i, k, units) for every cell of x against every z; for each i in order of (z, k).
template <class F>
void visit_terms(const PosteriorSet& set, std::uint32_t x, F&& f) {
  for (std::uint32_t z = 0; z < set.sequences(); ++z) {
    if (z == x) continue;
    const SparseMatrix& matrix = z < x ? set.at(z, x) : set.at(x, z);
    for (std::uint32_t row = 0; row < matrix.rows(); ++row) {
      matrix.for_each_in_row(row, [&](std::uint32_t column, std::uint32_t units) {
        if (z < x) {
          f(z, column, row, units);
        } else {
          f(z, row, column, units);
        }
      });
    }
  }
}

}  // namespace

std::vector<std::uint32_t> family_offsets(const PosteriorSet& set) {
  const std::size_t n = set.sequences();
  std::vector<std::uint32_t> offsets(n + 1, 0);
  for (std::size_t x = 0; x < n && n > 1; ++x) {
    const std::uint32_t length = x + 1 < n ? set.at(x, x + 1).rows() : set.at(0, x).cols();
    offsets[x + 1] = offsets[x] + length;
  }
  return offsets;
}

std::vector<std::uint32_t> count_residue_terms(const PosteriorSet& set, std::uint32_t x) {
  const bool last = x + 1 == set.sequences();
  std::vector<std::uint32_t> count(last ? set.at(0, x).cols() : set.at(x, x + 1).rows(), 0);
  visit_terms(set, x,
              [&](std::uint32_t, std::uint32_t i, std::uint32_t, std::uint32_t) { ++count[i]; });
  return count;
}

void fill_residue_terms(const PosteriorSet& set, std::span<const std::uint32_t> offsets,
                        std::uint32_t x, std::span<const std::uint32_t> begin, std::uint32_t* index,
                        float* value) {
  std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1);
  visit_terms(set, x, [&](std::uint32_t z, std::uint32_t i, std::uint32_t k, std::uint32_t units) {
    index[next[i]] = offsets[z] + k;
    value[next[i]++] = static_cast<float>(units) * (1.0f / 65536.0f);
  });
}

RelaxWeights::RelaxWeights(std::span<const float> weights, float self_weight)
    : weights_(weights), self_weight_(self_weight) {
  for (float weight : weights) total_ += weight;
}

}  // namespace accord
