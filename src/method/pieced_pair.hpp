// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/pair_set.hpp"
#include "core/sequence_set.hpp"
#include "core/sparse_matrix.hpp"
#include "method/anchors.hpp"
#include "method/pieces.hpp"
#include "stages/posteriors/expected_accuracy.hpp"

namespace accord {

/// A place in both sequences of a pair, with how far a piece reaches beyond it.
struct Seam {
  std::uint32_t x = 0, y = 0;
  std::uint32_t flank = 0;
};

/// Part of both sequences: from the first place to before the second.
struct Extent {
  Seam first, last;
};

/// A pair of sequences, cut at seams into parts: sure ones, in which only the diagonal has a
/// probability, .998 of equal bases and .99 of others, and pieces, whose posteriors are to be
/// computed. See compute_in_pieces().
class PiecedPair {
 public:
  /// `chain`: the anchor_chain() of the two. The set must outlive this.
  PiecedPair(const SequenceSet& set, PairIndex pair, std::span<const Anchor> chain,
             const PieceRule& rule);

  PairIndex pair() const noexcept { return pair_; }
  /// Parts of either kind: 1 if there is no seam.
  std::size_t parts() const noexcept { return parts_.size(); }
  /// Whether the posteriors of a part are still to be computed.
  bool is_wanted(std::size_t k) const { return !parts_[k].is_sure && !parts_[k].matrix; }
  /// The posteriors of a piece, of all of its extent().
  void set_piece(std::size_t k, SparseMatrix matrix) { parts_[k].matrix = std::move(matrix); }

  /// A piece with its flanks.
  Extent extent(std::size_t k) const;

  /// Gives up the seams that do not hold, all pieces being known, and `reach` others on either side
  /// of each. What was parts then is a piece, to be computed.
  void check_seams(std::size_t reach);

  /// The number of pieces, and their cells with flanks.
  std::size_t pieces() const;
  double cells() const;

  /// The posteriors of the pair, all pieces being known.
  PairPosterior posterior() const;

 private:
  struct Part {
    bool is_sure = false;
    std::optional<SparseMatrix> matrix = {};
  };
  /// The part between two seams of a piece.
  SparseMatrix between_seams(std::size_t k) const;
  bool holds(std::size_t seam) const;

  PairIndex pair_;
  std::span<const std::uint8_t> x_, y_;
  std::uint32_t m_, n_;
  std::vector<Seam> seams_;  // the ends of both sequences included
  std::vector<Part> parts_;  // between two seams each
};

}  // namespace accord
