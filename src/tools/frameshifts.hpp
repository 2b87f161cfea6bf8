// SPDX-License-Identifier: Apache-2.0
// Finds the frameshifts of coding sequences by comparing them with the proteins of other genes.
#pragma once
#include <string>
#include <vector>

#include "tools/codons.hpp"

namespace accord {

/// Divides `bases` into codons, in the frames in which they are most similar to `protein`. At a
/// frameshift, a codon has one or two bases, and `!` fills it up to three characters.
/// Throws  as align_frames.
CodingSequence read_across_frames(const std::string& bases, const std::string& protein,
                                  const GeneticCode& code);

/// Finds the frameshifts of genes, and replaces the codons of these genes in `sequences` by codons
/// across the frameshifts. The caller has set sequences[k] by read_codons() of genes[k].
///
/// A gene is sound if it has no inner stops and, unless its first codon is incomplete, its length
/// is a multiple of 3. The guides are the proteins of at most 500 sound genes, spread over the
/// input. The guide that is closest to a gene shares most words of four residues with the three
/// frames of the gene. A gene that is not sound is read along its closest guide. A sound gene is
/// read along its closest guide only if it shows frameshifts along this guide and along the second
/// closest one. A gene is not a guide of itself.
/// Returns  false, with `sequences` as before, if there is no guide.
/// Throws  as align_frames.
bool read_across_frameshifts(const std::vector<Gene>& genes,
                             std::vector<CodingSequence>& sequences);

}  // namespace accord
