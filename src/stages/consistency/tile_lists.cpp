// SPDX-License-Identifier: Apache-2.0
#include "stages/consistency/tile_lists.hpp"

#include <algorithm>

namespace accord::ocl {
namespace {

static_assert(sizeof(accord_tile_matrix) == 36, "the kernels read this layout");

/// Work-items of a work-group; every device of the full profile can run that many.
constexpr std::size_t kGroup = 64;

/// Bytes of a tile: of its cells, and of its (z, K), which is stored twice, as a draft and in its
/// place.
constexpr std::size_t kUnitBytes = ACCORD_TILE * ACCORD_TILE * sizeof(cl_ushort);
constexpr std::size_t kTileBytes = kUnitBytes + 2 * sizeof(cl_uint);

/// Shares of the memory budget: for the tiles, and for each of the two buffers with a number for
/// each list and intermediate.
constexpr std::uint64_t kTilePercent = 60, kCountPercent = 5;

using ClearKernel = cl::KernelFunctor<cl::Buffer, cl_uint>;
using CountKernel =
    cl::KernelFunctor<cl::Buffer, cl_uint, cl_uint, cl::Buffer, cl_uint, cl_uint, cl::Buffer>;
using PlaceKernel = cl::KernelFunctor<cl::Buffer, cl_uint, cl_uint, cl::Buffer>;
using NumberKernel = cl::KernelFunctor<cl::Buffer, cl_uint, cl_uint, cl::Buffer, cl_uint, cl_uint,
                                       cl::Buffer, cl::Buffer, cl::Buffer, cl::Buffer>;
using FillKernel = cl::KernelFunctor<cl::Buffer, cl_uint, cl_uint, cl::Buffer, cl_uint, cl_uint,
                                     cl::Buffer, cl::Buffer, cl::Buffer, cl::Buffer, cl::Buffer>;

/// A launch of at least `items` work-items.
cl::EnqueueArgs items_of(const Session& session, std::size_t items) {
  return {session.queue, cl::NDRange((items + kGroup - 1) / kGroup * kGroup), cl::NDRange(kGroup)};
}

}  // namespace

std::vector<KernelChoice> tile_list_kernels() {
  return {{"consistency/tile_lists.cl", "clear_counts", "", kGroup},
          {"consistency/tile_lists.cl", "count_tiles", "", kGroup},
          {"consistency/tile_lists.cl", "place_tiles", "", kGroup},
          {"consistency/tile_lists.cl", "number_tiles", "", kGroup},
          {"consistency/tile_lists.cl", "fill_tiles", "", kGroup}};
}

void TileLists::build_kernels() {
  if (fill_) return;
  const std::vector<KernelChoice> kernels = tile_list_kernels();
  clear_ = build_kernel(session_, kernels[0]);
  count_ = build_kernel(session_, kernels[1]);
  place_ = build_kernel(session_, kernels[2]);
  number_ = build_kernel(session_, kernels[3]);
  fill_ = build_kernel(session_, kernels[4]);
}

bool TileLists::fits(std::uint64_t needed_bytes, std::uint64_t most_bytes) {
  needed_bytes_ = needed_bytes;
  most_bytes_ = most_bytes;
  return needed_bytes <= most_bytes;
}

bool TileLists::begin(const PosteriorSet& set, const ConsistencyWeights& weights,
                      std::span<const std::uint32_t> sequences) {
  const std::size_t n = set.sequences();
  set_ = &set;
  weights_ = &weights;
  first_list_.assign(n, ACCORD_NONE);
  place_of_.assign(n, ACCORD_NONE);
  first_tile_.assign(n, 0);
  std::uint32_t tile = 0;
  place_count_ = 0;
  for (std::uint32_t z : weights.intermediates()) {
    place_of_[z] = place_count_++;
    first_tile_[z] = tile;
    tile += tiles_of(set.length(z));
  }
  list_count_ = 0;
  for (std::uint32_t x : sequences) {
    first_list_[x] = list_count_;
    list_count_ += lists(x);
  }
  // A number for each list and intermediate, once in left_ and once in offset_.
  const DeviceInfo& info = session_.info;
  const std::uint64_t bytes = (std::uint64_t{place_count_} + 1) * list_count_ * sizeof(cl_uint);
  if (!fits(bytes, std::min({info.budget() / 100 * kCountPercent, info.largest_buffer,
                             std::uint64_t{UINT32_MAX}}))) {
    return false;
  }
  build_kernels();
  offset_.reserve(session_, bytes);
  const cl::Buffer& left = left_.reserve(session_, bytes);
  const auto counts = static_cast<cl_uint>(bytes / sizeof(cl_uint));
  if (counts > 0) ClearKernel{*clear_}(items_of(session_, counts), left, counts);
  return true;
}

/// Whether the cells of x against z go into the lists of x.
bool TileLists::has_list(std::uint32_t x, std::uint32_t z) const {
  return first_list_[x] != ACCORD_NONE && place_of_[z] != ACCORD_NONE &&
         weights_->allows_intermediate(x, z);
}

/// Whether the matrix of (x, y) has cells that go into a list.
bool TileLists::is_needed(std::uint32_t x, std::uint32_t y) const {
  return (has_list(x, y) || has_list(y, x)) && !set_->at(x, y).packed().empty();
}

std::vector<PairIndex> TileLists::matrices() const {
  std::vector<PairIndex> pairs;
  for (std::uint32_t y = 1; y < set_->sequences(); ++y) {
    for (std::uint32_t x = 0; x < y; ++x) {
      if (is_needed(x, y)) pairs.push_back({x, y});
    }
  }
  return pairs;
}

void TileLists::send_strips(const MatrixChunk& chunk, Strips& strips) {
  std::vector<accord_tile_matrix> matrices;
  strips.count = 0;
  for (std::size_t k = 0; k < chunk.pairs.size(); ++k) {
    const auto [x, y] = chunk.pairs[k];
    if (!is_needed(x, y)) continue;
    const std::uint32_t rows = chunk.first_row[k + 1] - chunk.first_row[k];
    matrices.push_back({strips.count, chunk.first_row[k], rows,
                        has_list(x, y) ? first_list_[x] : ACCORD_NONE,
                        has_list(y, x) ? first_list_[y] : ACCORD_NONE, place_of_[x], place_of_[y],
                        first_tile_[x], first_tile_[y]});
    strips.count += tiles_of(rows);
  }
  strips.matrix_count = static_cast<std::uint32_t>(matrices.size());
  strips.matrices = &strips.sent.send(session_, std::span<const accord_tile_matrix>(matrices));
}

void TileLists::count(std::size_t c, const MatrixChunk& chunk, const cl::Buffer& packed) {
  while (strips_.size() <= c) strips_.emplace_back();
  Strips& strips = strips_[c];
  send_strips(chunk, strips);
  if (strips.count == 0) return;
  CountKernel{*count_}(items_of(session_, strips.count), *strips.matrices, strips.matrix_count,
                       strips.count, packed, chunk.rows(), list_count_, left_.get());
}

bool TileLists::place() {
  list_begin_.assign(std::size_t{list_count_} + 1, 0);
  tiles_ = 0;
  if (list_count_ > 0) {
    const cl::Buffer& offset = offset_.get();
    const std::size_t list_bytes = list_count_ * sizeof(cl_uint);
    PlaceKernel{*place_}(items_of(session_, list_count_), left_.get(), list_count_, place_count_,
                         offset);
    const auto counted = static_cast<cl_uint*>(counted_.reserve(session_, list_bytes));
    cl::Event is_read;
    session_.queue.enqueueReadBuffer(offset, CL_FALSE, place_count_ * list_bytes, list_bytes,
                                     counted, nullptr, &is_read);
    wait_for(is_read);
    std::copy_n(counted, list_count_, list_begin_.begin() + 1);
  }
  for (std::size_t list = 1; list < list_begin_.size(); ++list) {
    tiles_ += list_begin_[list];
    list_begin_[list] = static_cast<std::uint32_t>(tiles_);
  }
  const DeviceInfo& info = session_.info;
  if (!fits(tiles_ * kTileBytes, std::min({info.budget() / 100 * kTilePercent,
                                           info.largest_buffer / kUnitBytes * kTileBytes,
                                           UINT32_MAX * std::uint64_t{kTileBytes}}))) {
    return false;
  }
  begin_ = &sent_begin_.send(session_, std::span<const std::uint32_t>(list_begin_));
  const std::size_t room = std::max<std::size_t>(tiles_, 1);
  draft_.reserve(session_, room * sizeof(cl_uint));
  tile_.reserve(session_, room * sizeof(cl_uint));
  units_.reserve(session_, room * kUnitBytes);
  return true;
}

void TileLists::fill(std::size_t c, const MatrixChunk& chunk, const cl::Buffer& packed) {
  const Strips& strips = strips_[c];
  if (strips.count == 0) return;
  const cl::Buffer &offset = offset_.get(), &draft = draft_.get();
  NumberKernel{*number_}(items_of(session_, strips.count), *strips.matrices, strips.matrix_count,
                         strips.count, packed, chunk.rows(), list_count_, left_.get(), *begin_,
                         offset, draft);
  FillKernel{*fill_}(items_of(session_, strips.count), *strips.matrices, strips.matrix_count,
                     strips.count, packed, chunk.rows(), list_count_, *begin_, offset, draft,
                     tile(), units());
}

}  // namespace accord::ocl
