// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>

#include "core/pair_set.hpp"
#include "core/sequence_set.hpp"
#include "engine/progress_listener.hpp"
#include "engine/scheduler.hpp"
#include "models/models.hpp"
#include "stages/posteriors/posterior_call.hpp"

namespace accord {

/// The choice of the nucleotide pairs that are computed in pieces, and the sizes of the pieces.
struct PieceRule {
  double least_cells = 1e8;    ///< of a pair: 10,000 x 10,000 residues
  std::uint32_t piece = 1024;  ///< least residues between two seams in long stretches
  std::uint32_t flank = 256;   ///< residues by which a piece extends beyond such a seam
  std::uint32_t margin = 32;   ///< residues of a sure run, at either end, left to the next piece
  std::uint32_t sure = 256;    ///< least residues of a sure part; short runs may have fewer
};

/// The number of pairs that were computed in pieces, and the number of pieces.
struct PieceCount {
  std::size_t pairs = 0, pieces = 0;
};

/// Computes the posteriors of long pairs of similar nucleotide sequences in pieces. The number of
/// pieces grows with the length, and their cells are a small part of all cells.
///
/// The path of such a pair is cut at seams. A stretch that is surely aligned (sure_runs), except
/// for a margin, becomes a sure part: only its diagonal has a probability, .99 or .998. A stretch
/// between sure parts becomes a piece, or several pieces if it is long; the cuts are in the middle
/// of stretches that both sequences share (anchor_chain). A piece is computed with a flank on
/// either side, and gives the cells between its seams. A seam holds if the pieces beside it give
/// its two residues a posterior of at least kSureSeam: all paths that avoid the seam, and so all
/// cells outside the parts, are then together less probable than the smallest posterior that is
/// kept. A seam that does not hold is removed, and the parts beside it are computed again as one
/// piece.
///
/// A pair without seams, such as two dissimilar sequences, is not computed here.
///
/// Returns  the pairs of `wanted` that the caller still has to compute; nothing if these are all.
///          The matrices of the other pairs are passed to `sink`; `count` counts them and their
///          pieces.
/// Throws  what the scheduler and `sink` throw.
std::optional<PairSet> compute_in_pieces(const PosteriorFamily& family, const PairSet& wanted,
                                         Scheduler& scheduler, const PosteriorSink& sink,
                                         PieceCount& count, ProgressListener* progress = nullptr,
                                         const PieceRule& rule = {});

/// The number of sequences that are long enough for pieces in a pair with the longest sequence.
/// These are the first ones in canonical order.
std::size_t long_sequences(const SequenceSet& set, const PieceRule& rule = {});

/// The cells of the pieces in which a pair is first computed, as a share of all its cells; 1 if
/// there is only one piece.
/// Cost    that of anchor_chain().
double share_in_pieces(const SequenceSet& set, PairIndex pair, const PieceRule& rule = {});

/// The least posterior at which a seam holds. With the root mean square of two models, each model
/// is then at least .9899 sure, and cells beyond the seam have posteriors below .0072; posteriors
/// below .01 are not kept.
constexpr double kSureSeam = 0.995;

}  // namespace accord
