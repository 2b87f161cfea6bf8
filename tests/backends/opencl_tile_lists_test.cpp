// SPDX-License-Identifier: Apache-2.0
// The tile lists that OpenCL devices make against the matrices that they are made of, cell by cell.
#include <doctest/doctest.h>

#include <cstdint>
#include <map>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include "backends/opencl_devices.hpp"
#include "stages/consistency/tile_lists.hpp"
#include "support/transformed.hpp"

namespace accord::testing {
namespace {

constexpr std::size_t kTileCells = ACCORD_TILE * ACCORD_TILE;

/// Random matrices of all pairs with cells far from any diagonal; some are empty.
PosteriorSet random_set(std::uint64_t seed, const std::vector<std::uint32_t>& lengths) {
  std::mt19937_64 random(seed);
  PosteriorSet set(lengths.size());
  for (std::uint32_t y = 1; y < lengths.size(); ++y) {
    for (std::uint32_t x = 0; x < y; ++x) {
      const std::uint64_t one_in = random() % 4 == 0 ? 0 : 1 + random() % 40;
      SparseMatrixBuilder builder(lengths[y]);
      for (std::uint32_t i = 0; i < lengths[x]; ++i) {
        const bool is_empty = random() % 3 == 0;
        for (std::uint32_t j = 0; j < lengths[y]; ++j) {
          if (one_in != 0 && !is_empty && random() % one_in == 0) {
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

/// The lists of a device, as they are there.
struct FoundLists {
  std::vector<std::uint32_t> begin, tile;
  std::vector<std::uint16_t> units;
};

template <class T>
std::vector<T> read(const ocl::Session& session, const cl::Buffer& buffer, std::size_t count) {
  std::vector<T> values(count);
  if (count == 0) return values;
  session.queue.enqueueReadBuffer(buffer, CL_TRUE, 0, count * sizeof(T), values.data());
  return values;
}

cl::Buffer uploaded(const ocl::Session& session, const PosteriorSet& set,
                    const ocl::MatrixChunk& chunk) {
  std::vector<std::uint32_t> packed(chunk.packed_bytes() / sizeof(std::uint32_t));
  chunk.pack(set, packed.data());
  return ocl::upload(session, std::span<const std::uint32_t>(packed));
}

/// Makes the lists of the sequences out of chunks of at most `chunk_bytes`. Before that they hold
/// something else.
FoundLists make_lists(const ocl::Session& session, ocl::TileLists& lists, const PosteriorSet& set,
                      const std::vector<std::uint32_t>& intermediates,
                      const std::vector<std::uint32_t>& sequences, std::size_t chunk_bytes) {
  const ConsistencyWeights weights = equal_weights(set.sequences(), intermediates);
  REQUIRE(lists.begin(set, weights, sequences));
  const std::vector<PairIndex> pairs = lists.matrices();
  const std::vector<ocl::MatrixChunk> chunks = ocl::cut_chunks(set, pairs, chunk_bytes);
  CHECK((chunk_bytes > 1 || chunks.size() == pairs.size()));
  for (std::size_t c = 0; c < chunks.size(); ++c) {
    lists.count(c, chunks[c], uploaded(session, set, chunks[c]));
  }
  REQUIRE(lists.place());
  for (std::size_t c = 0; c < chunks.size(); ++c) {
    lists.fill(c, chunks[c], uploaded(session, set, chunks[c]));
  }
  std::size_t list_count = 0, tiles = 0;
  for (std::uint32_t x : sequences) {
    CHECK(lists.first_list(x) == list_count);
    list_count += lists.lists(x);
    tiles += lists.tiles(x);
  }
  CHECK(lists.tiles() == tiles);
  FoundLists found;
  found.begin = read<std::uint32_t>(session, lists.list_begin(), list_count + 1);
  found.tile = read<std::uint32_t>(session, lists.tile(), tiles);
  found.units = read<std::uint16_t>(session, lists.units(), kTileCells * tiles);
  return found;
}

/// A residue of a list's sequence, counted through the lists of all sequences, against a residue of
/// another sequence, counted through the tiles of all intermediates.
using Place = std::pair<std::uint32_t, std::uint32_t>;
using Cells = std::map<Place, std::uint32_t>;

/// What the lists should hold, straight from the matrices.
Cells cells_of(const PosteriorSet& set, const std::vector<std::uint32_t>& intermediates,
               const std::vector<std::uint32_t>& sequences) {
  Cells cells;
  std::uint32_t list = 0;
  for (std::uint32_t x : sequences) {
    std::uint32_t first = 0;
    for (std::uint32_t z : intermediates) {
      if (z != x) {
        const SparseMatrix matrix = z < x ? set.at(z, x).transposed() : set.at(x, z);
        for (std::uint32_t i = 0; i < matrix.rows(); ++i) {
          matrix.for_each_in_row(i, [&](std::uint32_t k, std::uint32_t units) {
            cells[{ACCORD_TILE * list + i, ACCORD_TILE * first + k}] = units;
          });
        }
      }
      first += ocl::tiles_of(set.length(z));
    }
    list += ocl::tiles_of(set.length(x));
  }
  return cells;
}

/// The cells of lists, whose tiles must be in order and have some each.
Cells cells_of(const FoundLists& lists) {
  Cells cells;
  for (std::uint32_t list = 0; list + 1 < lists.begin.size(); ++list) {
    for (std::uint32_t t = lists.begin[list]; t < lists.begin[list + 1]; ++t) {
      if (t > lists.begin[list]) CHECK(lists.tile[t] > lists.tile[t - 1]);
      std::size_t filled = 0;
      for (std::uint32_t c = 0; c < kTileCells; ++c) {
        const std::uint32_t units = lists.units[kTileCells * t + c];
        if (units == 0) continue;
        cells[{ACCORD_TILE * list + c / ACCORD_TILE,
               ACCORD_TILE * lists.tile[t] + c % ACCORD_TILE}] = units;
        ++filled;
      }
      CHECK(filled > 0);
    }
  }
  return cells;
}

void check_lists(const PosteriorSet& set,
                 const std::vector<std::vector<std::uint32_t>>& intermediates,
                 const std::vector<std::vector<std::uint32_t>>& sequences) {
  for (const ocl::DeviceInfo& device : devices_to_test()) {
    CAPTURE(device.description);
    const ocl::Session session(device);
    ocl::TileLists lists(session);
    for (const std::vector<std::uint32_t>& z : intermediates) {
      CAPTURE(z);
      for (const std::vector<std::uint32_t>& x : sequences) {
        CAPTURE(x);
        const Cells expected = cells_of(set, z, x);
        for (const std::size_t chunk_bytes : {std::size_t{1}, std::size_t{3000}, SIZE_MAX}) {
          CAPTURE(chunk_bytes);
          CHECK(cells_of(make_lists(session, lists, set, z, x, chunk_bytes)) == expected);
        }
      }
    }
  }
}

TEST_CASE("tile lists: every cell once, in order, of all sequences and of some") {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    CAPTURE(seed);
    std::vector<std::uint32_t> lengths;
    for (std::uint32_t k = 0; k < 5; ++k) {
      lengths.push_back(static_cast<std::uint32_t>((seed * 13 + k * 7) % 41));
    }
    check_lists(random_set(seed, lengths), {{0, 1, 2, 3, 4}, {2}, {0, 3}},
                {{0, 1, 2, 3, 4}, {1, 3}, {4}});
  }
}

TEST_CASE("tile lists: one, two and three sequences, and lengths around a tile") {
  check_lists(PosteriorSet(1), {{0}, {}}, {{0}, {}});
  check_lists(random_set(5, {8, 16}), {{0, 1}, {1}}, {{0, 1}, {0}});
  check_lists(random_set(6, {7, 9, 8}), {{0, 1, 2}, {1}, {}}, {{0, 1, 2}, {2}});
  check_lists(random_set(7, {1, 0, 17}), {{0, 1, 2}, {0, 2}}, {{0, 1, 2}, {0, 1}});
}

TEST_CASE("tile lists: many tiles of one matrix in a list, either way") {
  const std::vector<std::uint32_t> lengths = {900, 5, 3};
  const PosteriorSet tall = random_set(8, lengths);
  CHECK(tall.at(0, 1).packed().size() + tall.at(0, 2).packed().size() > 100);
  check_lists(tall, {{0, 1, 2}}, {{0, 1, 2}});
  check_lists(random_set(9, {3, 5, 900}), {{0, 1, 2}}, {{0, 1, 2}});
}

TEST_CASE("tile lists: fillers make no tile") {
  constexpr std::uint32_t kLength = 200000;
  PosteriorSet set(3);
  SparseMatrixBuilder wide(kLength);
  const std::vector<std::vector<std::uint32_t>> columns = {
      {0}, {}, {65536, 65536 + 131071}, {65535, 199999}, {199999}};
  for (const std::vector<std::uint32_t>& row : columns) {
    for (std::uint32_t column : row) wide.add(column, 1 + column % 60000);
    wide.end_row();
  }
  set.at(0, 1) = wide.finish();
  CHECK(set.at(0, 1).packed().size() > 6);  // some are fillers
  SparseMatrixBuilder single(1), other(1);
  for (std::uint32_t i = 0; i < columns.size(); ++i) {
    single.add(0, i % 2 == 0 ? 65535 : 0);
    single.end_row();
  }
  set.at(0, 2) = single.finish();
  for (std::uint32_t i = 0; i < kLength; ++i) {
    other.add(0, i % 70001 == 0 ? 300 : 0);
    other.end_row();
  }
  set.at(1, 2) = other.finish();
  check_lists(set, {{0, 1, 2}, {1}}, {{0, 1, 2}, {0, 2}});
}

TEST_CASE("tile lists: a device with too little memory for the counts or the tiles says so") {
  const PosteriorSet set = random_set(10, {100, 100, 100});
  const std::vector<std::uint32_t> all = {0, 1, 2};
  const ConsistencyWeights weights = equal_weights(3, all);
  for (ocl::DeviceInfo device : devices_to_test()) {
    device.global_memory = 4 << 10;
    const ocl::Session tiny(device);
    ocl::TileLists none(tiny);
    CHECK(!none.begin(set, weights, all));
    CHECK(none.needed_bytes() > none.most_bytes());
    device.global_memory = 64 << 10;
    const ocl::Session small(device);
    ocl::TileLists counted(small);
    REQUIRE(counted.begin(set, weights, all));
    const std::vector<PairIndex> pairs = counted.matrices();
    const std::vector<ocl::MatrixChunk> chunks = ocl::cut_chunks(set, pairs, 1);
    for (std::size_t c = 0; c < chunks.size(); ++c) {
      counted.count(c, chunks[c], uploaded(small, set, chunks[c]));
    }
    CHECK(!counted.place());
    CHECK(counted.needed_bytes() > counted.most_bytes());
  }
}

}  // namespace
}  // namespace accord::testing
