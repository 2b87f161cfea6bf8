// SPDX-License-Identifier: Apache-2.0
// Reads coding sequences along a protein, across frameshifts.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tools/codons.hpp"

namespace accord {

/// A step of an alignment: a codon aligned with a residue, a codon alone, or a residue alone.
struct CodonStep {
  std::size_t first_base = 0;  ///< index of the first base of the codon, from 0
  std::uint8_t bases = 3;      ///< 3, or 1 or 2 at a frameshift; 0: a residue without bases
  bool has_residue = true;     ///< false: a codon without a residue
};

/// Codons aligned with a protein.
struct FrameAlignment {
  std::vector<CodonStep> steps;   ///< in the order of the bases; empty if nothing is aligned
  std::size_t first_residue = 0;  ///< number of residues in front of the first step
  int score = 0;                  ///< in units of VTML200, a third of a bit
};

/// The cost of a frameshift, in units of VTML200. A gene that is read along the protein of another
/// gene pays kShiftAlongOther, about the score of five identical residues. A gene that is read
/// along its product, where all residues should match, pays kShiftAlongProduct, about the score of
/// three.
inline constexpr int kShiftAlongOther = 32, kShiftAlongProduct = 16;

/// Finds the best alignment of the codons of `bases` with `protein`. Residues have the scores of
/// VTML200, and gaps have affine costs. A codon of one or two bases is a frameshift and costs
/// `shift_cost`. Overhangs of either sequence at either end cost nothing. X and `*` are residues,
/// too.
/// Cost    3 bytes and a few operations for each base and residue.
/// Throws  Error{bad_input} if the memory would exceed 4 GiB.
FrameAlignment align_frames(const std::string& bases, const std::string& protein,
                            const GeneticCode& code, int shift_cost);

}  // namespace accord
