// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "accord/core/backend.hpp"
#include "accord/opencl/program.hpp"

namespace accord::ocl {

/// The kernels of the consistency stage.
std::vector<KernelChoice> consistency_kernels(const DeviceInfo& device);

/// One round of the weighted consistency transform on one device (kernels/consistency.cl).
///
/// The tile lists of the sequences of a batch are built on the host, one sequence at a time, and
/// kept on the device while the tiles of the pairs pass by in launches. If the lists of all
/// sequences do not fit, the sequences are cut into blocks, and two blocks at a time are on the
/// device.
/// Cost    device memory: at most 60 % of the budget for lists, 15 % for the tiles of a launch.
class ConsistencyStage {
 public:
  explicit ConsistencyStage(const Session& session);

  /// See Backend::relax.
  /// Errors  Error{out_of_memory} if the lists of one pair do not fit; cl::Error.
  std::vector<SparseMatrix> run(const PosteriorSet& current, const RelaxBatch& batch,
                                std::span<const float> weights, const ConsistencyParams& params);

 private:
  struct Round;
  struct Lists;
  struct Chunk;

  std::size_t most_list_tiles() const;
  std::size_t most_chunk_tiles() const;
  Round begin_round(const PosteriorSet& current, const RelaxBatch& batch,
                    std::span<const float> weights, const ConsistencyParams& params) const;
  std::vector<std::uint32_t> assign_blocks(const Round& round) const;
  Lists upload_lists(const Round& round, std::span<const std::uint32_t> sequences);
  void relax_pairs(const Round& round, const Lists& lists, std::span<const std::size_t> pairs,
                   std::vector<SparseMatrix>& results);
  std::span<const cl_ushort> relax_chunk(const Round& round, const Lists& lists,
                                         const Chunk& chunk, StagingBuffer& staging);
  void write_tasks(const Round& round, const Lists& lists, const Chunk& chunk);
  void launch(const Round& round, const Lists& lists, const Chunk& chunk);

  const Session& session_;
  LaunchPace pace_;
  std::optional<cl::Kernel> relax_;
  GrowingBuffer list_tile_, list_units_, tasks_, relaxed_;
  std::array<StagingBuffer, 2> staging_;  // one is filled while the other is read
};

}  // namespace accord::ocl
