// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "core/alphabet.hpp"
#include "local_pairs/local_layout.h"

namespace accord {

/// Scores and gap costs of the local mode.
/// Units   the mean score of a residue with itself is 600.
/// Reference  Katoh et al. 2005, Nucleic Acids Res 33:511 (L-INS-i, E-INS-i). Two values differ:
///            group_open (918 there) was chosen on training families, and importance (2.7 there) on
///            simulated families and on sets of BAliBASE 3 of both halves.
struct LocalParams {
  /// Costs in a local alignment of a pair: pair_open for a gap, pair_extend for each residue of a
  /// gap, and pair_jump for a stretch in which residues of both sequences are not aligned
  /// (generalised affine gaps).
  std::int32_t pair_open = 1200, pair_extend = 60, pair_jump = 3600;
  std::int32_t pair_offset = 60;  ///< subtracted from every score of a local alignment
  std::int32_t group_open = 800;  ///< cost of a gap between two groups, of any length
  /// The importance of segments is multiplied by a factor, which is importance * n / (n +
  /// importance_half) for a family of n sequences. It is lower in small families, where more
  /// segments are due to chance.
  double importance = 8, importance_half = 10;

  /// The factor of the importance of segments in a family of `sequences` sequences.
  double importance_of(double sequences) const {
    return importance * sequences / (sequences + importance_half);
  }
};

/// Scores of two residue codes, before pair_offset is subtracted: BLOSUM62 for proteins, 600 and
/// -200 for nucleotides. A code that stands for several residues has their mean score, weighted by
/// the background; a code that stands for all residues has 0.
/// Shape   ACCORD_SYMBOLS rows of ACCORD_SYMBOLS; unused codes have 0.
std::vector<std::int32_t> residue_scores(ResidueType type);

}  // namespace accord
