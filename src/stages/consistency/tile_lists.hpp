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
#include "stages/consistency/consistency_launch.hpp"
#include "stages/consistency/consistency_plan.hpp"
#include "stages/consistency/consistency_weights.hpp"

namespace accord::ocl {

/// Number of tiles that `length` residues take.
constexpr std::uint32_t tiles_of(std::uint32_t length) {
  return length / ACCORD_TILE + (length % ACCORD_TILE != 0);
}

/// The kernels that make tile lists, in the order of their use.
std::vector<KernelChoice> tile_list_kernels();

/// The posterior cells of sequences x against the intermediates, on the device: dense tiles of 8
/// residues of x and 8 of an intermediate z, z != x, that have cells. The tiles of the same
/// residues of x form a list in the order in which the consistency transform adds them: by (z, K).
/// The device makes them from packed cells (kernels/consistency/tile_lists.cl): begin(), count()
/// for each chunk of matrices(), place(), fill() for the same chunks.
/// Cost    136 bytes per tile; a tile has about 10 cells on the ridge of an uncertain pair, and 6
///         where the alignment is clear. 8 bytes for each 8 residues of x and each intermediate.
class TileLists {
 public:
  explicit TileLists(const Session& session) : session_(session) {}

  /// Begins the lists of `sequences`, increasing, against the intermediates that each of them may
  /// go through, and discards those before. `set` and `weights` must outlive their making.
  /// Returns  false if the counts do not fit the device; begin() others then.
  /// Throws  those of allocate(), build_kernel() and OpenCL, here and below.
  bool begin(const PosteriorSet& set, const ConsistencyWeights& weights,
             std::span<const std::uint32_t> sequences);

  /// The matrices that the lists are made of, by y and x.
  std::vector<PairIndex> matrices() const;

  /// Counts the tiles of chunk number `c`, whose cells are in `packed`; it may contain matrices
  /// that the lists do not need. Does not wait for the device; later commands may use `packed`
  /// again.
  void count(std::size_t c, const MatrixChunk& chunk, const cl::Buffer& packed);

  /// Sets the beginning of each list, when all matrices are counted.
  /// Returns  false if the lists do not fit the device; begin() others then.
  bool place();

  /// Adds the tiles of a counted chunk to their lists. Does not wait for the device; the caller
  /// waits before the next begin().
  void fill(std::size_t c, const MatrixChunk& chunk, const cl::Buffer& packed);

  /// The lists of sequence x: the number of the first, and how many there are.
  std::uint32_t first_list(std::uint32_t x) const { return first_list_[x]; }
  std::uint32_t lists(std::uint32_t x) const { return tiles_of(set_->length(x)); }
  /// Tiles of all lists of x, and of all lists, when they are placed.
  std::size_t tiles(std::uint32_t x) const {
    return list_begin_[first_list_[x] + lists(x)] - list_begin_[first_list_[x]];
  }
  std::size_t tiles() const { return tiles_; }

  /// On the device: the first tile of each list, and the number of tiles.
  const cl::Buffer& list_begin() const { return *begin_; }
  /// (z, K) of each tile, tiles counted through all intermediates.
  const cl::Buffer& tile() { return tile_.get(); }
  /// The cells of one tile after another, S_xz(8 I + i, 8 K + k) at [8 i + k] of its tile, in units
  /// of 2^-16.
  const cl::Buffer& units() { return units_.get(); }

  /// After begin() or place() returned false: the bytes that did not fit, and those that would.
  std::uint64_t needed_bytes() const { return needed_bytes_; }
  std::uint64_t most_bytes() const { return most_bytes_; }

 private:
  /// What the device gets about the matrices of a chunk.
  struct Strips {
    SentBuffer sent;
    const cl::Buffer* matrices = nullptr;
    std::uint32_t matrix_count = 0, count = 0;
  };

  bool fits(std::uint64_t needed_bytes, std::uint64_t most_bytes);
  bool has_list(std::uint32_t x, std::uint32_t z) const;
  bool is_needed(std::uint32_t x, std::uint32_t y) const;
  void send_strips(const MatrixChunk& chunk, Strips& strips);
  void build_kernels();

  const Session& session_;
  std::optional<cl::Kernel> clear_, count_, place_, number_, fill_;
  const PosteriorSet* set_ = nullptr;
  const ConsistencyWeights* weights_ = nullptr;
  std::vector<std::uint32_t> first_list_;  // by sequence; ACCORD_NONE if it has none
  std::vector<std::uint32_t> place_of_;    // by sequence: which intermediate; ACCORD_NONE if none
  std::vector<std::uint32_t> first_tile_;  // by sequence, counted through all intermediates
  std::uint32_t list_count_ = 0, place_count_ = 0;
  std::vector<std::uint32_t> list_begin_;
  std::size_t tiles_ = 0;
  std::uint64_t needed_bytes_ = 0, most_bytes_ = 0;
  std::deque<Strips> strips_;  // of each chunk
  SentBuffer sent_begin_;
  const cl::Buffer* begin_ = nullptr;
  StagingBuffer counted_;
  GrowingBuffer left_, offset_, draft_, tile_, units_;
};

}  // namespace accord::ocl
