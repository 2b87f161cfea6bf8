// SPDX-License-Identifier: Apache-2.0
// Threads genes through an alignment of their proteins.
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "io/families/aligned_reader.hpp"
#include "io/formats/alignment_text.hpp"
#include "tools/codons.hpp"

namespace accord {

/// Genes that are threaded through an alignment of their proteins.
struct ThreadingInput {
  std::vector<Gene> genes;
  std::string label;  ///< names the input of the genes in messages
  ResidueType type;   ///< of the genes: DNA or RNA
  /// Whether stop codons at the ends are kept. They get a column of their own if the protein
  /// alignment has no `*`. If not set, they are kept exactly where the protein alignment has a `*`.
  std::optional<bool> keeps_stops;
  LetterCase letter_case = LetterCase::keep;  ///< of the bases
};

/// Replaces each residue of a protein alignment by its codon; a column becomes three columns. Rows
/// and markup stay, and names, too, except for coordinates (NAME/12-80) of rows that lose residues.
/// A gene belongs to the row with its name. If no gene has the name of a row, and there are as many
/// genes as rows, genes belong to rows by order. Warns of residues that do not match their codons,
/// frameshifts, residues without bases, bases without residues inside the protein, and genes
/// without a row.
/// Throws  Error{bad_input} for a row without a gene, a row whose name two genes have, and a gene
///         of another protein: less than half of the residues fit.
AlignmentText thread_through(const ThreadingInput& input, const AlignedFamily& aligned);

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
