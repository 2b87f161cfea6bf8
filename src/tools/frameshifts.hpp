// SPDX-License-Identifier: Apache-2.0
// Finds the frameshifts of coding sequences by the proteins of the others.
#pragma once
#include <string>
#include <vector>

#include "tools/codons.hpp"

namespace accord {

/// Reads `bases` in the frames in which they are most similar to a protein. At a frameshift
/// there is a codon of one or two bases, which is filled up with `!`.
/// Throws  as align_frames.
CodingSequence read_across_frames(const std::string& bases, const std::string& protein,
                                  const GeneticCode& code);

/// Finds the frameshifts of genes, and replaces their codons in `sequences` by codons across the
/// frameshifts. Proteins of genes without inner stops and with a length that is a multiple of 3, at
/// most 500 spread over the input, are guides. A gene that has inner stops or another length is
/// read along its closest guide. A gene without these is read along its closest guide if it has
/// frameshifts along both its closest and its second closest guide. The closest guide shares most
/// words of four residues with the three frames of the gene.
/// Returns  false if there is no guide.
/// Throws  as align_frames.
bool read_across_frameshifts(const std::vector<Gene>& genes,
                             std::vector<CodingSequence>& sequences);

}  // namespace accord
