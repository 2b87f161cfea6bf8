// SPDX-License-Identifier: Apache-2.0
// Aligns coding DNA or RNA through its proteins.
#pragma once
#include "io/aligned_reader.hpp"
#include "io/family_reader.hpp"
#include "io/formats/alignment_text.hpp"
#include "method/pipeline.hpp"
#include "method/settings.hpp"
#include "run/devices/run_context.hpp"
#include "tools/coding_family.hpp"

namespace accord::run {

/// Genes that were aligned through their proteins.
struct CodonAlignment {
  SequenceSet proteins;        ///< in the order of the genes
  AlignResult aligned;         ///< of the proteins
  AlignmentText protein_text;  ///< of the proteins, with the confidence if it was computed
  AlignmentText codon_text;    ///< of the genes, three columns for each of the proteins
};

/// Translates genes, aligns the proteins with `settings`, and puts the codons into the columns of
/// that alignment, in upper case if `upper_case` is set, else in the case of the input. Warnings
/// name the oddities of the genes (see codons_of).
/// Throws  Error{bad_input} if the family is of proteins; as genes_of, codons_of and align.
CodonAlignment codon(const FamilyInput& genes, const CodingOptions& coding,
                     const AlignSettings& settings, bool upper_case, const RunContext& context);

/// Refuses options about frames, since given proteins determine the frames.
/// Throws  Error{usage}
void check_coding_along(const CodingOptions& coding);

/// Puts the codons of genes into the columns of a given alignment of their proteins.
/// Throws  Error{bad_input} if the family is of proteins; as genes_of and thread_through.
AlignmentText codon_along(const FamilyInput& genes, const CodingOptions& coding,
                          const AlignedFamily& proteins, bool upper_case);

}  // namespace accord::run
