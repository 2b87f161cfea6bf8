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

/// The number of tiles that cover `length` residues.
constexpr std::uint32_t tiles_of(std::uint32_t length) {
  return length / ACCORD_TILE + (length % ACCORD_TILE != 0);
}

/// The kernels that make tile lists, in the order of their use.
std::vector<KernelChoice> tile_list_kernels();

/// The posterior cells of sequences x with the intermediates, on the device, as dense tiles. Tile
/// (I, K) has residues 8 I ... 8 I + 7 of x and residues 8 K ... 8 K + 7 of an intermediate z, z !=
/// x; tiles without cells are left out. The tiles of the same I form a list, sorted by (z, K). The
/// consistency transform adds the tiles in this order. The device makes the lists from packed cells
/// (kernels/consistency/tile_lists.cl). The caller makes these calls in this order: begin(),
/// count() for each chunk of matrices(), place(), fill() for each chunk.
/// Cost    136 bytes per tile; a tile has about 10 cells on the ridge of an uncertain pair, and 6
///         where the alignment is clear. 8 bytes for each 8 residues of x and each intermediate.
class TileLists {
 public:
  /// Makes lists on the device of `session`, which must outlive this object. There are no lists
  /// before begin().
  explicit TileLists(const Session& session) : session_(session) {}

  /// Begins the lists of `sequences` (increasing) with the intermediates of their pairs, and
  /// discards earlier lists. `set` and `weights` must live until the next begin(), or until
  /// the last call of this object.
  /// Returns  false if the counts of tiles do not fit the device; then call begin() with fewer
  ///          sequences.
  /// Throws  Error{out_of_memory} if a buffer exceeds the rest of the device's budget;
  ///         Error{device_failed} if a kernel cannot be compiled; cl::Error. count(), place() and
  ///         fill() throw the same.
  bool begin(const PosteriorSet& set, const ConsistencyWeights& weights,
             std::span<const std::uint32_t> sequences);

  /// The pairs whose matrices the lists are made from, sorted by y, then x.
  std::vector<PairIndex> matrices() const;

  /// Counts the tiles of chunk number `c`, from 0; `packed` has the cells of the chunk (see
  /// MatrixChunk::pack). The chunk may contain matrices that the lists do not need. Does not wait
  /// for the device; later commands of the queue may overwrite `packed`.
  void count(std::size_t c, const MatrixChunk& chunk, const cl::Buffer& packed);

  /// Computes the beginning of each list. Call it when all matrices are counted.
  /// Returns  false if the lists do not fit the device; then call begin() with fewer sequences.
  bool place();

  /// Adds the tiles of chunk `c` to their lists; the arguments are those of count(). Does not wait
  /// for the device; the caller waits before the next begin().
  void fill(std::size_t c, const MatrixChunk& chunk, const cl::Buffer& packed);

  /// The number of the first list of sequence x, and the number of its lists, after begin(); x must
  /// be one of the `sequences` of begin().
  std::uint32_t first_list(std::uint32_t x) const { return first_list_[x]; }
  std::uint32_t lists(std::uint32_t x) const { return tiles_of(set_->length(x)); }
  /// The number of tiles in the lists of x, and in all lists, after place().
  std::size_t tiles(std::uint32_t x) const {
    return list_begin_[first_list_[x] + lists(x)] - list_begin_[first_list_[x]];
  }
  std::size_t tiles() const { return tiles_; }

  // The buffers below exist after place(), and are valid until the next begin().

  /// Device buffer: the first tile of each list, and at the end the number of tiles.
  const cl::Buffer& list_begin() const { return *begin_; }
  /// Device buffer: (z, K) of each tile as one number. The tiles of residues of all intermediates
  /// have successive numbers, one intermediate after another.
  const cl::Buffer& tile() { return tile_.get(); }
  /// Device buffer: the cells of one tile after another, in units of 2^-16; S_xz(8 I + i, 8 K + k)
  /// is at [8 i + k] of its tile.
  const cl::Buffer& units() { return units_.get(); }

  /// After begin() or place() has returned false: the bytes that were needed, and the most that
  /// fit.
  std::uint64_t needed_bytes() const { return needed_bytes_; }
  std::uint64_t most_bytes() const { return most_bytes_; }

 private:
  /// The descriptions of the matrices of a chunk, for the device.
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
  std::vector<std::uint32_t> first_list_;  // by sequence; ACCORD_NONE if it has no list
  std::vector<std::uint32_t> place_of_;    // by sequence: index of the intermediate, or ACCORD_NONE
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
