// SPDX-License-Identifier: Apache-2.0
#include "accord/core/posterior_tiles.hpp"

#include <algorithm>

namespace accord {
namespace {

constexpr std::uint32_t kNone = 0xffffffffu;

/// Calls f(first, stored_by_z, s) for every strip s of the matrices of x against each intermediate
/// z, with the strip read; `first` is the number of tiles of all intermediates before z.
template <class F>
void visit_strips(const PosteriorSet& set, std::span<const std::uint32_t> intermediates,
                  std::uint32_t x, TileStrip& strip, F&& f) {
  std::uint32_t first = 0;
  for (std::uint32_t z : intermediates) {
    if (z != x) {
      const SparseMatrix& matrix = z < x ? set.at(z, x) : set.at(x, z);
      for (std::uint32_t s = 0; s < tiles_of(matrix.rows()); ++s) {
        strip.read(matrix, s);
        f(first, z < x, s);
      }
    }
    first += tiles_of(set.length(z));
  }
}

}  // namespace

void TileStrip::read(const SparseMatrix& matrix, std::uint32_t strip) {
  for (Tile tile : tiles_) number_of_[tile.column] = kNone;
  tiles_.clear();
  cells_.clear();
  const std::size_t columns = tiles_of(matrix.cols());
  if (number_of_.size() < columns) number_of_.resize(columns, kNone);
  const std::uint32_t first = kTileSide * strip;
  const std::uint32_t rows = std::min(matrix.rows() - first, kTileSide);
  for (std::uint32_t row = 0; row < rows; ++row) {
    matrix.for_each_in_row(first + row, [&](std::uint32_t column, std::uint32_t units) {
      std::uint32_t& number = number_of_[column / kTileSide];
      if (number == kNone) {
        number = static_cast<std::uint32_t>(tiles_.size());
        tiles_.push_back({column / kTileSide, number});
      }
      cells_.push_back({number, static_cast<std::uint16_t>(kTileSide * row + column % kTileSide),
                        static_cast<std::uint16_t>(units)});
    });
  }
  // Few, and nearly in order: insertion sort.
  for (std::size_t k = 1; k < tiles_.size(); ++k) {
    const Tile tile = tiles_[k];
    std::size_t at = k;
    for (; at > 0 && tiles_[at - 1].column > tile.column; --at) tiles_[at] = tiles_[at - 1];
    tiles_[at] = tile;
  }
}

TileLists::TileLists(const PosteriorSet& set, std::span<const std::uint32_t> intermediates,
                     std::uint32_t x, TileStrip& strip)
    : begin_(tiles_of(set.length(x)) + 1, 0) {
  // A strip of S_zx has one tile each of several lists of x, and one of S_xz is a list. Either
  // way each list gets its tiles in order of (z, K).
  visit_strips(set, intermediates, x, strip, [&](std::uint32_t, bool stored_by_z, std::uint32_t s) {
    for (TileStrip::Tile tile : strip.tiles()) ++begin_[(stored_by_z ? tile.column : s) + 1];
  });
  for (std::size_t list = 1; list < begin_.size(); ++list) begin_[list] += begin_[list - 1];
  tile_.resize(begin_.back());
  units_.assign(std::size_t{kTileCells} * begin_.back(), 0);

  std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
  std::vector<std::size_t> place_of;  // of a tile of the strip, among all tiles
  visit_strips(set, intermediates, x, strip, [&](std::uint32_t first, bool stored_by_z, std::uint32_t s) {
    place_of.resize(strip.tiles().size());
    for (TileStrip::Tile tile : strip.tiles()) {
      const std::size_t place = next[stored_by_z ? tile.column : s]++;
      tile_[place] = first + (stored_by_z ? s : tile.column);
      place_of[tile.number] = place;
    }
    for (TileStrip::Cell cell : strip.cells()) {
      const std::uint32_t row = cell.place / kTileSide, column = cell.place % kTileSide;
      const std::uint32_t slot = stored_by_z ? kTileSide * column + row : cell.place;
      units_[kTileCells * place_of[cell.tile] + slot] = cell.units;
    }
  });
}

std::size_t count_tiles(const PosteriorSet& set, std::span<const std::uint32_t> intermediates,
                        std::uint32_t x, TileStrip& strip) {
  std::size_t tiles = 0;
  visit_strips(set, intermediates, x, strip,
               [&](std::uint32_t, bool, std::uint32_t) { tiles += strip.tiles().size(); });
  return tiles;
}

}  // namespace accord
