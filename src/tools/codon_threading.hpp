// SPDX-License-Identifier: Apache-2.0
// Threads genes through an alignment of their proteins.
#pragma once
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
  bool upper_case = false;  ///< writes the bases in upper case, else in the case of the genes
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

}  // namespace accord
