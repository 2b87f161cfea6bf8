// SPDX-License-Identifier: Apache-2.0
// Threads coding sequences through proteins.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "tools/genetic_code.hpp"

namespace accord {

/// A residue that does not match its codon.
struct CodonMismatch {
  std::size_t residue;  ///< number, from 1
  char letter;          ///< the letter in the protein
  std::string codon;
  std::size_t first_base;  ///< of the codon, from 1
  char coded;              ///< the amino acid of the codon
};

/// Bases first ... last of a gene, from 1 and inclusive.
struct BaseRange {
  std::size_t first, last;
};

/// The codons of a protein, and the places at which protein and gene do not match.
struct ThreadedProtein {
  /// [residue]: three characters. They are bases, `-` for a base that an incomplete first or last
  /// codon lacks, `!` for a base that a frameshift removed, or `---` for a residue without bases.
  std::vector<std::string> codons;
  std::vector<CodonMismatch> mismatches;
  std::vector<std::size_t> frameshifts;    ///< residues with a codon of one or two bases, from 1
  std::vector<std::size_t> without_bases;  ///< residues for which the gene has no bases, from 1
  std::vector<BaseRange> inserted;         ///< bases between the codons of two residues
  std::string stop;  ///< the stop codon behind the last residue; empty if none
};

/// Finds the codons of a protein in its gene. `bases`: the gene, which may have further bases in
/// front of the first and behind the last codon. `protein`: letters without gaps. `code`: the
/// genetic code. A residue fits its codon if an amino acid that the residue may stand for is one
/// that the codon may code for. Also, X fits any codon, an M as the first residue fits every codon
/// for M, L, V or I, and U and O fit a stop codon. If all residues fit in one frame, the function
/// takes the codons of that frame; else those of the best alignment of the codons with the protein,
/// which may have frameshifts (align_frames()).
/// Throws  Error{bad_input} if that alignment would take more than 4 GiB of memory.
ThreadedProtein thread_codons(const std::string& bases, const std::string& protein,
                              const GeneticCode& code);

}  // namespace accord
