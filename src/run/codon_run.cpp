// SPDX-License-Identifier: Apache-2.0
#include "run/codon_run.hpp"

#include <vector>

#include "accord/base/error.hpp"
#include "run/align_run.hpp"
#include "tools/codon_threading.hpp"

namespace accord::run {
namespace {

std::vector<Gene> coding_genes(const FamilyInput& family, const CodingOptions& coding) {
  if (family.set.type() == ResidueType::protein) {
    throw Error(ErrorKind::bad_input, family.label + ": these are proteins",
                "codon takes coding DNA or RNA; 'accord align' aligns proteins");
  }
  return genes_of(family.set, coding);
}

}  // namespace

CodonAlignment codon(const FamilyInput& genes, const CodingOptions& coding,
                     const AlignSettings& settings, LetterCase letter_case,
                     const RunContext& context) {
  std::vector<Gene> found = coding_genes(genes, coding);
  std::vector<CodingSequence> sequences = codons_of(found, coding, genes.label);
  CodonAlignment made;
  made.proteins = prepare_family({.set = translated(found, sequences)}, settings);
  made.aligned = align(made.proteins, context);
  const std::optional<Confidence>& confidence = made.aligned.confidence;
  made.protein_text = make_alignment_text(made.proteins.set(), made.aligned.msa,
                                          confidence ? &*confidence : nullptr);
  made.codon_text =
      codon_alignment(made.protein_text, taken_codons(sequences), genes.set.type(), letter_case);
  return made;
}

void check_coding_along(const CodingOptions& coding) {
  if (!coding.finds_frameshifts && !coding.finds_frame && !coding.frame) return;
  throw Error(ErrorKind::usage, "the given proteins decide about frames and frameshifts",
              "leave out {frame} and {frameshifts}");
}

AlignmentText codon_along(const FamilyInput& genes, const CodingOptions& coding,
                          const AlignedFamily& proteins, LetterCase letter_case) {
  return thread_through(
      {coding_genes(genes, coding), genes.label, genes.set.type(), coding.keeps_stops, letter_case},
      proteins);
}

}  // namespace accord::run
