// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>
#include <span>
#include <vector>

#include "core/posterior_set.hpp"
#include "engine/opencl/program.hpp"
#include "stages/consistency/consistency_plan.hpp"
#include "stages/consistency/consistency_weights.hpp"

namespace accord::ocl {

/// The kernel that makes cell rows.
KernelChoice cell_rows_kernel();

/// The posterior cells of sequences x with the intermediates z, on the device, as cell rows
/// (kernels/consistency/cell_rows.cl): for each x and z the rows of x with columns of z, and the
/// rows of z with columns of x. begin() reserves memory; add() makes the cell rows of a chunk of
/// matrices() from packed cells.
/// Cost    8 bytes per cell of a matrix, and at most 16 bytes per row and per column.
class CellRows {
 public:
  explicit CellRows(const Session& session) : session_(session) {}

  /// Begins the cell rows of `sequences` (increasing) with the intermediates of their pairs, and
  /// discards earlier ones. `set` and `weights` must live until the last add().
  /// Returns  false if the cell rows do not fit the device; then call begin() with fewer sequences.
  /// Throws  as allocate() and build_kernel(); cl::Error. add() throws the same.
  bool begin(const PosteriorSet& set, const ConsistencyWeights& weights,
             std::span<const std::uint32_t> sequences);

  /// The pairs whose matrices become cell rows, sorted by y, then x. Valid until the next begin().
  const std::vector<PairIndex>& matrices() const { return matrices_; }

  /// Whether the matrix of a pair becomes cell rows.
  bool has(PairIndex pair) const;

  /// Makes the cell rows of a chunk whose cells are in `packed`. The chunk may contain other
  /// matrices, too. Does not wait for the device; later commands of the queue may overwrite
  /// `packed`. The caller waits for the device before the next begin().
  void add(const MatrixChunk& chunk, const cl::Buffer& packed);

  /// The number of sequence x among the sequences of begin().
  std::uint32_t number(std::uint32_t x) const { return number_of_[x]; }
  /// The number of intermediates.
  std::uint32_t intermediates() const { return intermediates_; }
  /// The mean number of cells of a residue of x, one of the sequences, with all intermediates.
  double cells_of_residue(std::uint32_t x) const;

  /// Device buffer, two numbers for each sequence and intermediate z: the cell row of residue 0 of
  /// the sequence with z, and of residue 0 of z with the sequence; ACCORD_NONE if there are no
  /// cells, or if z is no intermediate of the sequence.
  const cl::Buffer& first_row() const { return *first_row_; }
  /// Device buffer: the end of each cell row, see kernels/consistency/cell_rows.cl.
  const cl::Buffer& row_end() { return row_end_.get(); }
  /// Device buffer: the cells of all cell rows.
  const cl::Buffer& cells() { return cells_.get(); }
  /// The numbers of elements of row_end() and of cells() that are in use.
  std::size_t row_ends() const { return row_ends_; }
  std::size_t places() const { return places_of_cells_; }

  /// After begin() has returned false: the bytes that were needed, and the most that fit.
  std::uint64_t needed_bytes() const { return needed_bytes_; }
  std::uint64_t most_bytes() const { return most_bytes_; }

 private:
  /// The numbers of the first cell rows of x and y of a matrix, and the places of their first
  /// cells.
  struct Place {
    std::uint32_t row_of_x, row_of_y, cell_of_x, cell_of_y;
  };

  bool is_intermediate_of(std::uint32_t x, std::uint32_t z) const;
  bool place_matrices();
  bool fits(std::uint64_t rows, std::uint64_t cells, std::size_t numbers);

  const Session& session_;
  std::optional<cl::Kernel> make_;
  const PosteriorSet* set_ = nullptr;
  const ConsistencyWeights* weights_ = nullptr;
  std::vector<std::uint32_t> number_of_;  // by sequence; ACCORD_NONE if it has no cell rows
  std::vector<std::uint32_t> place_of_;   // by sequence: index of the intermediate, or ACCORD_NONE
  std::vector<std::uint64_t> cells_of_;   // by sequence: its cells with all intermediates
  std::uint32_t intermediates_ = 0;
  std::vector<PairIndex> matrices_;
  std::vector<Place> places_;             // of matrices_
  std::vector<std::uint32_t> matrix_of_;  // by number of a pair: index in matrices_, or ACCORD_NONE
  std::size_t row_ends_ = 0, places_of_cells_ = 0;
  std::uint64_t needed_bytes_ = 0, most_bytes_ = 0;
  std::deque<SentBuffer> sent_;  // the descriptions of the matrices of each chunk
  std::size_t chunks_ = 0;
  SentBuffer sent_first_row_;
  const cl::Buffer* first_row_ = nullptr;
  GrowingBuffer row_end_, cells_;
};

}  // namespace accord::ocl
