// SPDX-License-Identifier: Apache-2.0
#include "stages/consistency/consistency_opencl.hpp"

#include <algorithm>
#include <future>
#include <iterator>
#include <tuple>

#include "accord/base/error.hpp"
#include "base/cpu_budget.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "base/timeline.hpp"
#include "base/timer.hpp"

namespace accord::ocl {
namespace {

static_assert(sizeof(accord_consistency_pair) == 20, "the kernel reads this layout");

/// Share of the budget for the chunks that are on the device at the same time.
constexpr std::uint64_t kChunkPercent = 15;

/// Work-items of a work-group; every device of the full profile can run that many.
constexpr std::size_t kGroup = 64;

/// Work of the first launch on a GPU, in terms.
constexpr double kFirstWork = 1e8;

using RowsKernel =
    cl::KernelFunctor<cl::Buffer, cl_uint, cl::Buffer, cl_uint, cl::Buffer, cl::Buffer, cl_uint,
                      cl::Buffer, cl::Buffer, float, cl::Buffer>;
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
  const cl::Buffer& weight;  // of each intermediate
  float cutoff;
};

std::vector<KernelChoice> consistency_kernels() {
  return {cell_rows_kernel(), rows_kernel(), take_kernel()};
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
      rows_(session) {}

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
  std::vector<float> weight;
  for (const std::uint32_t z : call.weights.intermediates()) {
    weight.push_back(call.weights.weights()[z]);
  }
  const Round last{call, weights_.send(session_, std::span<const float>(weight)),
                   call.cutoffs.back()};
  const std::vector<std::size_t> pairs = by_neighbourhood(call.pairs);
  if (call.cutoffs.size() == 1) return transform_pairs(last, pairs);
  if (transform_together(last, pairs)) return;
  transform_in_rounds(call, [this](const ConsistencyCall& one_round) { run(one_round); });
}

/// Transforms the pairs together if their cell rows fit the device, else in quarters; a quarter has
/// half of the x's and half of the y's.
void ConsistencyStage::transform_pairs(const Round& round, std::span<const std::size_t> pairs) {
  if (pairs.empty() || transform_together(round, pairs)) return;
  if (pairs.size() == 1) {
    throw Error(ErrorKind::out_of_memory,
                "the consistency transform of one pair needs " +
                    format_bytes(static_cast<double>(rows_.needed_bytes())) +
                    " on the device, which gives " +
                    format_bytes(static_cast<double>(rows_.most_bytes())),
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
/// Returns  false, without results, if the cell rows of the pairs do not fit the device, or if
///          there are several rounds and the matrices are more than one chunk.
bool ConsistencyStage::transform_together(const Round& round,
                                          std::span<const std::size_t> numbers) {
  std::vector<PairIndex> pairs;
  for (std::size_t k : numbers) pairs.push_back(round.call.pairs[k]);
  const std::vector<std::uint32_t> sequences = sequences_of(pairs, round.call.current.sequences());
  if (!rows_.begin(round.call.current, round.call.weights, sequences)) return false;
  const std::vector<PairIndex>& for_rows = rows_.matrices();
  std::vector<PairIndex> all = without(for_rows, pairs);
  const std::size_t others = all.size();
  all.insert(all.end(), pairs.begin(), pairs.end());
  if (Chunks single{cut(round, all, chunk_bytes_.single), 1}; single.all.size() == 1) {
    transform_before_last(round, single, sequences);
    make_rows(round, single, 1);
    transform_chunks(round, single, others, numbers);
    return true;
  }
  if (round.call.cutoffs.size() > 1) return false;
  // The matrices that become cell rows come first, and stay on the device to be transformed, unless
  // the batch is a part of the family.
  std::vector<std::size_t> order(numbers.begin(), numbers.end());
  const auto rest = std::stable_partition(
      order.begin(), order.end(), [&](std::size_t k) { return rows_.has(round.call.pairs[k]); });
  for (std::size_t k = 0; k < order.size(); ++k) pairs[k] = round.call.pairs[order[k]];
  const auto of_rows = static_cast<std::size_t>(rest - order.begin());
  Chunks chunks{cut(round, std::span(pairs).first(of_rows), chunk_bytes_.most)};
  std::size_t bytes = 0;
  for (const MatrixChunk& chunk : chunks.all) bytes += chunk.packed_bytes();
  const std::size_t room = room_for_chunks();
  if (others == 0 && bytes + std::min(chunk_bytes_.most, room) <= room) {
    chunks.kept = chunks.all.size();
  }
  for (MatrixChunk& chunk : cut(round, std::span(pairs).subspan(of_rows), chunk_bytes_.most)) {
    chunk.first += of_rows;
    chunks.all.push_back(std::move(chunk));
  }
  if (chunks.kept > 0) {
    make_rows(round, chunks, chunks.kept);
  } else {
    Chunks row_chunks{cut(round, for_rows, chunk_bytes_.most)};
    make_rows(round, row_chunks, row_chunks.all.size());
  }
  transform_chunks(round, chunks, 0, order);
  return true;
}

/// Computes the rounds before the last one, on a chunk that holds a whole family and whose cell
/// rows have been begun; then begins the cell rows of the last round. The cells stay on the device
/// and get new units there.
void ConsistencyStage::transform_before_last(const Round& last, Chunks& single,
                                             std::span<const std::uint32_t> sequences) {
  const ConsistencyCall& call = last.call;
  for (const float cutoff : call.cutoffs.first(call.cutoffs.size() - 1)) {
    const Round round{call, last.weight, cutoff};
    make_rows(round, single, 1);
    transformed_.reserve(session_, single.all[0].cells() * sizeof(cl_ushort));
    launch(round, single, 0, 0, nullptr);
    rows_.begin(call.current, call.weights, sequences);  // it fitted the device
  }
}

/// Makes the cell rows of the first `count` chunks.
void ConsistencyStage::make_rows(const Round& round, Chunks& chunks, std::size_t count) {
  const auto add = [&](std::size_t c) { rows_.add(chunks.all[c], packed(chunks, c)); };
  stream(round.call.current, chunks, count, add, [](std::size_t) {});
}

/// Transforms the pairs of the batch with the given numbers. In each chunk, the first `others`
/// matrices are needed for the cell rows only, and are skipped; more than 0 only if there is a
/// single chunk.
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
  stream(round.call.current, chunks, chunks.all.size(), transform, deliver);
  session_.queue.finish();  // usually idle already; then memory that was sent may be overwritten
}

/// The device buffer of a chunk.
const cl::Buffer& ConsistencyStage::packed(const Chunks& chunks, std::size_t c) const {
  return packed_[std::min(c, chunks.kept)].get();
}

/// Sends the first `count` chunks to the device, one after another, unless it has them, and
/// calls compute() for each chunk. Meanwhile the host packs the next chunk and calls finish() for
/// the previous one.
void ConsistencyStage::stream(const PosteriorSet& set, Chunks& chunks, std::size_t count,
                              const ChunkWork& compute, const ChunkWork& finish) {
  if (count == 0) return;
  std::array<std::uint32_t*, 2> packed_on_host{};
  if (chunks.on_device < count) reserve(chunks, packed_on_host);
  if (chunks.on_device == 0) chunks.all[0].pack(set, packed_on_host[0]);
  for (std::size_t c = 0; c < count; ++c) {
    const bool packs_next = c + 1 < count && c + 1 >= chunks.on_device;
    if (count > 1) rebalance_cpus();  // a large family alone leaves most of them idle meanwhile
    std::optional<CpuLoan> loan;      // while this thread waits for the device
    std::future<void> host_work;
    const TimelineLoop loop;
    if (c > 0 || packs_next) {
      loan.emplace();
      // Deferred if the system gives no thread.
      host_work = std::async(std::launch::async | std::launch::deferred, [&, c] {
        const TimelineSpan span(loop);
        loan->take();
        if (c > 0) finish(c - 1);
        if (packs_next) chunks.all[c + 1].pack(set, packed_on_host[(c + 1) % 2]);
      });
    }
    cl::Event sent;
    if (c >= chunks.on_device) {
      session_.queue.enqueueWriteBuffer(packed(chunks, c), CL_FALSE, 0,
                                        chunks.all[c].packed_bytes(), packed_on_host[c % 2],
                                        nullptr, &sent);
    }
    compute(c);
    // The host may pack over the memory only when it was sent. A single chunk that stays is not
    // packed over.
    if (c >= chunks.on_device && !(count == 1 && chunks.kept == 1)) wait_for(sent);
    if (host_work.valid()) host_work.get();
  }
  finish(count - 1);
  chunks.on_device = std::min(count, chunks.kept);
}

/// Reserves memory for chunks, on the device and on the host. (Called before the first launch, see
/// transform_chunks().)
void ConsistencyStage::reserve(const Chunks& chunks,
                               std::array<std::uint32_t*, 2>& packed_on_host) {
  const std::size_t count = chunks.all.size();
  std::size_t most_bytes = 0, most_passing = 0;
  packed_.resize(chunks.kept + (chunks.kept < count));
  for (std::size_t c = 0; c < count; ++c) {
    const std::size_t bytes = chunks.all[c].packed_bytes();
    most_bytes = std::max(most_bytes, bytes);
    if (c < chunks.kept) {
      packed_[c].reserve(session_, bytes);
    } else {
      most_passing = std::max(most_passing, bytes);
    }
  }
  if (chunks.kept < count) packed_[chunks.kept].reserve(session_, most_passing);
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
  double work = 0;  // terms, if all residues of a sequence had as many cells
  for (std::size_t k = others; k < chunk.pairs.size(); ++k) {
    const auto [x, y] = chunk.pairs[k];
    pairs.push_back({chunk.first_row[k], rows_.number(x), rows_.number(y),
                     round.call.weights.self(x, y), round.call.weights.inverse_total(x, y)});
    work += static_cast<double>(chunk.first_row[k + 1] - chunk.first_row[k]) *
            rows_.cells_of_residue(x) * rows_.cells_of_residue(y) /
            std::max(1u, rows_.intermediates());
  }
  work = std::max(work, static_cast<double>(chunk.rows()));  // no launch is without work
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
    cl::Event is_done = RowsKernel{*transform_}(
        cl::EnqueueArgs(session_.queue, cl::NDRange(first, 0), cl::NDRange(now, parts),
                        cl::NDRange(kGroup, 1)),
        pair_buffer, static_cast<cl_uint>(pairs.size()), packed(chunks, c), chunk.rows(),
        rows_.first_row(), round.weight, rows_.intermediates(), rows_.row_end(), rows_.cells(),
        round.cutoff, transformed_.get());
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
