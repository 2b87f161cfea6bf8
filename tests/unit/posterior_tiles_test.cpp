// SPDX-License-Identifier: Apache-2.0
// Tile lists against the matrices that they were made of, cell by cell.
#include "accord/core/posterior_tiles.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <map>
#include <random>
#include <utility>
#include <vector>


namespace accord::testing {
namespace {

/// Random matrices of all pairs, some of them empty.
PosteriorSet random_set(std::uint64_t seed, const std::vector<std::uint32_t>& lengths) {
  std::mt19937_64 random(seed);
  PosteriorSet set(lengths.size());
  for (std::uint32_t y = 1; y < lengths.size(); ++y) {
    for (std::uint32_t x = 0; x < y; ++x) {
      const std::uint64_t one_in = random() % 4 == 0 ? 0 : 1 + random() % 20;
      SparseMatrixBuilder builder(lengths[y]);
      for (std::uint32_t i = 0; i < lengths[x]; ++i) {
        for (std::uint32_t j = 0; j < lengths[y]; ++j) {
          if (one_in != 0 && random() % one_in == 0) {
            builder.add(j, static_cast<std::uint32_t>(1 + random() % 65535));
          }
        }
        builder.end_row();
      }
      set.at(x, y) = builder.finish();
    }
  }
  return set;
}

/// A residue of x against a residue of another sequence, counted through the tiles of all intermediates.
using Place = std::pair<std::uint32_t, std::uint32_t>;

/// What the lists of x should hold, straight from the matrices.
std::map<Place, std::uint32_t> cells_of(const PosteriorSet& set,
                                        const std::vector<std::uint32_t>& lengths,
                                        const std::vector<std::uint32_t>& intermediates,
                                        std::uint32_t x) {
  std::map<Place, std::uint32_t> cells;
  std::uint32_t first = 0;
  for (std::uint32_t z : intermediates) {
    if (z != x) {
      const SparseMatrix matrix = z < x ? set.at(z, x).transposed() : set.at(x, z);
      for (std::uint32_t i = 0; i < matrix.rows(); ++i) {
        matrix.for_each_in_row(i, [&](std::uint32_t k, std::uint32_t units) {
          cells[{i, first + k}] = units;
        });
      }
    }
    first += tiles_of(lengths[z]) * kTileSide;
  }
  return cells;
}

void check_lists(const PosteriorSet& set, const std::vector<std::uint32_t>& lengths,
                 const std::vector<std::uint32_t>& intermediates, std::uint32_t x,
                 TileStrip& strip) {
  const std::vector<std::uint32_t> begins = tile_list_begins(set, intermediates, x);
  REQUIRE(begins.size() == tiles_of(lengths[x]) + 1);
  const TileLists lists(set, intermediates, x, begins, strip);
  REQUIRE(begins.back() == lists.tile().size());
  REQUIRE(lists.units().size() == kTileCells * lists.tile().size());
  std::map<Place, std::uint32_t> cells;
  for (std::uint32_t list = 0; list + 1 < begins.size(); ++list) {
    for (std::uint32_t t = begins[list]; t < begins[list + 1]; ++t) {
      if (t > begins[list]) CHECK(lists.tile()[t] > lists.tile()[t - 1]);
      std::size_t filled = 0;
      for (std::uint32_t c = 0; c < kTileCells; ++c) {
        const std::uint32_t units = lists.units()[kTileCells * t + c];
        if (units == 0) continue;
        cells[{list * kTileSide + c / kTileSide, lists.tile()[t] * kTileSide + c % kTileSide}] =
            units;
        ++filled;
      }
      CHECK(filled > 0);
    }
  }
  CHECK(cells == cells_of(set, lengths, intermediates, x));
}

TEST_CASE("posterior tiles: the lists hold every cell once, in order") {
  TileStrip strip;  // reused, so that what is left in it must not matter
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    CAPTURE(seed);
    std::vector<std::uint32_t> lengths;
    for (std::uint32_t k = 0; k < 5; ++k) {
      lengths.push_back(static_cast<std::uint32_t>((seed * 13 + k * 7) % 41));
    }
    const PosteriorSet set = random_set(seed, lengths);
    for (std::uint32_t x = 0; x < lengths.size(); ++x) {
      for (const std::vector<std::uint32_t>& intermediates :
           std::vector<std::vector<std::uint32_t>>{{0, 1, 2, 3, 4}, {2}, {0, 3}}) {
        check_lists(set, lengths, intermediates, x, strip);
      }
    }
  }
}

}  // namespace
}  // namespace accord::testing
