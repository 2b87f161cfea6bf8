// SPDX-License-Identifier: Apache-2.0
// The cell rows that OpenCL devices make against the matrices that they are made of, cell by cell.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <random>
#include <span>
#include <tuple>
#include <utility>
#include <vector>

#include "backends/opencl_devices.hpp"
#include "consistency/cell_rows.h"
#include "stages/consistency/cell_rows.hpp"
#include "support/transformed.hpp"

namespace accord::testing {
namespace {

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

/// (number of a sequence, number of an intermediate, whether the row is one of the intermediate,
/// row, column).
using Place = std::tuple<std::size_t, std::size_t, bool, std::uint32_t, std::uint32_t>;
using Cells = std::map<Place, std::uint32_t>;

/// The cells that the cell rows of sequences should have, from the matrices.
Cells cells_of(const PosteriorSet& set, const std::vector<std::uint32_t>& intermediates,
               const std::vector<std::uint32_t>& sequences) {
  Cells cells;
  for (std::size_t s = 0; s < sequences.size(); ++s) {
    for (std::size_t place = 0; place < intermediates.size(); ++place) {
      const std::uint32_t x = sequences[s], z = intermediates[place];
      if (x == z) continue;
      const SparseMatrix matrix = z < x ? set.at(z, x).transposed() : set.at(x, z);
      for (std::uint32_t i = 0; i < matrix.rows(); ++i) {
        matrix.for_each_in_row(i, [&](std::uint32_t k, std::uint32_t units) {
          cells[{s, place, false, i, k}] = cells[{s, place, true, k, i}] = units;
        });
      }
    }
  }
  return cells;
}

/// The cell rows of a device.
struct FoundRows {
  std::vector<cl_uint2> first_row;
  std::vector<std::uint32_t> row_end, cells;

