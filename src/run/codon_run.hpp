// SPDX-License-Identifier: Apache-2.0
// Coding DNA or RNA that is aligned through its proteins.
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
  AlignmentText protein_text;  ///< of the proteins, with their confidence, if they have one
  AlignmentText codon_text;    ///< of the genes, three columns for each of the proteins
};

/// Aligns genes through their proteins, which are aligned as `settings` says. Warnings name the
/// oddities of the genes (see codons_of).
/// Throws  Error{bad_input} if the family is of proteins; as genes_of, codons_of and align.
CodonAlignment codon(const FamilyInput& genes, const CodingOptions& coding,
                     const AlignSettings& settings, bool upper_case, const RunContext& context);

/// Throws  Error{usage} if the options say how frames are found, although proteins are given, which
///         say it themselves.
void check_coding_along(const CodingOptions& coding);

/// Threads genes through an alignment of their proteins that is given.
/// Throws  Error{bad_input} if the family is of proteins; as genes_of and thread_through.
AlignmentText codon_along(const FamilyInput& genes, const CodingOptions& coding,
                          const AlignedFamily& proteins, bool upper_case);

}  // namespace accord::run
