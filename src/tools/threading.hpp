// SPDX-License-Identifier: Apache-2.0
// Coding sequences threaded through proteins that are given.
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "tools/genetic_code.hpp"

namespace accord {

/// A residue that is not what its codon codes for.
struct CodonMismatch {
  std::size_t residue;  ///< number, from 1
  char given;           ///< the letter in the protein
  std::string codon;
  std::size_t first_base;  ///< of the codon, from 1
  char coded;              ///< what it codes for
};

/// Bases of a gene, from 1, the last one included.
struct BaseRange {
  std::size_t first, last;
};

/// The codons of a protein.
struct ThreadedProtein {
  /// Of each residue three characters: bases, `-` for those of an incomplete first or last codon
  /// and of a residue without bases, `!` for those that a frameshift took.
  std::vector<std::string> codons;
  std::vector<CodonMismatch> mismatches;
  std::vector<std::size_t> frameshifts;    ///< residues of a codon of one or two bases, from 1
  std::vector<std::size_t> without_bases;  ///< residues that the gene ends without, from 1
  std::vector<BaseRange> inserted;         ///< bases between the codons of two residues
  std::string stop;                        ///< the stop codon behind the last residue, if any
};

/// Finds the codons of a protein (letters without gaps) in its gene, which may have bases in front
/// of the first and behind the last. A residue fits its codon if one of those that it may stand for
/// fits one of those that the codon may stand for; X fits any, the first M every start codon, U and
/// O a stop. Where all residues fit, that reading is taken; else the best of align_frames().
/// Throws  as align_frames.
ThreadedProtein thread_codons(const std::string& bases, const std::string& protein,
                              const GeneticCode& code);

}  // namespace accord
