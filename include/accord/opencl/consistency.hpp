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
std::vector<KernelChoice> consistency_kernels();

/// One round of the weighted consistency transform on one device (kernels/consistency.cl).
///
/// The tile lists of the sequences of a batch are built on the host, one sequence at a time, and
/// kept on the device while the cells of the pairs pass by in chunks: while the device works on
/// one, the host packs the next and rebuilds the matrices of the one before. If the lists of all
/// sequences do not fit, the sequences are cut into blocks, and two blocks at a time are on the
/// device.
/// Cost    device memory: at most 60 % of the budget for lists, 15 % for a chunk.
class ConsistencyStage {
 public:
  explicit ConsistencyStage(const Session& session);

  /// See Backend::relax.
  /// Errors  Error{out_of_memory} if the lists of one pair do not fit; cl::Error.
  void run(const PosteriorSet& current, const RelaxBatch& batch, const RelaxWeights& weights,
           float cutoff, const RelaxSink& sink);

 private:
  struct Round;
  struct Lists;
  struct Chunk;
  /// Memory that the host and the device hand to each other: a chunk, and what came of another.
  struct Staging {
    StagingBuffer packed, relaxed;
  };

  std::size_t most_list_tiles() const;
  std::size_t most_chunk_bytes() const;
  Round begin_round(const PosteriorSet& current, const RelaxBatch& batch,
                    const RelaxWeights& weights, float cutoff) const;
  std::vector<std::uint32_t> assign_blocks(const Round& round) const;
  Lists upload_lists(const Round& round, std::span<const std::uint32_t> sequences);
  std::vector<Chunk> cut_chunks(const Round& round, std::span<const std::size_t> pairs) const;
  void relax_pairs(const Round& round, const Lists& lists, std::span<const std::size_t> pairs,
                   const RelaxSink& sink);
  void relax_chunk(const Round& round, const Lists& lists, const Chunk& chunk,
                   const std::uint32_t* packed, std::uint16_t* relaxed);
  void launch(const Round& round, const Lists& lists, const Chunk& chunk);

  const Session& session_;
  LaunchPace pace_;
  std::optional<cl::Kernel> relax_;
  GrowingBuffer list_tile_, list_units_, packed_, relaxed_;
  std::array<Staging, 2> staging_;  // one is with the device while the other is with the host
};

}  // namespace accord::ocl
