// SPDX-License-Identifier: Apache-2.0
#include "stages/consistency/cell_rows.hpp"

#include <algorithm>

#include "consistency/cell_rows.h"

namespace accord::ocl {
namespace {

static_assert(sizeof(accord_cell_matrix) == 28, "the kernel reads this layout");

/// Share of the memory budget for all buffers.
constexpr std::uint64_t kPercent = 70;

using MakeKernel = cl::KernelFunctor<cl::Buffer, cl::Buffer, cl_uint, cl::Buffer, cl::Buffer>;

/// The most places that cells in `rows` rows take, with those that fill blocks.
std::uint64_t most_places(std::uint64_t cells, std::uint64_t rows) {
  constexpr std::uint64_t kBlock = ACCORD_CELL_BLOCK;
  return (cells + (kBlock - 1) * rows + kBlock - 1) / kBlock * kBlock;
}

}  // namespace

KernelChoice cell_rows_kernel() {
  return {"consistency/cell_rows.cl", "make_cell_rows", "", ACCORD_CELL_ITEMS};
}

bool CellRows::begin(const PosteriorSet& set, const ConsistencyWeights& weights,
                     std::span<const std::uint32_t> sequences) {
  const std::size_t n = set.sequences();
  set_ = &set;
  weights_ = &weights;
  chunks_ = 0;
  intermediates_ = 0;
  place_of_.assign(n, ACCORD_NONE);
  for (const std::uint32_t z : weights.intermediates()) place_of_[z] = intermediates_++;
  number_of_.assign(n, ACCORD_NONE);
  std::uint32_t number = 0;
  for (const std::uint32_t x : sequences) number_of_[x] = number++;
  cells_of_.assign(n, 0);
  if (!place_matrices()) return false;

  std::vector<cl_uint2> first_row(sequences.size() * intermediates_,
                                  cl_uint2{{ACCORD_NONE, ACCORD_NONE}});
  for (std::size_t k = 0; k < matrices_.size(); ++k) {
    const auto [x, y] = matrices_[k];
    const Place& place = places_[k];
    const auto note = [&](std::uint32_t of, std::uint32_t z, std::uint32_t row,
                          std::uint32_t row_of_z) {
      if (!is_intermediate_of(of, z)) return;
      first_row[std::size_t{number_of_[of]} * intermediates_ + place_of_[z]] = {{row, row_of_z}};
    };
    note(x, y, place.row_of_x, place.row_of_y);
    note(y, x, place.row_of_y, place.row_of_x);
  }
  first_row_ = &sent_first_row_.send(session_, std::span<const cl_uint2>(first_row));
  if (!make_) make_ = build_kernel(session_, cell_rows_kernel());
  return true;
}

/// Whether z is an intermediate of x, one of the sequences.
bool CellRows::is_intermediate_of(std::uint32_t x, std::uint32_t z) const {
  return number_of_[x] != ACCORD_NONE && place_of_[z] != ACCORD_NONE &&
         weights_->allows_intermediate(x, z);
}

/// Finds the matrices that become cell rows, gives each its rows and cells, and reserves memory.
bool CellRows::place_matrices() {
  matrices_.clear();
  places_.clear();
  matrix_of_.assign(set_->pairs().size(), ACCORD_NONE);
  std::uint64_t rows = 0, cells = 0;
  for (std::uint32_t y = 1; y < set_->sequences(); ++y) {
    for (std::uint32_t x = 0; x < y; ++x) {
      if (!is_intermediate_of(x, y) && !is_intermediate_of(y, x)) continue;
      const std::size_t pair = set_->pairs().number(x, y);
      const SparseMatrix& matrix = (*set_)[pair];
      const std::size_t packed = matrix.packed().size();
      if (packed == 0) continue;
      matrix_of_[pair] = static_cast<std::uint32_t>(matrices_.size());
      matrices_.push_back({x, y});
      const std::uint64_t cells_of_x = most_places(packed, matrix.rows());
      places_.push_back(
          {static_cast<std::uint32_t>(rows), static_cast<std::uint32_t>(rows + matrix.rows() + 1),
           static_cast<std::uint32_t>(cells), static_cast<std::uint32_t>(cells + cells_of_x)});
      rows += std::uint64_t{matrix.rows()} + matrix.cols() + 2;
      cells += cells_of_x +
               most_places(packed + std::uint64_t{matrix.cols()} * accord_separators(matrix.rows()),
                           matrix.cols());
      if (is_intermediate_of(x, y)) cells_of_[x] += packed;
      if (is_intermediate_of(y, x)) cells_of_[y] += packed;
    }
  }
  std::size_t numbers = 0;
  for (const std::uint32_t number : number_of_) numbers += number != ACCORD_NONE;
  if (!fits(rows, cells, numbers * intermediates_)) return false;
  row_ends_ = rows;
  places_of_cells_ = cells;
  row_end_.reserve(session_, std::max<std::size_t>(rows, 1) * sizeof(cl_uint));
  const std::size_t room = std::max<std::size_t>(cells, 1);
  cells_.reserve(session_, room * sizeof(cl_uint));
  return true;
}

bool CellRows::fits(std::uint64_t rows, std::uint64_t cells, std::size_t numbers) {
  const DeviceInfo& info = session_.info;
  needed_bytes_ = rows * sizeof(cl_uint) + cells * sizeof(cl_uint) + numbers * sizeof(cl_uint2);
  // All numbers of cells have 32 bits. The largest buffer holds the columns, the rows or the table.
  most_bytes_ = info.budget() / 100 * kPercent;
  const std::uint64_t largest = std::max<std::uint64_t>(
      {rows * sizeof(cl_uint), cells * sizeof(cl_uint), numbers * sizeof(cl_uint2)});
  if (largest > info.largest_buffer || cells > UINT32_MAX || rows > UINT32_MAX) {
    most_bytes_ = std::min(most_bytes_, needed_bytes_ - 1);
  }
  return needed_bytes_ <= most_bytes_;
}

bool CellRows::has(PairIndex pair) const {
  return matrix_of_[set_->pairs().number(pair.x, pair.y)] != ACCORD_NONE;
}

double CellRows::cells_of_residue(std::uint32_t x) const {
  return static_cast<double>(cells_of_[x]) / std::max(1u, set_->length(x));
}

void CellRows::add(const MatrixChunk& chunk, const cl::Buffer& packed) {
  std::vector<accord_cell_matrix> matrices;
  for (std::size_t k = 0; k < chunk.pairs.size(); ++k) {
    const std::size_t pair = set_->pairs().number(chunk.pairs[k].x, chunk.pairs[k].y);
    if (matrix_of_[pair] == ACCORD_NONE) continue;
    const Place& place = places_[matrix_of_[pair]];
    const SparseMatrix& matrix = (*set_)[pair];
    matrices.push_back({chunk.first_row[k], matrix.rows(), matrix.cols(), place.row_of_x,
                        place.row_of_y, place.cell_of_x, place.cell_of_y});
  }
  if (matrices.empty()) return;
  if (sent_.size() <= chunks_) sent_.emplace_back();
  const cl::Buffer& sent =
      sent_[chunks_++].send(session_, std::span<const accord_cell_matrix>(matrices));
  MakeKernel{*make_}(
      cl::EnqueueArgs(session_.queue, cl::NDRange(matrices.size() * ACCORD_CELL_ITEMS),
                      cl::NDRange(ACCORD_CELL_ITEMS)),
      sent, packed, chunk.rows(), row_end(), cells());
}

}  // namespace accord::ocl
