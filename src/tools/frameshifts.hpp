// SPDX-License-Identifier: Apache-2.0
// Frameshifts of coding sequences, found by the proteins of the others.
#pragma once
#include <string>
#include <vector>

#include "tools/codons.hpp"

namespace accord {

/// The codons of `bases` in the frames in which they are most like a protein: a codon that a
/// frameshift left one or two bases has `!` for the others.
/// Throws  as align_frames.
CodingSequence read_across_frames(const std::string& bases, const std::string& protein,
                                  const GeneticCode& code);

/// Reads genes across their frameshifts, in place of `sequences`, their codons without. A gene that
/// has stops inside, or a length that is not a multiple of 3, is read along the closest protein of
/// those that have neither. One of these is read along the closest of the others, if it has
/// frameshifts along both the closest and the next one. Close are those of which the most words of
/// four residues are in the three frames of the gene, among 500 at most, spread over the input.
/// Returns  whether there is a protein to go by.
/// Throws  as align_frames.
bool read_across_frameshifts(const std::vector<Gene>& genes,
                             std::vector<CodingSequence>& sequences);

}  // namespace accord