  /// Adds the cells of `rows` cell rows from row `first` on; their columns must increase.
  void add_to(Cells& found, std::size_t s, std::size_t place, bool is_of_z, std::uint32_t first,
              std::uint32_t rows) const {
    for (std::uint32_t i = 0; i < rows; ++i) {
      const std::uint32_t begin = accord_row_begin(row_end.data(), first + i);
      const std::uint32_t end = row_end[first + i + 1];
      REQUIRE(begin <= end);
      REQUIRE(accord_whole_blocks(end) <= cells.size());
      std::uint32_t column = 0, last = ACCORD_NONE;
      for (std::uint32_t at = begin; at < accord_whole_blocks(end); ++at) {
        const std::uint32_t step = ACCORD_CELL_STEP(cells[at]),
                            units = ACCORD_CELL_UNITS(cells[at]);
        column += step;
        if (at >= end) CHECK((step == 1 && units == 0));
        if (units == 0) continue;
        CHECK((last == ACCORD_NONE || column > last));
        last = column;
        found[{s, place, is_of_z, i, column}] = units;
      }
    }
  }
};

/// Makes the cell rows of the sequences out of chunks of at most `chunk_bytes`, where cell rows of
/// something else may have been before.
Cells made_rows(const ocl::Session& session, ocl::CellRows& rows, const PosteriorSet& set,
                const std::vector<std::uint32_t>& intermediates,
                const std::vector<std::uint32_t>& sequences, std::size_t chunk_bytes) {
  const ConsistencyWeights weights = equal_weights(set.sequences(), intermediates);
  REQUIRE(rows.begin(set, weights, sequences));
  const std::vector<PairIndex>& pairs = rows.matrices();
  const std::vector<ocl::MatrixChunk> chunks = ocl::cut_chunks(set, pairs, chunk_bytes);
  CHECK((chunk_bytes > 1 || chunks.size() == pairs.size()));
  for (const ocl::MatrixChunk& chunk : chunks) rows.add(chunk, uploaded(session, set, chunk));
  session.queue.finish();
  FoundRows made;
  const std::size_t numbers = sequences.size() * intermediates.size();
  made.first_row = read<cl_uint2>(session, rows.first_row(), numbers);
  made.row_end = read<std::uint32_t>(session, rows.row_end(), rows.row_ends());
  made.cells = read<std::uint32_t>(session, rows.cells(), rows.places());
  Cells found;
  for (std::size_t s = 0; s < sequences.size(); ++s) {
    CHECK(rows.number(sequences[s]) == s);
    for (std::size_t place = 0; place < intermediates.size(); ++place) {
      const auto [of_x, of_z] = made.first_row[s * intermediates.size() + place].s;
      CHECK((of_x == ACCORD_NONE) == (of_z == ACCORD_NONE));
      if (of_x == ACCORD_NONE) continue;
      const std::uint32_t x = sequences[s], z = intermediates[place];
      REQUIRE(x != z);
      CHECK(rows.has({std::min(x, z), std::max(x, z)}));
      made.add_to(found, s, place, false, of_x, set.length(x));
      made.add_to(found, s, place, true, of_z, set.length(z));
    }
  }
  return found;
}

void check_rows(const PosteriorSet& set,
                const std::vector<std::vector<std::uint32_t>>& intermediates,
                const std::vector<std::vector<std::uint32_t>>& sequences) {
  for (const ocl::DeviceInfo& device : devices_to_test()) {
    CAPTURE(device.description);
    const ocl::Session session(device);
    ocl::CellRows rows(session);
    for (const std::vector<std::uint32_t>& z : intermediates) {
      CAPTURE(z);
      for (const std::vector<std::uint32_t>& x : sequences) {
        CAPTURE(x);
        const Cells expected = cells_of(set, z, x);
        for (const std::size_t chunk_bytes : {std::size_t{1}, std::size_t{3000}, SIZE_MAX}) {
          CAPTURE(chunk_bytes);
          CHECK(made_rows(session, rows, set, z, x, chunk_bytes) == expected);
        }
      }
    }
  }
}

TEST_CASE("cell rows: every cell once, in order, of all sequences and of some") {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    CAPTURE(seed);
    std::vector<std::uint32_t> lengths;
    for (std::uint32_t k = 0; k < 5; ++k) {
      lengths.push_back(static_cast<std::uint32_t>((seed * 13 + k * 7) % 41));
    }
    check_rows(random_set(seed, lengths), {{0, 1, 2, 3, 4}, {2}, {0, 3}},
               {{0, 1, 2, 3, 4}, {1, 3}, {4}});
  }
}

TEST_CASE("cell rows: one, two and three sequences, and lengths around a block") {
  check_rows(PosteriorSet(1), {{0}, {}}, {{0}, {}});
  check_rows(random_set(5, {8, 16}), {{0, 1}, {1}}, {{0, 1}, {0}});
  check_rows(random_set(6, {7, 9, 8}), {{0, 1, 2}, {1}, {}}, {{0, 1, 2}, {2}});
  check_rows(random_set(7, {1, 0, 17}), {{0, 1, 2}, {0, 2}}, {{0, 1, 2}, {0, 1}});
}

TEST_CASE("cell rows: many rows and many columns") {
  const std::vector<std::uint32_t> lengths = {900, 5, 3};
  const PosteriorSet tall = random_set(8, lengths);
  CHECK(tall.at(0, 1).packed().size() + tall.at(0, 2).packed().size() > 100);
  check_rows(tall, {{0, 1, 2}}, {{0, 1, 2}});
  check_rows(random_set(9, {3, 5, 900}), {{0, 1, 2}}, {{0, 1, 2}});
}

TEST_CASE("cell rows: more rows and columns than a packed cell can step over") {
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
    const bool is_near_end = i >= 65533 && i <= 65537;  // of the first segment
    other.add(0, i % 70001 == 0 || is_near_end ? 300 : 0);
    other.end_row();
  }
  set.at(1, 2) = other.finish();
  check_rows(set, {{0, 1, 2}, {1}}, {{0, 1, 2}, {0, 2}});
}

TEST_CASE("cell rows: a device with too little memory says so") {
  const PosteriorSet set = random_set(10, {100, 100, 100});
  const std::vector<std::uint32_t> all = {0, 1, 2};
  const ConsistencyWeights weights = equal_weights(3, all);
  for (ocl::DeviceInfo device : devices_to_test()) {
    device.global_memory = 4 << 10;
    const ocl::Session tiny(device);
    ocl::CellRows rows(tiny);
    CHECK(!rows.begin(set, weights, all));
    CHECK(rows.needed_bytes() > rows.most_bytes());
  }
}

}  // namespace
}  // namespace accord::testing
