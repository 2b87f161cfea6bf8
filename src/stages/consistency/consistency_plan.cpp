// SPDX-License-Identifier: Apache-2.0
#include "stages/consistency/consistency_plan.hpp"

#include <algorithm>
#include <utility>

#include "base/parallel.hpp"

namespace accord {

std::size_t consistency_pair_bytes(const PosteriorSet& posteriors, PairIndex pair) {
  return posteriors.at(pair.x, pair.y).packed().size() * sizeof(std::uint32_t);
}

std::vector<PairIndex> plan_consistency_pairs(const PosteriorSet& posteriors) {
  return plan_consistency_pairs(posteriors, posteriors.pairs());
}

void check_intermediates(const PairSet& present, const PairSet& wanted,
                         std::span<const std::uint32_t> intermediates) {
  if (present.is_all()) return;
  std::vector<bool> is_needed(wanted.sequences(), false);
  for (std::uint32_t y = 0; y < wanted.sequences(); ++y) {
    for (const std::uint32_t x : wanted.partners(y)) is_needed[x] = is_needed[y] = true;
  }
  for (std::uint32_t x = 0; x < is_needed.size(); ++x) {
    if (!is_needed[x]) continue;
    for (const std::uint32_t z : intermediates) {
      if (z != x) present.number(std::min(x, z), std::max(x, z));
    }
  }
}

std::vector<PairIndex> plan_consistency_pairs(const PosteriorSet& posteriors,
                                              const PairSet& wanted) {
  struct Sized {
    std::size_t cells;
    PairIndex pair;
  };
  std::vector<Sized> sized;
  sized.reserve(wanted.size());
  for (std::uint32_t y = 1; y < wanted.sequences(); ++y) {
    for (const std::uint32_t x : wanted.partners(y)) {
      const std::size_t cells = posteriors.at(x, y).packed().size();
      if (cells > 0) sized.push_back({cells, {x, y}});
    }
  }
  // The numbers of cells lie beside the pairs. Looking them up in the matrices at each comparison
  // took one thread 0.3 s for the pairs of 1000 sequences.
  std::stable_sort(sized.begin(), sized.end(),
                   [](const Sized& a, const Sized& b) { return a.cells > b.cells; });
  std::vector<PairIndex> pairs;
  pairs.reserve(sized.size());
  for (const Sized& one : sized) pairs.push_back(one.pair);
  return pairs;
}

std::vector<std::size_t> by_neighbourhood(std::span<const PairIndex> pairs) {
  // 16 neighbours: x and y are cut into 28 and 4 bits, so that one number has the place of a pair.
  constexpr int kBits = 4;
  constexpr std::uint64_t kMask = (1 << kBits) - 1;
  std::vector<std::pair<std::uint64_t, std::size_t>> numbered;
  numbered.reserve(pairs.size());
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const std::uint64_t x = pairs[k].x, y = pairs[k].y;
    const std::uint64_t neighbourhood = x >> kBits << 32 | y >> kBits << kBits;
    numbered.emplace_back((neighbourhood | (x & kMask)) << kBits | (y & kMask), k);
  }
  std::sort(numbered.begin(), numbered.end());
  std::vector<std::size_t> numbers;
  numbers.reserve(pairs.size());
  for (const auto& one : numbered) numbers.push_back(one.second);
  return numbers;
}

}  // namespace accord

namespace accord::ocl {
namespace {

/// Bytes in a chunk: of a row, for the index of its first cell; of a packed cell, for the cell and
/// its new units; of a matrix, for its description.
constexpr std::size_t kRowBytes = sizeof(std::uint32_t);
constexpr std::size_t kCellBytes = sizeof(std::uint32_t) + sizeof(std::uint16_t);
constexpr std::size_t kMatrixBytes = sizeof(accord_cell_matrix) + sizeof(accord_consistency_pair);

}  // namespace

void MatrixChunk::pack(const PosteriorSet& set, std::uint32_t* packed) const {
  std::uint32_t* const of_cells = packed + rows() + 1;
  packed[rows()] = cells();
  const auto pack_matrix = [&](std::size_t k) {
    const SparseMatrix& matrix = set.at(pairs[k].x, pairs[k].y);
    for (std::uint32_t i = 0; i < matrix.rows(); ++i) {
      packed[first_row[k] + i] = first_cell[k] + matrix.row_begin()[i];
    }
    std::copy(matrix.packed().begin(), matrix.packed().end(), of_cells + first_cell[k]);
  };
  parallel_for_parts(pairs.size(), pairs_of_part(pairs.size()),
                     [&](std::size_t k, std::size_t last) {
                       for (; k < last; ++k) pack_matrix(k);
                     });
}

std::vector<MatrixChunk> cut_chunks(const PosteriorSet& set, std::span<const PairIndex> pairs,
                                    std::size_t most_bytes) {
  std::vector<MatrixChunk> chunks;
  for (std::size_t first = 0; first < pairs.size();) {
    MatrixChunk chunk{first, {}};
    std::size_t last = first, bytes = 0;
    for (; last < pairs.size(); ++last) {
      const SparseMatrix& matrix = set.at(pairs[last].x, pairs[last].y);
      const auto cells = static_cast<std::uint32_t>(matrix.packed().size());
      bytes += kMatrixBytes + kRowBytes * matrix.rows() + kCellBytes * cells;
      if (last > first && bytes > most_bytes) break;
      chunk.first_row.push_back(chunk.rows() + matrix.rows());
      chunk.first_cell.push_back(chunk.cells() + cells);
    }
    chunk.pairs = pairs.subspan(first, last - first);
    chunks.push_back(std::move(chunk));
    first = last;
  }
  return chunks;
}

}  // namespace accord::ocl
