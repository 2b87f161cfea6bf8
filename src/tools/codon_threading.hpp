// SPDX-License-Identifier: Apache-2.0
// Genes in an alignment of their proteins.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "io/aligned_reader.hpp"
#include "io/formats/alignment_text.hpp"
#include "tools/codons.hpp"

namespace accord {

/// Genes that are threaded through an alignment of their proteins.
struct ThreadingInput {
  std::vector<Gene> genes;
  std::string label;  ///< of the genes, in messages
  ResidueType type;   ///< of the genes
  /// Stop codons at the ends: kept, in a column of their own where the protein alignment has no
  /// `*`, or left out; not set: kept where it has one.
  std::optional<bool> keeps_stops;
  bool upper_case = false;
};

/// The codons of the genes in the places of the residues of an alignment, with its rows, names and
/// markup. A gene belongs to the row of its name; if no name is that of a row, and there are as
/// many genes as rows, to that of its place. Warnings name residues that are not those of their
/// codons, frameshifts, residues without bases, bases without residues inside the protein, and
/// genes without a row.
/// Throws  Error{bad_input} for a row without a gene, a name of two genes, and a gene that codes
///         for another protein: less than half of the residues fit.
AlignmentText thread_through(const ThreadingInput& input, const AlignedFamily& aligned);

}  // namespace accord
