// SPDX-License-Identifier: Apache-2.0
#include "accord/opencl/consistency.hpp"

#include <algorithm>
#include <future>
#include <map>
#include <string>
#include <tuple>
#include <utility>

#include "accord/base/error.hpp"
#include "accord/base/parallel.hpp"
#include "accord/base/timer.hpp"
#include "accord/core/posterior_tiles.hpp"

namespace accord::ocl {
namespace {

static_assert(sizeof(accord_relax_pair) == 20, "the kernel reads this layout");

/// Bytes of a tile in the lists: its cells, and its (z, K).
constexpr std::size_t kListTileBytes = kTileCells * sizeof(std::uint16_t) + sizeof(std::uint32_t);

/// Bytes of a row and of a packed cell in a chunk: where it begins; the cell, and what comes out.
constexpr std::size_t kRowBytes = sizeof(std::uint32_t);
constexpr std::size_t kCellBytes = sizeof(std::uint32_t) + sizeof(std::uint16_t);

/// A chunk is no larger, so that the device and the host are both busy with some of them.
constexpr std::size_t kMostChunkBytes = std::size_t{32} << 20;

/// Work-items of a work-group; every device of the full profile can run that many.
constexpr std::size_t kGroup = 64;

/// Work of the first launch on a GPU, in tiles of lists that are walked over.
constexpr double kFirstWork = 1e7;

/// Pairs of so many neighbouring x's and y's follow each other, so that the lists that are read at
/// the same time are few enough for a cache.
constexpr std::uint32_t kNeighbours = 16;

using RelaxKernel =
    cl::KernelFunctor<cl::Buffer, cl_uint, cl::Buffer, cl_uint, cl::Buffer, cl::Buffer, cl::Buffer,
                      cl::Buffer, float, cl::Buffer>;

/// The matrix with new units for its packed cells, 0 for those that it loses.
SparseMatrix rebuilt(const SparseMatrix& before, const std::uint16_t* units) {
  SparseMatrixBuilder builder(before.cols());
  for (std::uint32_t i = 0; i < before.rows(); ++i) {
    std::uint32_t column = 0;
    for (std::uint32_t at = before.row_begin()[i]; at < before.row_begin()[i + 1]; ++at) {
      column += ACCORD_CELL_STEP(before.packed()[at]);
      builder.add(column, units[at]);
    }
    builder.end_row();
  }
  return builder.finish();
}

}  // namespace

/// What is the same for all pairs of a call.
struct ConsistencyStage::Round {
  const PosteriorSet& current;
  const RelaxBatch& batch;
  const RelaxWeights& weights;
  float cutoff;
  std::vector<std::vector<std::uint32_t>> list_begins;  // of each sequence that is in a pair
  cl::Buffer tile_weight;

  const SparseMatrix& matrix(std::size_t k) const {
    return current.at(batch.pairs[k].x, batch.pairs[k].y);
  }
  std::uint32_t lists(std::uint32_t x) const { return tiles_of(current.length(x)); }
  std::size_t tiles(std::uint32_t x) const {
    return list_begins[x].empty() ? 0 : list_begins[x].back();
  }
};

/// Tile lists on the device.
struct ConsistencyStage::Lists {
  std::vector<std::uint32_t> first_list;  // of each sequence
  cl::Buffer begin;
};

/// Pairs whose cells are on the device together.
struct ConsistencyStage::Chunk {
  std::span<const std::size_t> pairs;     // of the batch
  std::vector<std::uint32_t> first_row;   // of each pair, and the number of all rows
  std::vector<std::uint32_t> first_cell;  // the same of packed cells

  std::uint32_t rows() const { return first_row.back(); }
  std::uint32_t cells() const { return first_cell.back(); }
  std::size_t packed_bytes() const { return kRowBytes * (rows() + 1) + 4 * cells(); }

