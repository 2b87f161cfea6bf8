// SPDX-License-Identifier: Apache-2.0
#include "stages/posteriors/posterior_opencl_matrices.hpp"

#include <algorithm>
#include <string>

#include "accord/base/error.hpp"

namespace accord::ocl {
namespace {

static_assert(sizeof(accord_matrix_task) == 24, "the kernel reads this layout");

/// Work-items of a group, which makes the matrix of a pair. Most rows have fewer cells than this.
constexpr std::size_t kGroup = 32;

/// Columns whose sums fit in the 32 KiB of local memory that every device of the full profile has.
constexpr std::uint32_t kMostColumns = 6000;

using MatrixKernel = cl::KernelFunctor<cl::Buffer, cl::Buffer, cl::Buffer, cl::Buffer, cl::Buffer,
                                       cl::LocalSpaceArg>;

/// Reads a pair from the words of the device: its expected accuracy, the index of the first cell of
/// each row, its cells.
/// Throws  Error{device_failed} if the rows do not follow each other.
PairPosterior pair_of(std::span<const std::uint32_t> words, std::uint32_t rows,
                      std::uint32_t columns) {
  const auto begin = words.subspan(1, std::size_t{rows} + 1), cells = words.subspan(rows + 2);
  if (begin.front() != 0 || begin.back() != cells.size() ||
      !std::is_sorted(begin.begin(), begin.end())) {
    throw Error(ErrorKind::device_failed, "the device made a matrix whose rows are in disorder",
                "{device=none} computes the same alignment without the device");
  }
  return {SparseMatrix(columns, begin, {cells.begin(), cells.end()}), words.front()};
}

}  // namespace

KernelChoice PairMatrices::kernel() {
  return {"posteriors/matrices.cl", "make_matrices",
          "-D ACCORD_LANES=1 -D ACCORD_MATRIX_GROUP=" + std::to_string(kGroup), kGroup};
}

bool PairMatrices::suits(const PosteriorCall& call, std::span<const PairIndex> pairs) {
  return call.model.tables.cutoff * ACCORD_UNITS_OF_ONE >= 1 &&
         std::all_of(pairs.begin(), pairs.end(),
                     [&](PairIndex pair) { return call.sequences.length(pair.y) <= kMostColumns; });
}

void PairMatrices::load(const Calibration& calibration) {
  if (loaded_ && *loaded_ == calibration) return;
  const std::vector<std::uint16_t> table = calibration.table();
  calibration_ = upload(session_, std::span(table));
  loaded_ = calibration;
}

DeviceItems PairMatrices::make(const FoundCells& found, const cl::Buffer& cells,
                               const cl::Buffer& model, const PosteriorCall& call) {
  DeviceItems made;
  if (found.pairs.empty()) return made;
  std::vector<accord_matrix_task> tasks;
  std::vector<std::uint64_t>& place = made.place;
  std::uint32_t most_columns = 0;
  for (std::size_t k = 0; k < found.pairs.size(); ++k) {
    const auto [x, y] = found.pairs[k];
    const auto count = static_cast<std::uint32_t>(found.to[k + 1] - found.to[k]);
    const std::uint32_t rows = call.sequences.length(x);
    tasks.push_back({found.from[k], place.back() / sizeof(std::uint32_t), count, rows});
    place.push_back(place.back() + (std::uint64_t{rows} + 2 + count) * sizeof(std::uint32_t));
    most_columns = std::max(most_columns, call.sequences.length(y));
  }
  if (!kernel_) kernel_ = build_kernel(session_, kernel());
  load(call.model.calibration);
  made.buffer = &words_.reserve(session_, place.back());
  made.made_by.push_back(MatrixKernel{*kernel_}(
      cl::EnqueueArgs(session_.queue, tasks.size() * kGroup, kGroup), model, cells,
      tasks_.send(session_, std::span<const accord_matrix_task>(tasks)), calibration_, *made.buffer,
      cl::Local((most_columns + 1) * sizeof(std::uint32_t))));
  return made;
}

void PairMatrices::deliver(const FoundCells& found, const DeviceItems& made, std::size_t k,
                           const void* data, const PosteriorCall& call) {
  const auto [x, y] = found.pairs[k];
  const std::span words(static_cast<const std::uint32_t*>(data),
                        (made.place[k + 1] - made.place[k]) / sizeof(std::uint32_t));
  call.deliver(x, y, pair_of(words, call.sequences.length(x), call.sequences.length(y)));
}

}  // namespace accord::ocl
