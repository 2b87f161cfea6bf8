// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <vector>

#include "core/sequence_set.hpp"
#include "engine/backend.hpp"
#include "models/residue_contexts.hpp"
#include "stages/posteriors/posterior_call.hpp"

namespace accord::testing {

/// Hands the unrounded cells of all pairs of sequences, computed by a backend in one call, to
/// `sink`. The sequences are in canonical order, their codes as a kernel is to see them.
inline void compute_cells(Backend& backend, const CodedSequences& sequences,
                          const accord_model& model, const CellSink& sink,
                          std::size_t most_task_bytes = SIZE_MAX) {
  const PosteriorModel with_tables{model, {}, {}};
  const PosteriorSink cells = sink;
  const std::vector<PairBlock> blocks = plan_pair_blocks(sequences.lengths());
  backend.compute(PosteriorCall{sequences, blocks, with_tables, cells, most_task_bytes});
}

/// The residues of a family as a kernel sees them: those of proteins with their contexts.
inline CodedSequences with_contexts(const SequenceSet& set) {
  return set.type() == ResidueType::protein ? protein_contexts().add_to(set.coded()) : set.coded();
}

/// The cells of a family with the contexts of its residues.
inline void compute_cells(Backend& backend, const SequenceSet& set, const accord_model& model,
                          const CellSink& sink, std::size_t most_task_bytes = SIZE_MAX) {
  compute_cells(backend, with_contexts(set), model, sink, most_task_bytes);
}

}  // namespace accord::testing