  /// Writes where each row begins, and then all packed cells.
  void pack(const Round& round, std::uint32_t* packed) const {
    std::uint32_t* const of_cells = packed + rows() + 1;
    packed[rows()] = cells();
    parallel_for(pairs.size(), [&](std::size_t k, int) {
      const SparseMatrix& matrix = round.matrix(pairs[k]);
      for (std::uint32_t i = 0; i < matrix.rows(); ++i) {
        packed[first_row[k] + i] = first_cell[k] + matrix.row_begin()[i];
      }
      std::copy(matrix.packed().begin(), matrix.packed().end(), of_cells + first_cell[k]);
    });
  }
  /// Makes the matrices of the new units of all packed cells.
  void rebuild(const Round& round, const std::uint16_t* relaxed, const RelaxSink& sink) const {
    parallel_for(pairs.size(), [&](std::size_t k, int) {
      sink(pairs[k], rebuilt(round.matrix(pairs[k]), relaxed + first_cell[k]));
    });
  }
};

std::vector<KernelChoice> consistency_kernels() {
  return {{"consistency.cl", "relax_rows", "", kGroup}};
}

ConsistencyStage::ConsistencyStage(const Session& session)
    : session_(session), pace_(session.info, kFirstWork) {}

std::size_t ConsistencyStage::most_list_tiles() const {
  const DeviceInfo& info = session_.info;
  return std::min({info.budget() / 100 * 60 / kListTileBytes,
                   info.largest_buffer / (kTileCells * sizeof(std::uint16_t)),
                   std::uint64_t{UINT32_MAX}});
}

std::size_t ConsistencyStage::most_chunk_bytes() const {
  const DeviceInfo& info = session_.info;
  return std::min({info.budget() / 100 * 15, info.largest_buffer, std::uint64_t{kMostChunkBytes}});
}

ConsistencyStage::Round ConsistencyStage::begin_round(const PosteriorSet& current,
                                                      const RelaxBatch& batch,
                                                      const RelaxWeights& weights,
                                                      float cutoff) const {
  const std::size_t n = current.sequences();
  Round round{current, batch, weights, cutoff, std::vector<std::vector<std::uint32_t>>(n), {}};
  std::vector<float> tile_weight;
  for (std::uint32_t z : weights.intermediates()) {
    tile_weight.insert(tile_weight.end(), round.lists(z), weights.weights()[z]);
  }
  round.tile_weight = upload(session_, std::span<const float>(tile_weight));
  std::vector<char> needed(n, 0);
  for (const auto [x, y] : batch.pairs) needed[x] = needed[y] = 1;
  parallel_for(n, [&](std::size_t x, int) {
    if (!needed[x]) return;
    round.list_begins[x] =
        tile_list_begins(current, weights.intermediates(), static_cast<std::uint32_t>(x));
  });
  return round;
}

/// The block of each sequence: one block if all lists fit, else blocks of which any two fit.
std::vector<std::uint32_t> ConsistencyStage::assign_blocks(const Round& round) const {
  const auto n = static_cast<std::uint32_t>(round.current.sequences());
  std::size_t all_tiles = 0;
  for (std::uint32_t x = 0; x < n; ++x) all_tiles += round.tiles(x);
  const std::size_t most = most_list_tiles();
  const std::size_t block_tiles = all_tiles <= most ? all_tiles : most / 2;
  std::vector<std::uint32_t> block_of(n, 0);
  std::uint32_t block = 0;
  std::size_t in_block = 0;
  for (std::uint32_t x = 0; x < n; ++x) {
    if (in_block > 0 && in_block + round.tiles(x) > block_tiles) {
      ++block;
      in_block = 0;
    }
    in_block += round.tiles(x);
    block_of[x] = block;
  }
  return block_of;
}

void ConsistencyStage::run(const PosteriorSet& current, const RelaxBatch& batch,
                           const RelaxWeights& weights, float cutoff, const RelaxSink& sink) {
  if (batch.pairs.empty()) return;
  if (!relax_) relax_ = build_kernel(session_, consistency_kernels().front());
  const Round round = begin_round(current, batch, weights, cutoff);
  const std::vector<std::uint32_t> block_of = assign_blocks(round);
  using Blocks = std::pair<std::uint32_t, std::uint32_t>;
  std::map<Blocks, std::vector<std::size_t>> pairs_of;
  for (std::size_t k = 0; k < batch.pairs.size(); ++k) {
    pairs_of[{block_of[batch.pairs[k].x], block_of[batch.pairs[k].y]}].push_back(k);
  }
  for (auto& [blocks, pairs] : pairs_of) {
    std::vector<char> wanted(current.sequences(), 0);
    for (std::size_t k : pairs) wanted[batch.pairs[k].x] = wanted[batch.pairs[k].y] = 1;
    std::vector<std::uint32_t> sequences;
    for (std::uint32_t x = 0; x < current.sequences(); ++x) {
      if (wanted[x]) sequences.push_back(x);
    }
    std::sort(pairs.begin(), pairs.end(), [&](std::size_t a, std::size_t b) {
      const auto place = [&](PairIndex pair) {
        return std::tuple(pair.x / kNeighbours, pair.y / kNeighbours, pair.x, pair.y);
      };
      return place(batch.pairs[a]) < place(batch.pairs[b]);
    });
    relax_pairs(round, upload_lists(round, sequences), pairs, sink);
  }
}

/// Builds the lists of the sequences and puts them on the device one after another.
ConsistencyStage::Lists ConsistencyStage::upload_lists(const Round& round,
                                                       std::span<const std::uint32_t> sequences) {
  Lists lists{std::vector<std::uint32_t>(round.current.sequences(), 0), {}};
  std::vector<std::size_t> first_tile{0};
  std::uint32_t list_count = 0;
  for (std::uint32_t x : sequences) {
    lists.first_list[x] = list_count;
    list_count += round.lists(x);
    first_tile.push_back(first_tile.back() + round.tiles(x));
  }
  const std::size_t tiles = first_tile.back();
  if (tiles > most_list_tiles()) {
    const auto mib = [](std::size_t count) {
      return std::to_string((count * kListTileBytes >> 20) + 1) + " MiB";
    };
    throw Error(ErrorKind::out_of_memory,
                "the consistency transform of one pair needs " + mib(tiles) +
                    " on the device, which gives " + mib(most_list_tiles()),
                "'--device none' computes the same alignment in the memory of the host");
  }
  const std::size_t room = std::max<std::size_t>(tiles, 1);
  const cl::Buffer& tile = list_tile_.reserve(session_, room * sizeof(cl_uint));
  const cl::Buffer& units = list_units_.reserve(session_, room * kTileCells * sizeof(cl_ushort));
  std::vector<std::uint32_t> begin(std::size_t{list_count} + 1, static_cast<std::uint32_t>(tiles));
  std::vector<TileStrip> strips(static_cast<std::size_t>(thread_count()));
  parallel_for(sequences.size(), [&](std::size_t k, int thread) {
    const std::uint32_t x = sequences[k];
    const std::vector<std::uint32_t>& begins = round.list_begins[x];
    const TileLists of_x(round.current, round.weights.intermediates(), x, begins,
                         strips[static_cast<std::size_t>(thread)]);
    for (std::uint32_t list = 0; list < round.lists(x); ++list) {
      begin[lists.first_list[x] + list] =
          static_cast<std::uint32_t>(first_tile[k] + begins[list]);
    }
    if (of_x.tile().empty()) return;
    session_.queue.enqueueWriteBuffer(tile, CL_TRUE, first_tile[k] * sizeof(cl_uint),
                                      of_x.tile().size_bytes(), of_x.tile().data());
    session_.queue.enqueueWriteBuffer(units, CL_TRUE,
                                      first_tile[k] * kTileCells * sizeof(cl_ushort),
                                      of_x.units().size_bytes(), of_x.units().data());
  });
  lists.begin = upload(session_, std::span<const std::uint32_t>(begin));
  return lists;
}

/// Cuts the pairs into chunks of at most most_chunk_bytes(), or of one pair.
std::vector<ConsistencyStage::Chunk> ConsistencyStage::cut_chunks(
    const Round& round, std::span<const std::size_t> pairs) const {
  std::vector<Chunk> chunks;
  const std::size_t most = most_chunk_bytes();
  for (std::size_t first = 0; first < pairs.size();) {
    Chunk chunk{{}, {0}, {0}};
    std::size_t last = first, bytes = 0;
    for (; last < pairs.size(); ++last) {
      const SparseMatrix& matrix = round.matrix(pairs[last]);
      bytes += kRowBytes * matrix.rows() + kCellBytes * matrix.packed().size();
      if (last > first && bytes > most) break;
      chunk.first_row.push_back(chunk.rows() + matrix.rows());
      chunk.first_cell.push_back(chunk.cells() +
                                 static_cast<std::uint32_t>(matrix.packed().size()));
    }
    chunk.pairs = pairs.subspan(first, last - first);
    chunks.push_back(std::move(chunk));
    first = last;
  }
  return chunks;
}

void ConsistencyStage::relax_pairs(const Round& round, const Lists& lists,
                                   std::span<const std::size_t> pairs, const RelaxSink& sink) {
  const std::vector<Chunk> chunks = cut_chunks(round, pairs);
  std::size_t packed_bytes = 0, cells = 1;
  for (const Chunk& chunk : chunks) {
    packed_bytes = std::max(packed_bytes, chunk.packed_bytes());
    cells = std::max<std::size_t>(cells, chunk.cells());
  }
  // Reserved before the first launch: to map a buffer would wait for what is in the queue.
  std::array<std::uint32_t*, 2> packed;
  std::array<std::uint16_t*, 2> relaxed;
  for (std::size_t turn = 0; turn < 2; ++turn) {
    Staging& staging = staging_[turn];
    packed[turn] = static_cast<std::uint32_t*>(staging.packed.reserve(session_, packed_bytes));
    relaxed[turn] =
        static_cast<std::uint16_t*>(staging.relaxed.reserve(session_, cells * sizeof(cl_ushort)));
  }
  packed_.reserve(session_, packed_bytes);
  relaxed_.reserve(session_, cells * sizeof(cl_ushort));

  chunks.front().pack(round, packed[0]);
  for (std::size_t c = 0; c < chunks.size(); ++c) {
    const std::size_t turn = c % 2;
    std::future<void> host_work = std::async(std::launch::async, [&, c, turn] {
      if (c > 0) chunks[c - 1].rebuild(round, relaxed[1 - turn], sink);
      if (c + 1 < chunks.size()) chunks[c + 1].pack(round, packed[1 - turn]);
    });
    relax_chunk(round, lists, chunks[c], packed[turn], relaxed[turn]);
    host_work.get();
  }
  chunks.back().rebuild(round, relaxed[(chunks.size() - 1) % 2], sink);
}

/// From packed cells to their new units, both in the memory of the host.
void ConsistencyStage::relax_chunk(const Round& round, const Lists& lists, const Chunk& chunk,
                                   const std::uint32_t* packed, std::uint16_t* relaxed) {
  if (chunk.cells() == 0) return;
  session_.queue.enqueueWriteBuffer(packed_.reserve(session_, 1), CL_FALSE, 0,
                                    chunk.packed_bytes(), packed);
  launch(round, lists, chunk);
  session_.queue.enqueueReadBuffer(relaxed_.reserve(session_, 1), CL_TRUE, 0,
                                   chunk.cells() * sizeof(cl_ushort), relaxed);
}

void ConsistencyStage::launch(const Round& round, const Lists& lists, const Chunk& chunk) {
  std::vector<accord_relax_pair> pairs;
  double work = 0;  // tiles that are walked over, if all lists of a sequence were alike
  for (std::size_t k = 0; k < chunk.pairs.size(); ++k) {
    const auto [x, y] = round.batch.pairs[chunk.pairs[k]];
    pairs.push_back({chunk.first_row[k], lists.first_list[x], lists.first_list[y],
                     round.weights.self(x, y), round.weights.inverse_total(x, y)});
    for (std::uint32_t z : {x, y}) {
      work += static_cast<double>(chunk.first_row[k + 1] - chunk.first_row[k]) *
              static_cast<double>(round.tiles(z)) / std::max(1u, round.lists(z));
    }
  }
  const cl::Buffer pair_buffer = upload(session_, std::span<const accord_relax_pair>(pairs));
  const std::size_t rows = chunk.rows();
  const cl::Buffer& packed = packed_.reserve(session_, 1);
  for (std::size_t first = 0; first < rows;) {
    const double share = std::min(1.0, pace_.most_work() / std::max(work, 1.0));
    const auto wanted = static_cast<std::size_t>(share * static_cast<double>(rows));
    const std::size_t groups = std::max<std::size_t>(1, wanted / kGroup + (share == 1.0));
    const std::size_t now = std::min(groups, (rows - first + kGroup - 1) / kGroup) * kGroup;
    const Timer timer;
    wait_for(RelaxKernel{*relax_}(
        cl::EnqueueArgs(session_.queue, cl::NDRange(first), cl::NDRange(now), cl::NDRange(kGroup)),
        pair_buffer, static_cast<cl_uint>(pairs.size()), packed, static_cast<cl_uint>(rows),
        lists.begin, list_tile_.reserve(session_, 1), list_units_.reserve(session_, 1),
        round.tile_weight, round.cutoff, relaxed_.reserve(session_, 1)));
    pace_.note(work * static_cast<double>(now) / static_cast<double>(rows), timer.seconds());
    first += now;
  }
}

}  // namespace accord::ocl
