// SPDX-License-Identifier: Apache-2.0
#include "accord/core/residue_terms.hpp"

namespace accord {
namespace {

/// Calls f(m, i, k, units) for every cell of x against every intermediate z, the m-th; for each i
/// in order of (m, k).
template <class F>
void visit_terms(const PosteriorSet& set, std::span<const std::uint32_t> intermediates,
                 std::uint32_t x, F&& f) {
  for (std::size_t m = 0; m < intermediates.size(); ++m) {
    const std::uint32_t z = intermediates[m];
    if (z == x) continue;
    const SparseMatrix& matrix = z < x ? set.at(z, x) : set.at(x, z);
    for (std::uint32_t row = 0; row < matrix.rows(); ++row) {
      matrix.for_each_in_row(row, [&](std::uint32_t column, std::uint32_t units) {
        if (z < x) {
          f(m, column, row, units);
        } else {
          f(m, row, column, units);
        }
      });
    }
  }
}

}  // namespace

std::vector<std::uint32_t> term_offsets(const PosteriorSet& set,
                                        std::span<const std::uint32_t> intermediates) {
  std::vector<std::uint32_t> offsets{0};
  for (std::uint32_t z : intermediates) offsets.push_back(offsets.back() + set.length(z));
  return offsets;
}

std::vector<std::uint32_t> count_residue_terms(const PosteriorSet& set,
                                               std::span<const std::uint32_t> intermediates,
                                               std::uint32_t x) {
  std::vector<std::uint32_t> count(set.length(x), 0);
  visit_terms(set, intermediates, x,
              [&](std::size_t, std::uint32_t i, std::uint32_t, std::uint32_t) { ++count[i]; });
  return count;
}

void fill_residue_terms(const PosteriorSet& set, std::span<const std::uint32_t> intermediates,
                        std::span<const std::uint32_t> offsets, std::uint32_t x,
                        std::span<const std::uint32_t> begin, std::uint32_t* index, float* value) {
  std::vector<std::uint32_t> next(begin.begin(), begin.end() - 1);
  visit_terms(set, intermediates, x,
              [&](std::size_t m, std::uint32_t i, std::uint32_t k, std::uint32_t units) {
                index[next[i]] = offsets[m] + k;
                value[next[i]++] = ACCORD_FRACTION_OF_UNITS(units);
              });
}

}  // namespace accord
