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

/// Decides which nucleotide pairs are computed in pieces, and the sizes of their parts; see
/// compute_in_pieces().
struct PieceRule {
  double least_cells = 1e8;    ///< least cells of such a pair: 10,000 x 10,000 residues
  std::uint32_t piece = 1024;  ///< least residues between two cuts of a long unsure stretch
  std::uint32_t flank = 256;   ///< residues by which a piece extends beyond such a cut
  std::uint32_t margin = 32;   ///< residues at each end of a sure run that go to the piece there
  std::uint32_t sure = 256;    ///< least residues of a sure part; short runs may have fewer
};

/// The number of pairs that were computed in pieces, and the number of pieces.
struct PieceCount {
  std::size_t pairs = 0, pieces = 0;
};

/// Computes the posteriors of long pairs of similar nucleotide sequences in pieces. The number of
/// pieces grows with the length, and their cells are a small part of all cells.
///
/// The path of such a pair is divided at cuts. A stretch that is surely aligned (sure_runs), except
/// for a margin, becomes a sure part: only its diagonal has a probability, .99 or .998. A stretch
/// between sure parts becomes a piece, or several pieces if it is long; the cuts are in the middle
/// of stretches that both sequences share (anchor_chain). A piece is computed with a flank on
/// either side, and gives the cells between its cuts. A cut holds if the pieces beside the cut
/// give the two residues at the cut a posterior of at least kSureCut. All paths that avoid the
/// cut are then together less probable than the smallest posterior that is kept, so no cell
/// outside the parts is missed. If a cut does not hold, the function removes it and computes the
/// parts beside it again as one piece.
///
/// A pair without cuts, such as two dissimilar sequences, is not computed here.
///
/// Returns  the pairs of `wanted` that the caller still has to compute. No value means that the
///          function has computed no pair, so that the caller has to compute all of `wanted`. The
///          matrices of the computed pairs are passed to `sink`; their number and that of their
///          pieces are added to `count`. `progress` may be null.
/// Throws  what the scheduler and `sink` throw.
std::optional<PairSet> compute_in_pieces(const PosteriorFamily& family, const PairSet& wanted,
                                         Scheduler& scheduler, const PosteriorSink& sink,
                                         PieceCount& count, ProgressListener* progress = nullptr,
                                         const PieceRule& rule = {});

/// The number of sequences that are long enough to be computed in pieces when they are paired with
/// the longest sequence; 0 for proteins. They are the first sequences in canonical order.
std::size_t long_sequences(const SequenceSet& set, const PieceRule& rule = {});

/// The cells of the pieces into which a pair is first cut, flanks included, as a share of all cells
/// of the pair; 1 if the pair is a single piece. Neither sequence of the pair may be empty.
/// Cost    that of anchor_chain().
double share_in_pieces(const SequenceSet& set, PairIndex pair, const PieceRule& rule = {});

/// The least posterior at which a cut holds. With the root mean square of two models, each model
/// is then at least .9899 sure, and cells beyond the cut have posteriors below .0072; posteriors
/// below .01 are not kept.
constexpr double kSureCut = 0.995;

}  // namespace accord
