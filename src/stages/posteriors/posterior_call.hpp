// SPDX-License-Identifier: Apache-2.0
// The calls of the posterior stage, which backends compute.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>

#include "core/sequence_set.hpp"
#include "core/sparse_matrix.hpp"
#include "engine/stage_request.hpp"
#include "models/models.hpp"
#include "stages/posteriors/expected_accuracy.hpp"
#include "stages/posteriors/posterior_plan.hpp"

namespace accord {

/// Receives the posteriors of each pair.
using PosteriorSink = PairSink<PairPosterior>;

/// Receives the x of a pair (x, y), and the number of cells of its dynamic programming that were
/// computed since the last report. A backend may report the cells of a pair in parts; deliver()
/// reports the rest. In all, these are length(x) * length(y) cells, or more after an Error. An
/// exception from this function ends the call.
using CellCounter = std::function<void(std::uint32_t x, std::uint64_t cells)>;

/// Computes posteriors of pairs of sequences. `sequences` has the sequences of one family, or of
/// several families one after another. `blocks` has the pairs, as indices of `sequences`; the
/// backend divides the blocks into tasks.
struct PosteriorCall {
  static const Stage stage;
  /// Units   cells of the dynamic programming. A first batch is a fraction of a second on one CPU.
  static constexpr SharePolicy policy{3e7, 0.05, 0.5, true, 1 << 16};

  const CodedSequences& sequences;
  std::span<const PairBlock> blocks;
  const PosteriorModel& model;
  const PosteriorSink& sink;
  /// Tasks are cut into bands so that they take no more working memory than this, or than the
  /// backend's own limit. The results are the same bits.
  std::size_t most_task_bytes = SIZE_MAX;
  const CellCounter* listener = nullptr;  ///< may be null

  /// Hands the posteriors of a pair to the sink, and the cells of the dynamic programming that were
  /// not `reported` yet to the listener. A backend calls it once for each pair.
  void deliver(std::uint32_t x, std::uint32_t y, PairPosterior pair,
               std::uint64_t reported = 0) const;

  /// The matrix of a pair. `cells`: its cells with a probability of at least the cutoff, in any
  /// order.
  SparseMatrix matrix_of(std::uint32_t x, std::uint32_t y,
                         std::span<const PosteriorCell> cells) const;

  /// The number of cells of the dynamic programming of a pair.
  std::uint64_t cells_of(std::uint32_t x, std::uint32_t y) const {
    return std::uint64_t{sequences.length(x)} * sequences.length(y);
  }

  /// Compares the matrices of made-up families, in one band and in several, with those of the
  /// reference. The families have full and partly filled tiles, lanes and work-groups, repeats,
  /// unknown residues, and sequences of one residue.
  /// Returns  an empty text if all bytes agree, else the place of the first difference.
  static std::string self_test(Backend& tested, Backend& reference);
};

}  // namespace accord
