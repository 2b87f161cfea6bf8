// SPDX-License-Identifier: Apache-2.0
// Aligns coding DNA or RNA through its proteins.
#pragma once
#include "io/families/aligned_reader.hpp"
#include "io/families/family_reader.hpp"
#include "io/formats/alignment_text.hpp"
#include "method/align_result.hpp"
#include "method/settings.hpp"
#include "run/devices/run_devices.hpp"
#include "run/family/prepared_family.hpp"
#include "tools/coding_family.hpp"

namespace accord::run {

/// Genes that were aligned through their proteins.
struct CodonAlignment {
  PreparedFamily proteins;     ///< in the order of the genes
  AlignResult aligned;         ///< of the proteins
  AlignmentText protein_text;  ///< of the proteins, with the confidence if it was computed
  AlignmentText codon_text;    ///< of the genes, three columns for each of the proteins
};

/// Translates genes, aligns the proteins with `settings`, and puts the codons into the columns of
/// that alignment. Warns of
/// frameshifts, inner stops and lengths that are no multiple of 3 (see codons_of).
/// Throws  Error{bad_input} if the family is of proteins; as genes_of (a genetic code that does not
///         exist), codons_of and align.
CodonAlignment codon(const FamilyInput& genes, const CodingOptions& coding,
                     const AlignSettings& settings, LetterCase letter_case,
                     const RunContext& context);

/// Refuses options about frames and frameshifts, since the given proteins of codon_along()
/// determine the frames. Call it before codon_along(), which ignores these options.
/// Throws  Error{usage} if one of these options is set.
void check_coding_along(const CodingOptions& coding);

/// Puts the codons of genes into the columns of a given alignment of their proteins. A gene belongs
/// to the row with its name; if no gene has the name of a row, and there are as many genes as rows,
/// genes belong to rows by order. Warns of residues and bases that do not match (see
/// thread_through). Throws  Error{bad_input} if the family is of proteins, a row has no gene, two
/// genes have one
///         name, or a gene codes for another protein; as genes_of.
AlignmentText codon_along(const FamilyInput& genes, const CodingOptions& coding,
                          const AlignedFamily& proteins, LetterCase letter_case);

}  // namespace accord::run
