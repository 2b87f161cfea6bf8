// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/posterior_set.hpp"

namespace accord {

/// The pairs of a posterior set that have cells, those with most cells first.
std::vector<PairIndex> plan_consistency_pairs(const PosteriorSet& posteriors);
/// The same for the wanted pairs only, which must all be in the set.
std::vector<PairIndex> plan_consistency_pairs(const PosteriorSet& posteriors,
                                              const PairSet& wanted);

/// The indices of `pairs`, in an order that groups pairs of 16 neighbouring x's and 16 neighbouring
/// y's. So the sequences that a device reads at the same time fit a cache.
std::vector<std::size_t> by_neighbourhood(std::span<const PairIndex> pairs);

/// Checks that `present` has the pairs of each sequence of a wanted pair with all intermediates.
/// Throws  Error{internal} if `present` lacks the pair of a sequence of a wanted pair and an
///         intermediate.
void check_intermediates(const PairSet& present, const PairSet& wanted,
                         std::span<const std::uint32_t> intermediates);

/// Memory of the cells of a pair, in bytes.
std::size_t consistency_pair_bytes(const PosteriorSet& posteriors, PairIndex pair);

}  // namespace accord

namespace accord::ocl {

/// Matrices of a posterior set whose cells are on a device at the same time.
struct MatrixChunk {
  std::size_t first;  ///< index of its first matrix among the pairs that cut_chunks() got
  /// The pairs of the matrices: a part of the pairs that cut_chunks() got.
  std::span<const PairIndex> pairs;
  /// For each matrix, the index of its first row among the rows of the chunk; then the number of
  /// rows.
  std::vector<std::uint32_t> first_row{0};
  /// For each matrix, the index of its first packed cell in the chunk; then the number of cells.
  std::vector<std::uint32_t> first_cell{0};

  std::uint32_t rows() const { return first_row.back(); }
  std::uint32_t cells() const { return first_cell.back(); }
  std::size_t packed_bytes() const {
    return sizeof(std::uint32_t) * (std::size_t{rows()} + 1 + cells());
  }

  /// Writes to `packed` the index of the first cell of each row, then the number of cells, then all
  /// packed cells; packed_bytes() in all. `set` must be the set that cut_chunks() got.
  void pack(const PosteriorSet& set, std::uint32_t* packed) const;
};

/// The number of matrices, among those of `pairs` pairs, that a thread of the host packs or takes
/// over at a time. Each thread gets a few such parts.
constexpr std::size_t pairs_of_part(std::size_t pairs) { return 1 + pairs / 64; }

/// Cuts matrices, in their order, into chunks. A chunk with its results and descriptions takes at
/// most `most_bytes` of device memory, or it has a single matrix. The chunks refer to `pairs`,
/// which must outlive them.
std::vector<MatrixChunk> cut_chunks(const PosteriorSet& set, std::span<const PairIndex> pairs,
                                    std::size_t most_bytes);

}  // namespace accord::ocl
