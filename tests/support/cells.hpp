// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <vector>

#include "accord/core/sequence_set.hpp"
#include "accord/stages/backend.hpp"

namespace accord::testing {

/// Hands the unrounded cells of all pairs of a family, computed by a backend in one call, to
/// `sink`.
inline void compute_cells(Backend& backend, const SequenceSet& set, const accord_model& model,
                          const CellSink& sink, std::size_t most_task_bytes = SIZE_MAX) {
  const PosteriorModel with_tables{model, {}, {}};
  const PosteriorSink cells = sink;
  const std::vector<PairBlock> blocks = plan_pair_blocks(set.lengths());
  backend.compute(PosteriorCall{set.coded(), blocks, with_tables, cells, most_task_bytes});
}

}  // namespace accord::testing
