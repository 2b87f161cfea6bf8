// SPDX-License-Identifier: Apache-2.0
#pragma once
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
/// The term lists of the sequences of a batch are built on the host and kept on the device while
/// the cells of the pairs pass by in launches. If the lists of all sequences do not fit, the
/// sequences are cut into blocks, and two blocks at a time are on the device.
/// Cost    device memory: at most 60 % of the budget for lists, 15 % for cells.
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

  std::size_t most_terms() const;
  std::size_t most_cells() const;
  Round begin_round(const PosteriorSet& current, const RelaxBatch& batch,
                    std::span<const float> weights, const ConsistencyParams& params) const;
  std::vector<std::uint32_t> assign_blocks(const Round& round) const;
  Lists upload_lists(const Round& round, std::span<const std::uint32_t> sequences);
  void relax_pairs(const Round& round, const Lists& lists, std::span<const std::size_t> pairs,
                   std::vector<SparseMatrix>& results);
  void relax_chunk(const Round& round, const Lists& lists, const Chunk& chunk,
                   std::vector<SparseMatrix>& results);
  void write_cells(const Round& round, const Lists& lists, const Chunk& chunk,
                   const cl::Buffer& buffer) const;
  void launch(const Round& round, const Lists& lists, const Chunk& chunk, const cl::Buffer& cells);

  const Session& session_;
  LaunchPace pace_;
  std::optional<cl::Kernel> relax_;
  GrowingBuffer index_, value_, cells_;
};

}  // namespace accord::ocl
