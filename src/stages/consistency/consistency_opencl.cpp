// SPDX-License-Identifier: Apache-2.0
#include "stages/consistency/consistency_opencl.hpp"

#include <algorithm>
#include <future>
#include <iterator>
#include <string>
#include <tuple>

#include "accord/base/error.hpp"
#include "base/cpu_budget.hpp"
#include "base/parallel.hpp"
#include "base/timer.hpp"

namespace accord::ocl {
namespace {

static_assert(sizeof(accord_consistency_pair) == 20, "the kernel reads this layout");

/// Share of the budget for the chunks that are on the device at the same time.
constexpr std::uint64_t kChunkPercent = 15;

/// Work-items of a work-group; every device of the full profile can run that many.
constexpr std::size_t kGroup = 64;

/// Work of the first launch on a GPU, in tiles of lists that are walked over.
constexpr double kFirstWork = 1e7;

using RowsKernel = cl::KernelFunctor<cl::Buffer, cl_uint, cl::Buffer, cl_uint, cl::Buffer,
                                     cl::Buffer, cl::Buffer, cl::Buffer, float, cl::Buffer>;
using TakeKernel = cl::KernelFunctor<cl::Buffer, cl_uint, cl_uint, cl::Buffer>;

KernelChoice rows_kernel() { return {"consistency/transform.cl", "consistency_rows", "", kGroup}; }
KernelChoice take_kernel() { return {"consistency/transform.cl", "take_units", "", kGroup}; }

/// Work-items of a row: several on a GPU for which there are few rows. (On an H200 a round of 45
/// sequences takes 6.5 ms with one, 5.4 with four and 5.1 with eight.)
std::size_t parts_of_row(const DeviceInfo& device, std::size_t rows) {
  constexpr std::size_t kItemsOfUnit = 65536, kMostParts = 8;
  if (device.kind == DeviceKind::cpu) return 1;
  return std::clamp(device.compute_units * kItemsOfUnit / std::max<std::size_t>(1, rows),
                    std::size_t{1}, kMostParts);
}

/// The sequences of pairs, increasing.
std::vector<std::uint32_t> sequences_of(std::span<const PairIndex> pairs, std::size_t sequences) {
  std::vector<char> wanted(sequences, 0);
  for (const auto [x, y] : pairs) wanted[x] = wanted[y] = 1;
  std::vector<std::uint32_t> found;
  for (std::uint32_t x = 0; x < sequences; ++x) {
    if (wanted[x]) found.push_back(x);
  }
  return found;
}

/// The pairs of `pairs` that are not among `others`; `pairs` are sorted by y, then x.
std::vector<PairIndex> without(std::span<const PairIndex> pairs, std::vector<PairIndex> others) {
  const auto is_before = [](PairIndex a, PairIndex b) {
    return std::tie(a.y, a.x) < std::tie(b.y, b.x);
  };
  std::sort(others.begin(), others.end(), is_before);
  std::vector<PairIndex> found;
  std::set_difference(pairs.begin(), pairs.end(), others.begin(), others.end(),
                      std::back_inserter(found), is_before);
  return found;
}

}  // namespace

/// The data that all pairs of a round of a call share.
struct ConsistencyStage::Round {
  const ConsistencyCall& call;
  const cl::Buffer& tile_weight;  // of each tile of the intermediates
  float cutoff;
};

std::vector<KernelChoice> consistency_kernels() {
  std::vector<KernelChoice> kernels = tile_list_kernels();
  kernels.push_back(rows_kernel());
  kernels.push_back(take_kernel());
  return kernels;
}

StageOnDevice stage_on(const DeviceInfo&, std::type_identity<ConsistencyCall>) {
  return {.kernels = consistency_kernels(), .open = [](const Session& session) {
            return std::make_unique<ConsistencyStage>(session);
          }};
}

ConsistencyStage::ConsistencyStage(const Session& session, ChunkBytes chunk_bytes)
    : session_(session),
      chunk_bytes_(chunk_bytes),
      pace_(session.info, kFirstWork),
      lists_(session) {}

std::size_t ConsistencyStage::room_for_chunks() const {
  return static_cast<std::size_t>(session_.info.budget() / 100 * kChunkPercent);
}

std::vector<MatrixChunk> ConsistencyStage::cut(const Round& round, std::span<const PairIndex> pairs,
                                               std::size_t most_bytes) const {
  const auto largest = static_cast<std::size_t>(session_.info.largest_buffer);
  return cut_chunks(round.call.current, pairs, std::min({room_for_chunks(), largest, most_bytes}));
}

void ConsistencyStage::run(const StageCall& of_stage) {
  const auto& call = of_stage.get<ConsistencyCall>();
  if (call.pairs.empty()) return;
  if (!transform_) {
    transform_ = build_kernel(session_, rows_kernel());
    take_ = build_kernel(session_, take_kernel());
  }
  std::vector<float> tile_weight;
  for (std::uint32_t z : call.weights.intermediates()) {
    tile_weight.insert(tile_weight.end(), tiles_of(call.current.length(z)),
                       call.weights.weights()[z]);
  }
  const Round last{call, tile_weights_.send(session_, std::span<const float>(tile_weight)),
                   call.cutoffs.back()};
  const std::vector<std::size_t> pairs = by_neighbourhood(call.pairs);
  if (call.cutoffs.size() == 1) return transform_pairs(last, pairs);
  if (transform_together(last, pairs)) return;
  transform_in_rounds(call, [this](const ConsistencyCall& one_round) { run(one_round); });
}

/// Transforms the pairs together if their lists fit the device, else in quarters; a quarter has
/// half of the x's and half of the y's.
void ConsistencyStage::transform_pairs(const Round& round, std::span<const std::size_t> pairs) {
  if (pairs.empty() || transform_together(round, pairs)) return;
  if (pairs.size() == 1) {
    const auto mib = [](std::uint64_t bytes) { return std::to_string((bytes >> 20) + 1) + " MiB"; };
    throw Error(ErrorKind::out_of_memory,
                "the consistency transform of one pair needs " + mib(lists_.needed_bytes()) +
                    " on the device, which gives " + mib(lists_.most_bytes()),
                "{device=none} computes the same alignment in the memory of the host");
  }
  const auto middle = [&](std::uint32_t PairIndex::*side) {
    std::vector<std::uint32_t> values;
    for (std::size_t k : pairs) values.push_back(round.call.pairs[k].*side);
    std::sort(values.begin(), values.end());
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values[values.size() / 2];
  };
  const std::uint32_t middle_x = middle(&PairIndex::x), middle_y = middle(&PairIndex::y);
  std::array<std::vector<std::size_t>, 4> quarters;
  for (std::size_t k : pairs) {
    const auto [x, y] = round.call.pairs[k];
    quarters[2 * (x >= middle_x) + (y >= middle_y)].push_back(k);
  }
  for (const std::vector<std::size_t>& quarter : quarters) transform_pairs(round, quarter);
}

/// Computes all rounds of the call for the pairs, and hands their units to the sink.
/// Returns  false, without results, if the tile lists of the pairs do not fit the device, or if
///          there are several rounds and the matrices are more than one chunk.
bool ConsistencyStage::transform_together(const Round& round,
                                          std::span<const std::size_t> numbers) {
  std::vector<PairIndex> pairs;
  for (std::size_t k : numbers) pairs.push_back(round.call.pairs[k]);
  const std::vector<std::uint32_t> sequences = sequences_of(pairs, round.call.current.sequences());
  if (!lists_.begin(round.call.current, round.call.weights, sequences)) {
    return false;
  }
  const std::vector<PairIndex> for_lists = lists_.matrices();
  std::vector<PairIndex> all = without(for_lists, pairs);
  const std::size_t others = all.size();
  all.insert(all.end(), pairs.begin(), pairs.end());
  if (Chunks single{cut(round, all, chunk_bytes_.single), true}; single.all.size() == 1) {
    if (!transform_before_last(round, single, sequences) || !make_lists(round, single))
      return false;
    transform_chunks(round, single, others, numbers);
    return true;
  }
  if (round.call.cutoffs.size() > 1) return false;
  Chunks pair_chunks{cut(round, pairs, chunk_bytes_.most)};
  std::size_t bytes = 0;
  for (const MatrixChunk& chunk : pair_chunks.all) bytes += chunk.packed_bytes();
  // The lists are made of the matrices that are transformed, unless the batch is a part of the
  // family.
  pair_chunks.stay = others == 0 && bytes <= room_for_chunks();
  Chunks list_chunks;
  if (!pair_chunks.stay) list_chunks.all = cut(round, for_lists, chunk_bytes_.most);
  if (!make_lists(round, pair_chunks.stay ? pair_chunks : list_chunks)) return false;
  transform_chunks(round, pair_chunks, 0, numbers);
  return true;
}

/// Computes the rounds before the last one, on a chunk that holds a whole family and whose lists
/// have been begun; then begins the lists of the last round. The cells stay on the device and get
/// new units there.
/// Returns  false if the lists do not fit the device.
bool ConsistencyStage::transform_before_last(const Round& last, Chunks& single,
                                             std::span<const std::uint32_t> sequences) {
  const ConsistencyCall& call = last.call;
  for (const float cutoff : call.cutoffs.first(call.cutoffs.size() - 1)) {
    const Round round{call, last.tile_weight, cutoff};
    if (!make_lists(round, single)) return false;
    transformed_.reserve(session_, single.all[0].cells() * sizeof(cl_ushort));
    launch(round, single, 0, 0, nullptr);
    if (!lists_.begin(call.current, call.weights, sequences)) return false;
  }
  return true;
}

/// Returns  false if the lists do not fit the device.
bool ConsistencyStage::make_lists(const Round& round, Chunks& chunks) {
  const auto nothing = [](std::size_t) {};
  const auto count = [&](std::size_t c) { lists_.count(c, chunks.all[c], packed(chunks, c)); };
  stream(round.call.current, chunks, count, nothing);
  if (!lists_.place()) return false;
  const auto fill = [&](std::size_t c) { lists_.fill(c, chunks.all[c], packed(chunks, c)); };
  stream(round.call.current, chunks, fill, nothing);
  return true;
}

/// Transforms the pairs of the batch with the given numbers. In each chunk, the first `others`
/// matrices are needed for the lists only, and are skipped; more than 0 only if there is a single
/// chunk.
void ConsistencyStage::transform_chunks(const Round& round, Chunks& chunks, std::size_t others,
                                        std::span<const std::size_t> numbers) {
  std::size_t cells = 1;
  for (const MatrixChunk& chunk : chunks.all) cells = std::max<std::size_t>(cells, chunk.cells());
  // Reserved before the first launch, since mapping a buffer waits for the queued commands.
  std::array<std::uint16_t*, 2> transformed;
  for (std::size_t turn = 0; turn < std::min<std::size_t>(2, chunks.all.size()); ++turn) {
    transformed[turn] = static_cast<std::uint16_t*>(
        staging_[turn].transformed.reserve(session_, cells * sizeof(cl_ushort)));
  }
  transformed_.reserve(session_, cells * sizeof(cl_ushort));
  const auto transform = [&](std::size_t c) {
    const MatrixChunk& chunk = chunks.all[c];
    if (chunk.cells() > chunk.first_cell[others]) {
      launch(round, chunks, c, others, transformed[c % 2]);
    }
  };
  const auto deliver = [&](std::size_t c) {
    const MatrixChunk& chunk = chunks.all[c];
    const std::uint32_t first = chunk.first_cell[others];
    const std::size_t count = chunk.pairs.size() - others;
    parallel_for_parts(count, pairs_of_part(count), [&](std::size_t k, std::size_t last) {
      for (; k < last; ++k) {
        const std::uint32_t begin = chunk.first_cell[others + k],
                            end = chunk.first_cell[others + k + 1];
        round.call.sink(numbers[chunk.first + k],
                        {transformed[c % 2] + (begin - first), end - begin});
      }
    });
  };
  stream(round.call.current, chunks, transform, deliver);
  session_.queue.finish();  // usually idle already; then memory that was sent may be overwritten
}

/// The device buffer of a chunk.
const cl::Buffer& ConsistencyStage::packed(const Chunks& chunks, std::size_t c) const {
  return packed_[chunks.stay ? c : 0].get();
}

/// Sends one chunk after another to the device, if it is not there, and calls compute() for it.
/// Meanwhile the host packs the next chunk and calls finish() for the previous one.
void ConsistencyStage::stream(const PosteriorSet& set, Chunks& chunks, const ChunkWork& compute,
                              const ChunkWork& finish) {
  const std::size_t count = chunks.all.size();
  if (count == 0) return;
  std::array<std::uint32_t*, 2> packed_on_host{};
  if (!chunks.are_there) {
    reserve(chunks, packed_on_host);
    chunks.all[0].pack(set, packed_on_host[0]);
  }
  for (std::size_t c = 0; c < count; ++c) {
    const bool packs_next = !chunks.are_there && c + 1 < count;
    if (count > 1) rebalance_cpus();  // a large family alone leaves most of them idle meanwhile
    std::optional<CpuLoan> loan;      // while this thread waits for the device
    std::future<void> host_work;
    if (c > 0 || packs_next) {
      loan.emplace();
      // Deferred if the system gives no thread.
      host_work = std::async(std::launch::async | std::launch::deferred, [&, c] {
        loan->take();
        if (c > 0) finish(c - 1);
        if (packs_next) chunks.all[c + 1].pack(set, packed_on_host[(c + 1) % 2]);
      });
    }
    cl::Event sent;
    if (!chunks.are_there) {
      session_.queue.enqueueWriteBuffer(packed(chunks, c), CL_FALSE, 0,
                                        chunks.all[c].packed_bytes(), packed_on_host[c % 2],
                                        nullptr, &sent);
    }
    compute(c);
    // The host may pack over the memory only when it was sent. A single chunk that stays is not
    // packed over.
    if (!chunks.are_there && !(count == 1 && chunks.stay)) wait_for(sent);
    if (host_work.valid()) host_work.get();
  }
  finish(count - 1);
  chunks.are_there = chunks.stay;
}

/// Reserves memory for chunks, on the device and on the host. (Called before the first launch, see
/// transform_chunks().)
void ConsistencyStage::reserve(const Chunks& chunks,
                               std::array<std::uint32_t*, 2>& packed_on_host) {
  const std::size_t count = chunks.all.size();
  std::size_t most_bytes = 0;
  packed_.resize(chunks.stay ? count : 1);
  for (std::size_t c = 0; c < count; ++c) {
    most_bytes = std::max(most_bytes, chunks.all[c].packed_bytes());
    if (chunks.stay) packed_[c].reserve(session_, chunks.all[c].packed_bytes());
  }
  if (!chunks.stay) packed_[0].reserve(session_, most_bytes);
  for (std::size_t turn = 0; turn < std::min<std::size_t>(2, count); ++turn) {
    packed_on_host[turn] =
        static_cast<std::uint32_t*>(staging_[turn].packed.reserve(session_, most_bytes));
  }
}

/// Runs consistency_rows over the rows of a chunk, without those of its first `others` matrices.
/// Reads the new units of the cells to `transformed`; if that is null, the cells on the device get
/// them.
void ConsistencyStage::launch(const Round& round, const Chunks& chunks, std::size_t c,
                              std::size_t others, std::uint16_t* transformed) {
  const MatrixChunk& chunk = chunks.all[c];
  std::vector<accord_consistency_pair> pairs;
  double work = 0;  // tiles that are walked over, if all lists of a sequence were alike
  for (std::size_t k = others; k < chunk.pairs.size(); ++k) {
    const auto [x, y] = chunk.pairs[k];
    pairs.push_back({chunk.first_row[k], lists_.first_list(x), lists_.first_list(y),
                     round.call.weights.self(x, y), round.call.weights.inverse_total(x, y)});
    for (std::uint32_t z : {x, y}) {
      work += static_cast<double>(chunk.first_row[k + 1] - chunk.first_row[k]) *
              static_cast<double>(lists_.tiles(z)) / std::max(1u, lists_.lists(z));
    }
  }
  const cl::Buffer& pair_buffer =
      pairs_.send(session_, std::span<const accord_consistency_pair>(pairs));
  const std::size_t parts = parts_of_row(session_.info, chunk.rows());
  const std::size_t first_cell = chunk.first_cell[others];
  const std::size_t end = chunk.rows(), rows = end - chunk.first_row[others];
  for (std::size_t first = chunk.first_row[others]; first < end;) {
    const double share = std::min(1.0, pace_.most_work() / std::max(work, 1.0));
    const auto wanted = static_cast<std::size_t>(share * static_cast<double>(rows));
    const std::size_t groups = std::max<std::size_t>(1, wanted / kGroup + (share == 1.0));
    const std::size_t now = std::min(groups, (end - first + kGroup - 1) / kGroup) * kGroup;
    const Timer timer;
    cl::Event is_done =
        RowsKernel{*transform_}(cl::EnqueueArgs(session_.queue, cl::NDRange(first, 0),
                                                cl::NDRange(now, parts), cl::NDRange(kGroup, 1)),
                                pair_buffer, static_cast<cl_uint>(pairs.size()), packed(chunks, c),
                                chunk.rows(), lists_.list_begin(), lists_.tile(), lists_.units(),
                                round.tile_weight, round.cutoff, transformed_.get());
    if (first + now >= end && transformed == nullptr) {
      is_done = TakeKernel{*take_}(
          cl::EnqueueArgs(session_.queue,
                          cl::NDRange((chunk.cells() + kGroup - 1) / kGroup * kGroup),
                          cl::NDRange(kGroup)),
          packed(chunks, c), chunk.rows(), chunk.cells(), transformed_.get());
    } else if (first + now >= end) {  // one wait for kernel and read, timed by the pace
      session_.queue.enqueueReadBuffer(transformed_.get(), CL_FALSE, first_cell * sizeof(cl_ushort),
                                       (chunk.cells() - first_cell) * sizeof(cl_ushort),
                                       transformed, nullptr, &is_done);
    }
    wait_for(is_done);
    pace_.note(work * static_cast<double>(now) / static_cast<double>(rows), timer.seconds());
    first += now;
  }
}

}  // namespace accord::ocl
