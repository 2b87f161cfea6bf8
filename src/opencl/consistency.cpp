// SPDX-License-Identifier: Apache-2.0
#include "accord/opencl/consistency.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>
#include <utility>

#include "accord/base/error.hpp"
#include "accord/base/parallel.hpp"
#include "accord/base/timer.hpp"
#include "accord/core/residue_terms.hpp"

namespace accord::ocl {
namespace {

static_assert(sizeof(accord_relax_cell) == 16, "the kernel reads this layout");

/// The most cells of one launch; 256 MiB of them.
constexpr std::size_t kMostCells = std::size_t{1} << 24;

/// Work-items of a work-group; every device of the full profile can run that many.
constexpr std::size_t kGroup = 64;

/// Work of the first launch on a GPU, in terms that are walked over.
constexpr double kFirstWork = 5e7;

using RelaxKernel = cl::KernelFunctor<cl::Buffer, cl_uint, cl::Buffer, cl::Buffer, cl::Buffer,
                                      cl::Buffer, cl::Buffer, cl::Buffer, float>;

std::uint32_t count_cells(const SparseMatrix& matrix) {
  std::uint32_t count = 0;
  for (std::uint32_t cell : matrix.packed()) count += ACCORD_CELL_UNITS(cell) != 0;
  return count;
}

/// The weight of its sequence for each residue of the family.
std::vector<float> residue_weights(std::span<const std::uint32_t> offsets,
                                   std::span<const float> weights) {
  std::vector<float> of_residue(offsets.back());
  for (std::size_t z = 0; z + 1 < offsets.size(); ++z) {
    std::fill(of_residue.begin() + offsets[z], of_residue.begin() + offsets[z + 1], weights[z]);
  }
  return of_residue;
}

/// The matrix of a pair from its cells, which come in the order of those of `before`.
SparseMatrix rebuilt(const SparseMatrix& before, const accord_relax_cell* cell) {
  SparseMatrixBuilder builder(before.cols());
  for (std::uint32_t i = 0; i < before.rows(); ++i) {
    before.for_each_in_row(
        i, [&](std::uint32_t column, std::uint32_t) { builder.add(column, (cell++)->units); });
    builder.end_row();
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
  std::vector<std::uint32_t> offsets;
  std::vector<std::vector<std::uint32_t>> terms_of;  // of each residue; empty if not in the batch
  cl::Buffer residue_weight;

  std::size_t terms(std::uint32_t x) const {
    return std::accumulate(terms_of[x].begin(), terms_of[x].end(), std::size_t{0});
  }
};

/// Term lists on the device.
struct ConsistencyStage::Lists {
  std::vector<std::uint32_t> first_row;  // of each sequence
  cl::Buffer begin;
};

/// Pairs whose cells are on the device together.
struct ConsistencyStage::Chunk {
  std::span<const std::size_t> pairs;   // of the batch
  std::vector<std::size_t> first_cell;  // of each pair, and the number of all cells
};

std::vector<KernelChoice> consistency_kernels() {
  return {{"consistency.cl", "relax_cells", "", kGroup}};
}

ConsistencyStage::ConsistencyStage(const Session& session)
    : session_(session), pace_(session.info, kFirstWork) {}

std::size_t ConsistencyStage::most_terms() const {
  const DeviceInfo& info = session_.info;
  const std::uint64_t bytes_a_term = sizeof(std::uint32_t) + sizeof(float);
  return std::min({info.budget() / 100 * 60 / bytes_a_term,
                   info.largest_buffer / sizeof(std::uint32_t), std::uint64_t{UINT32_MAX}});
}

std::size_t ConsistencyStage::most_cells() const {
  const DeviceInfo& info = session_.info;
  return std::min({info.budget() / 100 * 15 / sizeof(accord_relax_cell),
                   info.largest_buffer / sizeof(accord_relax_cell), std::uint64_t{kMostCells}});
}

ConsistencyStage::Round ConsistencyStage::begin_round(const PosteriorSet& current,
                                                      const RelaxBatch& batch,
                                                      std::span<const float> weights,
                                                      const ConsistencyParams& params) const {
  const std::size_t n = current.sequences();
  Round round{current,
              batch,
              params,
              RelaxWeights(weights, params.self_weight),
              family_offsets(current),
              std::vector<std::vector<std::uint32_t>>(n),
              {}};
  const std::vector<float> weight_of = residue_weights(round.offsets, weights);
  round.residue_weight = upload(session_, std::span(weight_of));
  std::vector<char> wanted(n, 0);
  for (const PairIndex& pair : batch.pairs) wanted[pair.x] = wanted[pair.y] = 1;
  parallel_for(n, [&](std::size_t x, int) {
    if (wanted[x]) round.terms_of[x] = count_residue_terms(current, static_cast<std::uint32_t>(x));
  });
  return round;
}

/// The block of each sequence: one block if all lists fit, else blocks of which any two fit.
std::vector<std::uint32_t> ConsistencyStage::assign_blocks(const Round& round) const {
  const auto n = static_cast<std::uint32_t>(round.current.sequences());
  std::size_t all_terms = 0;
  for (std::uint32_t x = 0; x < n; ++x) all_terms += round.terms(x);
  const std::size_t block_terms = all_terms <= most_terms() ? all_terms : most_terms() / 2;
  std::vector<std::uint32_t> block_of(n, 0);
  std::uint32_t block = 0;
  std::size_t in_block = 0;
  for (std::uint32_t x = 0; x < n; ++x) {
    if (in_block > 0 && in_block + round.terms(x) > block_terms) {
      ++block;
      in_block = 0;
    }
    in_block += round.terms(x);
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
  if (!relax_) relax_ = build_kernel(session_, consistency_kernels().front());
  const Round round = begin_round(current, batch, weights, params);
  const std::vector<std::uint32_t> block_of = assign_blocks(round);
  using Blocks = std::pair<std::uint32_t, std::uint32_t>;
  std::map<Blocks, std::vector<std::size_t>> pairs_of;
  for (std::size_t k = 0; k < batch.pairs.size(); ++k) {
    pairs_of[{block_of[batch.pairs[k].x], block_of[batch.pairs[k].y]}].push_back(k);
  }
  for (const auto& [blocks, pairs] : pairs_of) {
    std::vector<std::uint32_t> sequences;
    for (std::uint32_t x = 0; x < current.sequences(); ++x) {
      const bool here = block_of[x] == blocks.first || block_of[x] == blocks.second;
      if (here && !round.terms_of[x].empty()) sequences.push_back(x);
    }
    relax_pairs(round, upload_lists(round, sequences), pairs, results);
  }
  return results;
}

/// Builds the lists of the sequences, one after another, in mapped memory of the device.
ConsistencyStage::Lists ConsistencyStage::upload_lists(const Round& round,
                                                       std::span<const std::uint32_t> sequences) {
  Lists lists{std::vector<std::uint32_t>(round.current.sequences(), 0), {}};
  std::vector<std::uint32_t> begin{0};
  std::size_t terms = 0;
  for (std::uint32_t x : sequences) terms += round.terms(x);
  if (terms > most_terms()) {
    throw Error(ErrorKind::out_of_memory,
                "the consistency transform of one pair needs " + std::to_string(terms >> 17) +
                    " MiB on the device, which gives " + std::to_string(most_terms() >> 17) +
                    " MiB",
                "'--device none' computes the same alignment in the memory of the host");
  }
  for (std::uint32_t x : sequences) {
    lists.first_row[x] = static_cast<std::uint32_t>(begin.size()) - 1;
    for (std::uint32_t count : round.terms_of[x]) begin.push_back(begin.back() + count);
  }
  lists.begin = upload(session_, std::span<const std::uint32_t>(begin));
  if (terms == 0) {
    index_.reserve(session_, 1);
    value_.reserve(session_, 1);
    return lists;
  }
  Mapped<std::uint32_t> index(session_, index_.reserve(session_, terms * sizeof(cl_uint)),
                                    CL_MAP_WRITE_INVALIDATE_REGION, terms);
  Mapped<float> value(session_, value_.reserve(session_, terms * sizeof(float)),
                      CL_MAP_WRITE_INVALIDATE_REGION, terms);
  parallel_for(sequences.size(), [&](std::size_t k, int) {
    const std::uint32_t x = sequences[k];
    fill_residue_terms(round.current, round.offsets, x,
                       std::span(begin).subspan(lists.first_row[x], round.terms_of[x].size() + 1),
                       index.data(), value.data());
  });
  index.unmap();
  value.unmap();
  return lists;
}

/// Cuts the pairs into chunks of at most most_cells() cells.
void ConsistencyStage::relax_pairs(const Round& round, const Lists& lists,
                                   std::span<const std::size_t> pairs,
                                   std::vector<SparseMatrix>& results) {
  std::size_t first = 0;
  Chunk chunk{{}, {0}};
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const PairIndex pair = round.batch.pairs[pairs[k]];
    const std::size_t cells = count_cells(round.current.at(pair.x, pair.y));
    if (k > first && chunk.first_cell.back() + cells > most_cells()) {
      chunk.pairs = pairs.subspan(first, k - first);
      relax_chunk(round, lists, chunk, results);
      first = k;
      chunk.first_cell = {0};
    }
    chunk.first_cell.push_back(chunk.first_cell.back() + cells);
  }
  chunk.pairs = pairs.subspan(first);
  relax_chunk(round, lists, chunk, results);
}

void ConsistencyStage::relax_chunk(const Round& round, const Lists& lists, const Chunk& chunk,
                                   std::vector<SparseMatrix>& results) {
  const std::size_t cell_count = chunk.first_cell.back();
  const cl::Buffer& buffer = cells_.reserve(session_, cell_count * sizeof(accord_relax_cell));
  if (cell_count > 0) {
    write_cells(round, lists, chunk, buffer);
    launch(round, lists, chunk, buffer);
  }
  Mapped<accord_relax_cell> cells(session_, buffer, CL_MAP_READ,
                                  std::max<std::size_t>(cell_count, 1));
  parallel_for(chunk.pairs.size(), [&](std::size_t k, int) {
    const PairIndex pair = round.batch.pairs[chunk.pairs[k]];
    results[chunk.pairs[k]] =
        rebuilt(round.current.at(pair.x, pair.y), cells.data() + chunk.first_cell[k]);
  });
  cells.unmap();
}

void ConsistencyStage::write_cells(const Round& round, const Lists& lists, const Chunk& chunk,
                                   const cl::Buffer& buffer) const {
  Mapped<accord_relax_cell> cells(session_, buffer, CL_MAP_WRITE_INVALIDATE_REGION,
                                  chunk.first_cell.back());
  parallel_for(chunk.pairs.size(), [&](std::size_t k, int) {
    const PairIndex pair = round.batch.pairs[chunk.pairs[k]];
    const SparseMatrix& matrix = round.current.at(pair.x, pair.y);
    accord_relax_cell* next = cells.data() + chunk.first_cell[k];
    for (std::uint32_t i = 0; i < matrix.rows(); ++i) {
      matrix.for_each_in_row(i, [&](std::uint32_t j, std::uint32_t units) {
        *next++ = {lists.first_row[pair.x] + i, lists.first_row[pair.y] + j,
                   static_cast<std::uint32_t>(k), units};
      });
    }
  });
  cells.unmap();
}

void ConsistencyStage::launch(const Round& round, const Lists& lists, const Chunk& chunk,
                              const cl::Buffer& cells) {
  const std::size_t cell_count = chunk.first_cell.back();
  std::vector<float> self, inverse_total;
  double work = 0;  // terms that are walked over, if all rows of a sequence were alike
  for (std::size_t k = 0; k < chunk.pairs.size(); ++k) {
    const PairIndex pair = round.batch.pairs[chunk.pairs[k]];
    self.push_back(round.weights.self(pair.x, pair.y));
    inverse_total.push_back(round.weights.inverse_total(pair.x, pair.y));
    for (std::uint32_t x : {pair.x, pair.y}) {
      work += static_cast<double>(chunk.first_cell[k + 1] - chunk.first_cell[k]) *
              static_cast<double>(round.terms(x)) /
              static_cast<double>(std::max<std::size_t>(1, round.terms_of[x].size()));
    }
  }
  const cl::Buffer self_buffer = upload(session_, std::span<const float>(self));
  const cl::Buffer total_buffer = upload(session_, std::span<const float>(inverse_total));
  for (std::size_t first = 0; first < cell_count;) {
    const double share = std::min(1.0, pace_.most_work() / std::max(work, 1.0));
    const auto wanted = static_cast<std::size_t>(share * static_cast<double>(cell_count));
    const std::size_t groups = std::max<std::size_t>(1, wanted / kGroup + (share == 1.0));
    const std::size_t items = std::min(groups, (cell_count - first + kGroup - 1) / kGroup) * kGroup;
    const Timer timer;
    wait_for(RelaxKernel{*relax_}(cl::EnqueueArgs(session_.queue, cl::NDRange(first),
                                                  cl::NDRange(items), cl::NDRange(kGroup)),
                                  cells, static_cast<cl_uint>(cell_count), self_buffer,
                                  total_buffer, lists.begin, index_.reserve(session_, 1),
                                  value_.reserve(session_, 1), round.residue_weight,
                                  round.params.cutoff));
    pace_.note(work * static_cast<double>(items) / static_cast<double>(cell_count),
               timer.seconds());
    first += items;
  }
}

}  // namespace accord::ocl
