// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "core/msa.hpp"
#include "core/sequence_set.hpp"
#include "method/structures/rigid_motion.hpp"

namespace accord {

/// A superposition of pairs of points.
struct PointFit {
  RigidMotion motion;  ///< of the moved points
  double sum = -1;     ///< of s = 1 / (1 + (d / d0)^2) over the pairs
};

/// When repeated superposition ends.
struct FitRounds {
  int most;           ///< superpositions
  double least_gain;  ///< a sum of s that grows less stands
};

/// The largest sum of s that repeated superposition finds, and its motion. It begins with the
/// weights of the pairs, and goes on with the squares of s. `square`: d0^2, in Å^2.
PointFit repeated_fit(std::vector<PointPair> pairs, double square, FitRounds rounds);

/// How two chains of an alignment lie upon each other, by their aligned residues alone.
struct AlignedFit {
  RigidMotion motion;         ///< of the first chain, for `tm_shorter`
  std::size_t aligned = 0;    ///< pairs of residues with known CAs
  double tm_x = 0, tm_y = 0;  ///< TM-score, by the length of the first and the second chain
  double tm_shorter = 0;      ///< by that of the shorter chain
  double rmsd = 0;            ///< of the aligned CAs after `motion`, in Å
};

/// The distance d0 of the TM-score, for a length; at least .5 Å.
/// Reference  Zhang & Skolnick 2004, Proteins 57:702
double tm_scale(std::size_t length);

/// Superposes rows x and y of an alignment, once for each length: from all aligned residues, and
/// from parts of them. The length of a chain is the number of its residues with a known CA.
/// Returns  no value if fewer than three aligned pairs of residues have known CAs.
std::optional<AlignedFit> fit_aligned(const SequenceSet& set, const Msa& msa, std::uint32_t x,
                                      std::uint32_t y);

/// The motions that bring the structures of an alignment into one frame.
struct CommonFrame {
  std::uint32_t reference = 0;  ///< the structure that stays, and others are moved onto
  /// [sequence]: none without a structure, or if fewer than three residues are aligned with the
  /// reference.
  std::vector<std::optional<RigidMotion>> motions;
  std::vector<double> tm_scores;  ///< [sequence]: with the reference, of the shorter chain
  double mean = 0;                ///< mean TM-score of the reference
};

/// Superposes all structures onto the one with the highest mean TM-score, of the shorter chain,
/// with the others; among equal ones the first. Of more than about 200 structures, each has the
/// mean of some others (structure_pairs()). Any number of threads, and any order of the input,
/// gives the same frame.
/// Returns  no value if fewer than two sequences have structures.
std::optional<CommonFrame> common_frame(const SequenceSet& set, const Msa& msa);

}  // namespace accord
