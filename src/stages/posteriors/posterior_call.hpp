// SPDX-License-Identifier: Apache-2.0
// The stage of the posteriors: what backends get.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "core/sequence_set.hpp"
#include "core/sparse_matrix.hpp"
#include "engine/pair_sink.hpp"
#include "engine/stage_request.hpp"
#include "models/models.hpp"
#include "stages/posteriors/expected_accuracy.hpp"
#include "stages/posteriors/posterior_plan.hpp"

namespace accord {

/// The posteriors of each pair.
using MatrixSink = PairSink<PairPosterior>;

/// The cells of each pair whose probability is at least the cutoff, in any order and unrounded: the
/// bits of the arithmetic, for tests and measurements.
using CellSink = PairSink<std::span<const PosteriorCell>>;

using PosteriorSink = std::variant<MatrixSink, CellSink>;

/// The number of newly computed cells of the dynamic programming of a pair. A backend reports the
/// cells of a pair in parts if it can, and the rest with the pair: length(x) * length(y) in all,
/// more after an Error. An exception that it throws ends the call.
using CellCounter = PairSink<std::uint64_t>;

/// Posteriors of pairs of sequences of one family, or of several, one behind the other. The
/// backend cuts the blocks into the tasks that suit it.
struct PosteriorCall {
  static constexpr BackendStage stage = BackendStage::posteriors;
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

  /// For a backend that has the cells of a pair in any order: hands them, or their matrix, over,
  /// and tells the listener of the cells that it was not `told` of.
  void deliver(std::uint32_t x, std::uint32_t y, std::span<const PosteriorCell> cells,
               std::uint64_t told = 0) const;

  /// For a backend that makes matrices, the same as Calibration::matrix(); the sink must take them.
  void deliver(std::uint32_t x, std::uint32_t y, PairPosterior pair) const;

  /// Cells of the dynamic programming of a pair.
  std::uint64_t cells_of(std::uint32_t x, std::uint32_t y) const {
    return std::uint64_t{sequences.length(x)} * sequences.length(y);
  }

  /// Compares a made-up family, in one band and in several, with the reference bit by bit, cells
  /// and matrices: tiles, lanes and work-groups that are full and that are not, repeats, unknown
  /// residues, sequences of one residue. Returns  nothing if all bits agree, else where the first
  /// difference is.
  static std::string self_test(Backend& tested, Backend& reference);
};

}  // namespace accord
