// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "accord/core/posterior_set.hpp"

namespace accord {

/// Side and cells of the tiles of the consistency transform.
inline constexpr std::uint32_t kTileSide = ACCORD_TILE;
inline constexpr std::uint32_t kTileCells = kTileSide * kTileSide;

/// Number of tiles that `length` residues take.
constexpr std::uint32_t tiles_of(std::uint32_t length) {
  return length / kTileSide + (length % kTileSide != 0);
}

/// The cells of kTileSide successive rows of a sparse matrix by tiles of kTileSide columns.
class TileStrip {
 public:
  /// A tile: its column, counted in tiles, and its number.
  struct Tile {
    std::uint32_t column;
    std::uint32_t number;
  };
  /// A cell: its tile's number, its place kTileSide * row + column in it, and its probability in
  /// units of 2^-16.
  struct Cell {
    std::uint32_t tile;
    std::uint16_t place;
    std::uint16_t units;
  };

  /// Reads the rows from kTileSide * strip on, in place of those read before.
  void read(const SparseMatrix& matrix, std::uint32_t strip);

  /// The tiles that have cells, columns increasing; they are numbered from 0.
  std::span<const Tile> tiles() const noexcept { return tiles_; }
  /// The cells in the order of the matrix.
  std::span<const Cell> cells() const noexcept { return cells_; }

 private:
  std::vector<Tile> tiles_;
  std::vector<Cell> cells_;
  std::vector<std::uint32_t> number_of_;  // by tile column; kNone if it has no cells
};

/// Where the tile lists of x begin (see TileLists): the first tile of the list of residues 8 I ...
/// of x, for each I, and the number of tiles.
std::vector<std::uint32_t> tile_list_begins(const PosteriorSet& set,
                                            std::span<const std::uint32_t> intermediates,
                                            std::uint32_t x);

/// The posterior cells of one sequence x against the intermediates, as dense tiles of kTileSide
/// residues of x and of z. The tiles of the same residues of x form a list in the order in which the
/// consistency transform adds them: by (z, K).
/// Cost    132 bytes a tile; a tile has about 10 cells on the ridge of an uncertain pair, and 6
///         where the alignment is clear.
class TileLists {
 public:
  /// `intermediates`: sequences, increasing; x itself is left out. `begins`: tile_list_begins() of
  /// the same. `strip` is working memory.
  TileLists(const PosteriorSet& set, std::span<const std::uint32_t> intermediates, std::uint32_t x,
            std::span<const std::uint32_t> begins, TileStrip& strip);

  /// (z, K) of each tile, tiles counted through all intermediates.
  std::span<const std::uint32_t> tile() const noexcept { return tile_; }
  /// The cells of one tile after another, S_xz(8 I + i, 8 K + k) at [8 i + k] of its tile, in units
  /// of 2^-16.
  std::span<const std::uint16_t> units() const noexcept { return units_; }

 private:
  std::vector<std::uint32_t> tile_;
  std::vector<std::uint16_t> units_;
};

}  // namespace accord
