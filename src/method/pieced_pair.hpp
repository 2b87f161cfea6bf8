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

/// A cut: residue x of one sequence and residue y of the other, before which a pair is divided. A
/// piece extends beyond the cut by `flank` residues.
struct PairCut {
  std::uint32_t x = 0, y = 0;
  std::uint32_t flank = 0;
};

/// A part of both sequences: residues first.x to last.x - 1 of one, and first.y to last.y - 1 of
/// the other.
struct Extent {
  PairCut first, last;
};

/// A pair of sequences, divided at cuts into parts. A part is sure, or it is a piece. In a sure
/// part, only the cells of the diagonal have a posterior: .998 for equal bases and .99 for others.
/// The posteriors of a piece are computed. See compute_in_pieces().
class PiecedPair {
 public:
  /// Cuts the pair; no piece has posteriors yet. `chain`: the anchor_chain() of the pair. The set
  /// must outlive this object.
  PiecedPair(const SequenceSet& set, PairIndex pair, std::span<const Anchor> chain,
             const PieceRule& rule);

  PairIndex pair() const noexcept { return pair_; }
  /// The number of parts of both kinds: 1 if there is no cut.
  std::size_t parts() const noexcept { return parts_.size(); }
  /// Whether part k is a piece whose posteriors are not yet computed.
  bool is_wanted(std::size_t k) const { return !parts_[k].is_sure && !parts_[k].matrix; }
  /// Sets the posteriors of piece k, for all of its extent(): row and column 0 are the first
  /// residues of the extent.
  void set_piece(std::size_t k, SparseMatrix matrix) { parts_[k].matrix = std::move(matrix); }

  /// The extent of piece k (an index among all parts), including its flanks.
  Extent extent(std::size_t k) const;

  /// Removes the cuts that do not hold, and `reach` further cuts on either side of each. A cut
  /// holds if the pieces beside it give its two residues a posterior of at least kSureCut
  /// (pieces.hpp). The parts beside a removed cut become one piece, whose posteriors the caller
  /// must compute; the numbers of the parts behind it change. All pieces must have posteriors
  /// before the call.
  void check_cuts(std::size_t reach);

  /// The number of pieces, and the number of their cells, including flanks.
  std::size_t pieces() const;
  double cells() const;

  /// The posteriors of the pair. All pieces must have posteriors.
  PairPosterior posterior() const;

 private:
  struct Part {
    bool is_sure = false;
    std::optional<SparseMatrix> matrix = {};
  };
  /// The posteriors of piece k between its cuts, without flanks.
  SparseMatrix between_cuts(std::size_t k) const;
  bool holds(std::size_t cut) const;

  PairIndex pair_;
  std::span<const std::uint8_t> x_, y_;
  std::uint32_t m_, n_;
  std::vector<PairCut> cuts_;  // including both ends of the sequences
  std::vector<Part> parts_;    // part k is between cuts k and k + 1
};

}  // namespace accord
