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

/// The pairs of nucleotide sequences that are computed in pieces, and the sizes of the pieces.
struct PieceRule {
  double least_cells = 1e8;    ///< of the pair: 10,000 x 10,000 residues
  std::uint32_t piece = 1024;  ///< residues of each between two seams in an anchor, at least
  std::uint32_t flank = 256;   ///< beyond these seams, which a piece has as well
  std::uint32_t margin = 32;   ///< of a sure run that is left to the pieces beside, and their flank
  std::uint32_t sure = 256;    ///< residues of a sure part, at least, but for short runs
};

/// The number of pairs that were computed in pieces, and of the pieces.
struct PieceCount {
  std::size_t pairs = 0, pieces = 0;
};

/// Computes the posteriors of long pairs of similar nucleotide sequences in pieces. The number of
/// pieces grows with the length, and their cells are a small part of all.
///
/// The path of such a pair is cut at seams. What is surely aligned (sure_runs), but for a margin,
/// makes sure parts: only their diagonal has a probability, .99 or .998. What is between them is a
/// piece, or several if it is long: these are cut in the middle of stretches that both sequences
/// share (anchor_chain). A piece has a flank on either side, and determines the cells between its
/// seams. A seam holds if the pieces beside it give its two residues a posterior of at least
/// kSureSeam: the paths that avoid it, and with them all cells that no part has, are then together
/// less probable than the least posterior that is kept. If a seam does not hold, it is removed, and
/// the parts beside it are computed again as one piece.
///
/// A pair without any seam, such as two sequences that are not alike, is left to be computed as a
/// whole.
///
/// Returns  the pairs of `wanted` that are not of this kind, and are still to be computed; nothing
///         if these are all. The matrices of the others were handed to `sink`, and are counted.
/// Throws  what the scheduler and `sink` throw.
std::optional<PairSet> compute_in_pieces(const PosteriorFamily& family, const PairSet& wanted,
                                         Scheduler& scheduler, const PosteriorSink& sink,
                                         PieceCount& count, ProgressListener* progress = nullptr,
                                         const PieceRule& rule = {});

/// The number of sequences that a pair with the longest one makes long enough to be computed in
/// pieces: the first ones in canonical order.
std::size_t long_sequences(const SequenceSet& set, const PieceRule& rule = {});

/// The cells of the pieces that such a pair is computed in at first, as a share of all; 1 if there
/// is but one piece.
/// Cost    that of anchor_chain().
double share_in_pieces(const SequenceSet& set, PairIndex pair, const PieceRule& rule = {});

/// With the root mean square of two models, each of which is then at least .9899 sure, what the
/// seam cuts off has a posterior below .0072; less than .01 is not kept.
constexpr double kSureSeam = 0.995;

}  // namespace accord
