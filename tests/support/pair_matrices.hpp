// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <doctest/doctest.h>

#include <cstddef>
#include <mutex>
#include <utility>
#include <vector>

#include "core/sequence_set.hpp"
#include "engine/backend.hpp"
#include "stages/posteriors/posterior_call.hpp"

namespace accord::testing {

/// The posterior matrices of all pairs of sequences, computed by a backend in one call: that of
/// (x, y) at place y (y - 1) / 2 + x; those of pairs with an empty sequence have no rows. Checks
/// that no pair comes twice. The sequences are in canonical order, their codes as a kernel is to
/// see them.
inline std::vector<SparseMatrix> pair_matrices(Backend& backend, const CodedSequences& sequences,
                                               const PosteriorModel& model,
                                               std::size_t most_task_bytes = SIZE_MAX) {
  const std::size_t n = sequences.size();
  std::vector<SparseMatrix> matrices(n * (n - (n > 0)) / 2);
  std::mutex mutex;
  const PosteriorSink keep = [&](std::uint32_t x, std::uint32_t y, PairPosterior pair) {
    const std::lock_guard lock(mutex);
    SparseMatrix& matrix = matrices[std::size_t{y} * (y - 1) / 2 + x];
    CHECK_MESSAGE(matrix == SparseMatrix(), "pair ", x, ", ", y, " was delivered twice");
    matrix = std::move(pair.matrix);
  };
  const std::vector<PairBlock> blocks = plan_pair_blocks(sequences.lengths());
  backend.compute(PosteriorCall{sequences, blocks, model, keep, most_task_bytes});
  return matrices;
}

}  // namespace accord::testing
