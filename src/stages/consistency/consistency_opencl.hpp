// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "engine/opencl/device_stage.hpp"
#include "engine/opencl/program.hpp"
#include "stages/consistency/cell_rows.hpp"
#include "stages/consistency/consistency_call.hpp"
#include "stages/consistency/consistency_plan.hpp"

namespace accord::ocl {

/// The kernels of the consistency stage.
std::vector<KernelChoice> consistency_kernels();

/// Rounds of the weighted consistency transform on one device (kernels/consistency/transform.cl).
///
/// The host sends matrices to the device in chunks: the matrices of the pairs of the batch, and the
/// matrices from which the cell rows are made. While the device works on one chunk, the host packs
/// the next chunk and delivers the results of the previous one. Matrices that become cell
/// rows stay on the device if there is room, for a small family also from round to round. Otherwise
/// they are sent once more to be transformed. If the cell rows of all sequences do not fit, the
/// batch is cut into quarters, which need fewer of them.
/// Cost    device memory: at most 70 % of the budget for cell rows, 15 % for chunks.
class ConsistencyStage : public DeviceStage {
 public:
  /// If all matrices take at most `single` bytes, they are one chunk. If they take more, a chunk
  /// has at most `most` bytes, so that the device and the host work at the same time.
  struct ChunkBytes {
    std::size_t single = std::size_t{64} << 20, most = std::size_t{32} << 20;
  };

  /// Prepares the stage on the device of `session`, which must outlive this object. run() builds
  /// the kernels and allocates the buffers when it first needs them.
  explicit ConsistencyStage(const Session& session) : ConsistencyStage(session, ChunkBytes{}) {}
  /// The same with other sizes of chunks, for tests.
  ConsistencyStage(const Session& session, ChunkBytes chunk_bytes);

  /// Computes the rounds of a ConsistencyCall.
  /// Throws  Error{out_of_memory} if the cell rows of one pair do not fit; cl::Error.
  void run(const StageCall& call) override;

 private:
  struct Round;
  /// Matrices in chunks. The device keeps the first `kept` chunks once it has them; it now has the
  /// first `on_device` chunks.
  struct Chunks {
    std::vector<MatrixChunk> all;
    std::size_t kept = 0, on_device = 0;
  };
  /// Called with the number of a chunk.
  using ChunkWork = std::function<void(std::size_t)>;
  /// Memory that the host and the device share: one chunk, and the result of another.
  struct Staging {
    StagingBuffer packed, transformed;
  };

  std::size_t room_for_chunks() const;
  std::vector<MatrixChunk> cut(const Round& round, std::span<const PairIndex> pairs,
                               std::size_t most_bytes) const;
  void transform_pairs(const Round& round, std::span<const std::size_t> pairs);
  bool transform_together(const Round& round, std::span<const std::size_t> pairs);
  void make_rows(const Round& round, Chunks& chunks, std::size_t count);
  void transform_chunks(const Round& round, Chunks& chunks, std::size_t others,
                        std::span<const std::size_t> pairs);
  void transform_before_last(const Round& last, Chunks& single,
                             std::span<const std::uint32_t> sequences);
  void stream(const PosteriorSet& set, Chunks& chunks, std::size_t count, const ChunkWork& compute,
              const ChunkWork& finish);
  void reserve(const Chunks& chunks, std::array<std::uint32_t*, 2>& packed_on_host);
  const cl::Buffer& packed(const Chunks& chunks, std::size_t c) const;
  void launch(const Round& round, const Chunks& chunks, std::size_t c, std::size_t others,
              std::uint16_t* transformed);

  const Session& session_;
  const ChunkBytes chunk_bytes_;
  LaunchPace pace_;
  std::optional<cl::Kernel> transform_, take_;
  CellRows rows_;
  std::vector<GrowingBuffer> packed_;  // of each chunk that stays, or one
  GrowingBuffer transformed_;
  SentBuffer weights_, pairs_;
  std::array<Staging, 2> staging_;  // one is with the device while the other is with the host
};

}  // namespace accord::ocl
