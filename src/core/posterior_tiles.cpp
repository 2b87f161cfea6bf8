// SPDX-License-Identifier: Apache-2.0
#include "accord/core/posterior_tiles.hpp"

#include <algorithm>

namespace accord {
namespace {

constexpr std::uint32_t kNone = 0xffffffffu;

/// Calls f(matrix, stored_by_z, s, first) for every strip s of the matrices of x against each
/// intermediate z; `first` is the number of tiles of all intermediates before z.
template <class F>
void visit_strips(const PosteriorSet& set, std::span<const std::uint32_t> intermediates,
                  std::uint32_t x, F&& f) {
  std::uint32_t first = 0;
  for (std::uint32_t z : intermediates) {
    if (z != x) {
      const SparseMatrix& matrix = z < x ? set.at(z, x) : set.at(x, z);
      for (std::uint32_t s = 0; s < tiles_of(matrix.rows()); ++s) f(matrix, z < x, s, first);
    }
    first += tiles_of(set.length(z));
  }
}

/// Calls f(row, column, units) for the cells of a strip; the row is counted within the strip.
template <class F>
void visit_cells(const SparseMatrix& matrix, std::uint32_t strip, F&& f) {
  const std::uint32_t first = kTileSide * strip;
  const std::uint32_t rows = std::min(matrix.rows() - first, kTileSide);
  for (std::uint32_t row = 0; row < rows; ++row) {
    matrix.for_each_in_row(
        first + row, [&](std::uint32_t column, std::uint32_t units) { f(row, column, units); });
  }
}

}  // namespace

void TileStrip::read(const SparseMatrix& matrix, std::uint32_t strip) {
  for (Tile tile : tiles_) number_of_[tile.column] = kNone;
  tiles_.clear();
  cells_.clear();
  const std::size_t columns = tiles_of(matrix.cols());
  if (number_of_.size() < columns) number_of_.resize(columns, kNone);
  visit_cells(matrix, strip, [&](std::uint32_t row, std::uint32_t column, std::uint32_t units) {
    std::uint32_t& number = number_of_[column / kTileSide];
    if (number == kNone) {
      number = static_cast<std::uint32_t>(tiles_.size());
      tiles_.push_back({column / kTileSide, number});
    }
    cells_.push_back({number, static_cast<std::uint16_t>(kTileSide * row + column % kTileSide),
                      static_cast<std::uint16_t>(units)});
  });
  // Few, and nearly in order: insertion sort.
  for (std::size_t k = 1; k < tiles_.size(); ++k) {
    const Tile tile = tiles_[k];
    std::size_t at = k;
    for (; at > 0 && tiles_[at - 1].column > tile.column; --at) tiles_[at] = tiles_[at - 1];
    tiles_[at] = tile;
  }
}

std::vector<std::uint32_t> tile_list_begins(const PosteriorSet& set,
                                            std::span<const std::uint32_t> intermediates,
                                            std::uint32_t x) {
  std::vector<std::uint32_t> begins(tiles_of(set.length(x)) + 1, 0);
  std::vector<std::uint32_t> seen_in;  // by tile column: the last strip that has cells there
  std::uint32_t now = 0;               // strips are numbered through all matrices
  visit_strips(set, intermediates, x,
               [&](const SparseMatrix& matrix, bool stored_by_z, std::uint32_t s, std::uint32_t) {
                 seen_in.resize(std::max<std::size_t>(seen_in.size(), tiles_of(matrix.cols())), 0);
                 ++now;
                 visit_cells(matrix, s, [&](std::uint32_t, std::uint32_t column, std::uint32_t) {
                   std::uint32_t& seen = seen_in[column / kTileSide];
                   if (seen == now) return;
                   seen = now;
                   // A strip of S_zx has one tile each of several lists of x, one of S_xz is a
                   // list.
                   ++begins[(stored_by_z ? column / kTileSide : s) + 1];
                 });
               });
  for (std::size_t list = 1; list < begins.size(); ++list) begins[list] += begins[list - 1];
  return begins;
}

TileLists::TileLists(const PosteriorSet& set, std::span<const std::uint32_t> intermediates,
                     std::uint32_t x, std::span<const std::uint32_t> begins, TileStrip& strip)
    : tile_(begins.back()), units_(std::size_t{kTileCells} * begins.back(), 0) {
  std::vector<std::uint32_t> next(begins.begin(), begins.end() - 1);
  std::vector<std::size_t> place_of;  // of a tile of the strip, among all tiles
  visit_strips(
      set, intermediates, x,
      [&](const SparseMatrix& matrix, bool stored_by_z, std::uint32_t s, std::uint32_t first) {
        strip.read(matrix, s);
        place_of.resize(strip.tiles().size());
        for (TileStrip::Tile tile : strip.tiles()) {  // in order of (z, K)
          const std::size_t place = next[stored_by_z ? tile.column : s]++;
          tile_[place] = first + (stored_by_z ? s : tile.column);
          place_of[tile.number] = place;
        }
        for (TileStrip::Cell cell : strip.cells()) {
          const std::uint32_t row = cell.place / kTileSide;
          const std::uint32_t column = cell.place % kTileSide;
          const std::uint32_t slot = stored_by_z ? kTileSide * column + row : cell.place;
          units_[kTileCells * place_of[cell.tile] + slot] = cell.units;
        }
      });
}

}  // namespace accord
