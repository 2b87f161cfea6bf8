// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <vector>

#include "core/alphabet.hpp"
#include "local_pairs/layout.h"

namespace accord {

/// Scores and gap costs of the local mode.
/// Units   600 are the mean score of a residue with itself.
/// Reference  Katoh et al. 2005, Nucleic Acids Res 33:511 (L-INS-i, E-INS-i), but for group_open
///         (918 there), which was chosen on training families, and importance (2.7 there), which
///         was chosen on simulated families and on sets of BAliBASE 3 of both halves.
struct LocalParams {
  std::int32_t pair_open = 1200, pair_extend = 60, pair_jump = 3600;
  std::int32_t pair_offset = 60;  ///< taken from every score of a local alignment
  std::int32_t group_open = 800;  ///< of a gap between two groups; its length costs nothing
  /// Factor of the importance of segments, in large families; in smaller ones, where what covers a
  /// segment may well be chance, it is importance n / (n + importance_half).
  double importance = 8, importance_half = 10;

  double importance_of(double sequences) const {
    return importance * sequences / (sequences + importance_half);
  }
};

/// Scores of two residue codes, less nothing: BLOSUM62 for proteins, 600 and -200 for nucleotides.
/// A code that stands for several residues has their mean over the background; the unknown 0.
/// Shape   ACCORD_SYMBOLS rows of ACCORD_SYMBOLS; codes that are not in use have 0.
std::vector<std::int32_t> residue_scores(ResidueType type);

}  // namespace accord
