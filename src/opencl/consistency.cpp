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
#include "accord/core/residue_terms.hpp"

namespace accord::ocl {
namespace {

static_assert(sizeof(accord_relax_tile) == 16, "the kernel reads this layout");

/// Bytes of a tile in the lists: its cells, and its (z, K).
constexpr std::size_t kListTileBytes = kTileCells * sizeof(std::uint16_t) + sizeof(std::uint32_t);

/// Bytes of a tile in a launch: its task, and the cells that come out.
constexpr std::size_t kChunkTileBytes =
    sizeof(accord_relax_tile) + kTileCells * sizeof(std::uint16_t);

/// The most tiles of one launch; 256 MiB of them.
constexpr std::size_t kMostChunkTiles = std::size_t{1} << 21;

/// Work-items of a work-group; every device of the full profile can run that many.
constexpr std::size_t kGroup = 64;

/// Work of the first launch on a GPU, in tiles of lists that are walked over.
constexpr double kFirstWork = 1e7;

/// Pairs of so many neighbouring x's and y's follow each other, so that the lists that are read at
/// the same time are few enough for a cache.
constexpr std::uint32_t kNeighbours = 16;

using RelaxKernel =
    cl::KernelFunctor<cl::Buffer, cl_uint, cl::Buffer, cl::Buffer, cl::Buffer, cl::Buffer,
                      cl::Buffer, cl::Buffer, float, cl::Buffer>;

/// Rows of a tile that a work-item computes. A processor's does the whole tile with vectors; on a
/// GPU two rows each leave enough registers to hide the latency of memory.
std::uint32_t rows_of_item(const DeviceInfo& device) {
  return device.kind == DeviceKind::gpu ? 2 : 8;
}

std::size_t pair_number(std::size_t x, std::size_t y) { return y * (y - 1) / 2 + x; }

/// The matrix of a pair from its tiles; `relaxed` has them strip by strip in the order in which
/// TileStrip numbers them.
SparseMatrix rebuilt(const SparseMatrix& before, const cl_ushort* relaxed, TileStrip& strip) {
  SparseMatrixBuilder builder(before.cols());
  for (std::uint32_t s = 0; s < tiles_of(before.rows()); ++s) {
    strip.read(before, s);
    auto cell = strip.cells().begin();
    for (std::uint32_t i = kTileSide * s; i < std::min(kTileSide * (s + 1), before.rows()); ++i) {
      before.for_each_in_row(i, [&](std::uint32_t column, std::uint32_t) {
        builder.add(column, relaxed[kTileCells * cell->tile + cell->place]);
        ++cell;
      });
      builder.end_row();
    }
    relaxed += kTileCells * strip.tiles().size();
  }
  return builder.finish();
}

}  // namespace

/// What is the same for all pairs of a call.
struct ConsistencyStage::Round {
  const PosteriorSet& current;
  const RelaxBatch& batch;
  const ConsistencyParams& params;
  RelaxWeights weights;
  std::vector<std::uint32_t> offsets;     // of the residues of each sequence in the family
  std::vector<std::uint32_t> first_tile;  // the same in tiles
  std::vector<std::uint32_t> pair_tiles;  // tiles of each pair, by pair_number()
  std::vector<std::size_t> tiles;         // tiles of the lists of each sequence
  cl::Buffer tile_weight;

