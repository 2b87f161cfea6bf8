// SPDX-License-Identifier: Apache-2.0
// Coding sequences read along a protein, across frameshifts.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "tools/genetic_code.hpp"

namespace accord {

/// A codon, a residue, or both, aligned.
struct CodonStep {
  std::size_t first_base = 0;  ///< from 0
  std::uint8_t bases = 3;      ///< 1 or 2 where the frame shifts; 0: a residue without bases
  bool has_residue = true;     ///< else the protein has none for the codon
};

/// Codons aligned with a protein.
struct FrameAlignment {
  std::vector<CodonStep> steps;
  std::size_t first_residue = 0;  ///< residues in front of the first step
  int score = 0;                  ///< in units of VTML200, a third of a bit
};

/// What a frameshift costs, in units of VTML200: along a protein of another sequence as much as
/// about five identical residues are worth, along its own, of which all residues should fit, as
/// three.
inline constexpr int kShiftOfOther = 32, kShiftOfOwn = 16;

/// The best alignment of the codons of `bases` with a protein, by the scores of VTML200, affine
/// gaps, and the cost of a frameshift, a codon of one or two bases. Both may overhang at either
/// end, which costs nothing. X and `*` are residues, too. Cost    3 bytes and a few operations for
/// each base and residue. Throws  Error{bad_input} if that is more than 4 GiB.
FrameAlignment align_frames(const std::string& bases, const std::string& protein,
                            const GeneticCode& code, int shift_cost);

}  // namespace accord
