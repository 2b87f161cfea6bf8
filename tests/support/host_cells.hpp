// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <bit>
#include <cstddef>
#include <vector>

#include "core/sequence_set.hpp"
#include "engine/host/host_backend.hpp"
#include "models/residue_contexts.hpp"
#include "stages/posteriors/posterior_plan.hpp"
#include "support/lanes_runner.hpp"

namespace accord::testing {

/// The residues of a family as a kernel sees them: those of proteins with their contexts.
inline CodedSequences with_contexts(const SequenceSet& set) {
  return set.type() == ResidueType::protein ? protein_contexts().add_to(set.coded()) : set.coded();
}

/// The cells of all pairs whose probability is at least the cutoff, unrounded and by row, then
/// column: those of (x, y) at place y (y - 1) / 2 + x. The tasks and kernels are those of the host
/// backend. The sequences are in canonical order, their codes as a kernel is to see them.
inline std::vector<std::vector<PosteriorCell>> host_cells(const CodedSequences& sequences,
                                                          const accord_model& model) {
  const HostBackend host;
  const host::Processor& processor = host.processor();
  const std::vector<std::uint32_t> lengths = sequences.lengths();
  const auto codes_of = [&](std::uint32_t x) {
    return Codes(sequences.codes(x).begin(), sequences.codes(x).end());
  };
  std::vector<std::vector<PosteriorCell>> cells(lengths.size() * (lengths.size() - 1) / 2);
  for (const PairTask& task :
       plan_pair_tasks(lengths, plan_pair_blocks(lengths), host::task_limits(processor))) {
    const bool is_narrow = processor.narrow && task.lanes == processor.narrow->lanes;
    const host::PosteriorKernels& kernels =
        *(is_narrow ? processor.narrow : processor.wide)->posteriors;
    std::vector<Codes> xs;
    for (std::uint32_t k = 0; k < task.count; ++k) xs.push_back(codes_of(task.first_x + k));
    const std::vector<std::vector<CellBits>> found =
        run_posterior_task(task.is_wavefront ? kernels.run_wavefront : kernels.run_lanes, xs,
                           codes_of(task.y), model, task.band_columns, task.work_bytes);
    for (std::uint32_t k = 0; k < task.count; ++k) {
      for (const auto& [row, column, bits] : found[k]) {
        cells[std::size_t{task.y} * (task.y - 1) / 2 + task.first_x + k].push_back(
            {row, column, std::bit_cast<float>(bits)});
      }
    }
  }
  return cells;
}

}  // namespace accord::testing