  std::uint32_t lists(std::uint32_t x) const { return first_tile[x + 1] - first_tile[x]; }
};

/// Tile lists on the device.
struct ConsistencyStage::Lists {
  std::vector<std::uint32_t> first_list;  // of each sequence
  cl::Buffer begin;
};

/// Pairs whose tiles are on the device together.
struct ConsistencyStage::Chunk {
  std::span<const std::size_t> pairs;   // of the batch
  std::vector<std::size_t> first_tile;  // of each pair, and the number of all tiles
};

std::vector<KernelChoice> consistency_kernels(const DeviceInfo& device) {
  return {{"consistency.cl", "relax_tiles",
           "-D ACCORD_ROWS=" + std::to_string(rows_of_item(device)), kGroup}};
}

ConsistencyStage::ConsistencyStage(const Session& session)
    : session_(session), pace_(session.info, kFirstWork) {}

std::size_t ConsistencyStage::most_list_tiles() const {
  const DeviceInfo& info = session_.info;
  return std::min({info.budget() / 100 * 60 / kListTileBytes,
                   info.largest_buffer / (kTileCells * sizeof(std::uint16_t)),
                   std::uint64_t{UINT32_MAX}});
}

std::size_t ConsistencyStage::most_chunk_tiles() const {
  const DeviceInfo& info = session_.info;
  return std::min({info.budget() / 100 * 15 / kChunkTileBytes,
                   info.largest_buffer / (kTileCells * sizeof(std::uint16_t)),
                   std::uint64_t{kMostChunkTiles}});
}

ConsistencyStage::Round ConsistencyStage::begin_round(const PosteriorSet& current,
                                                      const RelaxBatch& batch,
                                                      std::span<const float> weights,
                                                      const ConsistencyParams& params) const {
  const std::size_t n = current.sequences();
  Round round{current, batch, params, RelaxWeights(weights, params.self_weight),
              family_offsets(current), {0}, std::vector<std::uint32_t>(n * (n - 1) / 2),
              std::vector<std::size_t>(n, 0), {}};
  std::vector<float> tile_weight;
  for (std::size_t z = 0; z < n; ++z) {
    const std::uint32_t count = tiles_of(round.offsets[z + 1] - round.offsets[z]);
    round.first_tile.push_back(round.first_tile.back() + count);
    tile_weight.insert(tile_weight.end(), count, weights[z]);
  }
  round.tile_weight = upload(session_, std::span<const float>(tile_weight));
  std::vector<TileStrip> strips(static_cast<std::size_t>(thread_count()));
  parallel_for(n, [&](std::size_t y, int thread) {
    for (std::size_t x = 0; x < y; ++x) {
      round.pair_tiles[pair_number(x, y)] =
          count_tiles(current.at(x, y), strips[static_cast<std::size_t>(thread)]);
    }
  });
  for (std::size_t y = 1; y < n; ++y) {
    for (std::size_t x = 0; x < y; ++x) {
      round.tiles[x] += round.pair_tiles[pair_number(x, y)];
      round.tiles[y] += round.pair_tiles[pair_number(x, y)];
    }
  }
  return round;
}

/// The block of each sequence: one block if all lists fit, else blocks of which any two fit.
std::vector<std::uint32_t> ConsistencyStage::assign_blocks(const Round& round) const {
  const auto n = static_cast<std::uint32_t>(round.current.sequences());
  std::size_t all_tiles = 0;
  for (std::size_t tiles : round.tiles) all_tiles += tiles;
  const std::size_t most = most_list_tiles();
  const std::size_t block_tiles = all_tiles <= most ? all_tiles : most / 2;
  std::vector<std::uint32_t> block_of(n, 0);
  std::uint32_t block = 0;
  std::size_t in_block = 0;
  for (std::uint32_t x = 0; x < n; ++x) {
    if (in_block > 0 && in_block + round.tiles[x] > block_tiles) {
      ++block;
      in_block = 0;
    }
    in_block += round.tiles[x];
    block_of[x] = block;
  }
  return block_of;
}

std::vector<SparseMatrix> ConsistencyStage::run(const PosteriorSet& current,
                                                const RelaxBatch& batch,
                                                std::span<const float> weights,
                                                const ConsistencyParams& params) {
  std::vector<SparseMatrix> results(batch.pairs.size());
  if (batch.pairs.empty()) return results;
  if (!relax_) relax_ = build_kernel(session_, consistency_kernels(session_.info).front());
  const Round round = begin_round(current, batch, weights, params);
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
    relax_pairs(round, upload_lists(round, sequences), pairs, results);
  }
  return results;
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
    first_tile.push_back(first_tile.back() + round.tiles[x]);
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
    const TileLists of_x(round.current, round.offsets, x,
                         strips[static_cast<std::size_t>(thread)]);
    for (std::uint32_t list = 0; list < round.lists(x); ++list) {
      begin[lists.first_list[x] + list] =
          static_cast<std::uint32_t>(first_tile[k] + of_x.begin()[list]);
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

/// Takes the pairs in chunks of at most most_chunk_tiles() tiles. The host rebuilds the matrices of
/// a chunk while the device computes the next.
void ConsistencyStage::relax_pairs(const Round& round, const Lists& lists,
                                   std::span<const std::size_t> pairs,
                                   std::vector<SparseMatrix>& results) {
  std::future<void> rebuilding;  // of the chunk before
  std::size_t turn = 0;
  for (std::size_t first = 0; first < pairs.size();) {
    Chunk chunk{{}, {0}};
    std::size_t last = first;
    for (; last < pairs.size(); ++last) {
      const PairIndex pair = round.batch.pairs[pairs[last]];
      const std::size_t tiles = round.pair_tiles[pair_number(pair.x, pair.y)];
      if (last > first && chunk.first_tile.back() + tiles > most_chunk_tiles()) break;
      chunk.first_tile.push_back(chunk.first_tile.back() + tiles);
    }
    chunk.pairs = pairs.subspan(first, last - first);
    first = last;
    const std::span<const cl_ushort> relaxed = relax_chunk(round, lists, chunk, staging_[turn]);
    turn = 1 - turn;
    if (rebuilding.valid()) rebuilding.get();
    rebuilding = std::async(std::launch::async, [&round, &results, relaxed,
                                                 chunk = std::move(chunk)] {
      std::vector<TileStrip> strips(static_cast<std::size_t>(thread_count()));
      parallel_for(chunk.pairs.size(), [&](std::size_t k, int thread) {
        const PairIndex pair = round.batch.pairs[chunk.pairs[k]];
        results[chunk.pairs[k]] = rebuilt(round.current.at(pair.x, pair.y),
                                          relaxed.data() + kTileCells * chunk.first_tile[k],
                                          strips[static_cast<std::size_t>(thread)]);
      });
    });
  }
  if (rebuilding.valid()) rebuilding.get();
}

/// The new cells of all tiles of a chunk.
std::span<const cl_ushort> ConsistencyStage::relax_chunk(const Round& round, const Lists& lists,
                                                         const Chunk& chunk,
                                                         StagingBuffer& staging) {
  const std::size_t tiles = chunk.first_tile.back();
  if (tiles == 0) return {};
  const std::size_t bytes = tiles * kTileCells * sizeof(cl_ushort);
  tasks_.reserve(session_, tiles * sizeof(accord_relax_tile));
  relaxed_.reserve(session_, bytes);
  write_tasks(round, lists, chunk);
  launch(round, lists, chunk);
  auto* relaxed = static_cast<cl_ushort*>(staging.reserve(session_, bytes));
  session_.queue.enqueueReadBuffer(relaxed_.reserve(session_, 1), CL_TRUE, 0, bytes, relaxed);
  return {relaxed, tiles * kTileCells};
}

void ConsistencyStage::write_tasks(const Round& round, const Lists& lists, const Chunk& chunk) {
  Mapped<accord_relax_tile> tasks(
      session_, tasks_.reserve(session_, 1), CL_MAP_WRITE_INVALIDATE_REGION,
      chunk.first_tile.back());
  std::vector<TileStrip> strips(static_cast<std::size_t>(thread_count()));
  parallel_for(chunk.pairs.size(), [&](std::size_t k, int thread) {
    TileStrip& strip = strips[static_cast<std::size_t>(thread)];
    const PairIndex pair = round.batch.pairs[chunk.pairs[k]];
    accord_relax_tile* next = tasks.data() + chunk.first_tile[k];
    for (std::uint32_t s = 0; s < round.lists(pair.x); ++s) {
      strip.read(round.current.at(pair.x, pair.y), s);
      for (TileStrip::Tile tile : strip.tiles()) {
        next[tile.number] = {lists.first_list[pair.x] + s, lists.first_list[pair.y] + tile.column,
                             round.first_tile[pair.y] + tile.column,
                             static_cast<std::uint32_t>(k)};
      }
      next += strip.tiles().size();
    }
  });
  tasks.unmap();
}

void ConsistencyStage::launch(const Round& round, const Lists& lists, const Chunk& chunk) {
  const std::size_t tile_count = chunk.first_tile.back();
  std::vector<float> self, inverse_total;
  double work = 0;  // tiles that are walked over, if all lists of a sequence were alike
  for (std::size_t k = 0; k < chunk.pairs.size(); ++k) {
    const PairIndex pair = round.batch.pairs[chunk.pairs[k]];
    self.push_back(round.weights.self(pair.x, pair.y));
    inverse_total.push_back(round.weights.inverse_total(pair.x, pair.y));
    for (std::uint32_t x : {pair.x, pair.y}) {
      work += static_cast<double>(chunk.first_tile[k + 1] - chunk.first_tile[k]) *
              static_cast<double>(round.tiles[x]) / std::max(1u, round.lists(x));
    }
  }
  const cl::Buffer self_buffer = upload(session_, std::span<const float>(self));
  const cl::Buffer total_buffer = upload(session_, std::span<const float>(inverse_total));
  const std::size_t items = tile_count * (kTileSide / rows_of_item(session_.info));
  for (std::size_t first = 0; first < items;) {
    const double share = std::min(1.0, pace_.most_work() / std::max(work, 1.0));
    const auto wanted = static_cast<std::size_t>(share * static_cast<double>(items));
    const std::size_t groups = std::max<std::size_t>(1, wanted / kGroup + (share == 1.0));
    const std::size_t now = std::min(groups, (items - first + kGroup - 1) / kGroup) * kGroup;
    const Timer timer;
    wait_for(RelaxKernel{*relax_}(
        cl::EnqueueArgs(session_.queue, cl::NDRange(first), cl::NDRange(now), cl::NDRange(kGroup)),
        tasks_.reserve(session_, 1), static_cast<cl_uint>(tile_count), self_buffer, total_buffer,
        lists.begin, list_tile_.reserve(session_, 1), list_units_.reserve(session_, 1),
        round.tile_weight, round.params.cutoff, relaxed_.reserve(session_, 1)));
      pace_.note(work * static_cast<double>(now) / static_cast<double>(items), timer.seconds());
    first += now;
  }
}

}  // namespace accord::ocl
