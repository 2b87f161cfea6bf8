// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>

#include "core/sparse_matrix.hpp"
#include "method/structures/structure_fit.hpp"
#include "models/models.hpp"

namespace accord {

/// How the places of two residues count. The log odds of residues at distance d, in nats, with d0
/// of the fit (StructureFit::scale), are
///
///   (log_odds + along (a - usual_along) + across (c - usual_across)) / (1 + (d / d0)^2)
///
/// with the cosines a and c of the angles between their backbone_directions(); without directions
/// the cosines are the usual ones. Where a CA is not known, the log odds are log_odds times the
/// posterior by letters. Chosen on 206 families of HOMSTRAD, see docs/track.md.
struct PlaceOdds {
  double log_odds = 4.5;
  double along = 1.5, usual_along = 0.8;
  double across = 1.5, usual_across = 0.6;
  double gap_open = -5.5;     ///< log weight of the first residue of a gap
  double gap_extend = -0.12;  ///< of each further one
};

/// The most cells of a pair whose posterior structure_posterior() computes.
inline constexpr std::size_t kMostStructureCells = std::size_t{1} << 22;
/// Bytes that the search or the posterior takes for each cell.
inline constexpr double kSuperposedCellBytes = 20;

/// The posterior of a pair (x, y) of a family whose structures lie upon each other as `fit` says.
/// Two residues match with the weight W = E T G: E T is the match weight of the pair-HMM for their
/// letters and their tracks, and G has the log odds of their places or, if a CA is not known, of
/// `letters`, the posterior of the pair without structures. Of all alignments with affine gaps and
/// free end gaps, in odds form,
///
///   X(i,j) = o M(i-1,j) + e X(i-1,j),  Y(i,j) = o M(i,j-1) + e Y(i,j-1)
///   M(i,j) = W(i,j) S(i-1,j-1),  S = M + X + Y,  S = 1 on the border
///
/// the posterior of a cell is M(i,j) times S of the reversed chains behind it, over the sum of all.
/// The values are doubles with an exact power of two for each row, so that all platforms give the
/// same bits. Cells below the cutoff of family.model are left out; its calibration maps the others.
/// Shape   length of x times length of y, at most kMostStructureCells
SparseMatrix structure_posterior(const PosteriorFamily& family, std::uint32_t x, std::uint32_t y,
                                 const StructureFit& fit, const SparseMatrix& letters,
                                 const PlaceOdds& model = {});

}  // namespace accord
