// SPDX-License-Identifier: Apache-2.0
// Coding sequences through their proteins.
#include <limits>

#include "accord/api/given.hpp"
#include "api/call.hpp"
#include "run/codon_run.hpp"
#include "tools/coding_family.hpp"

namespace accord::api {
namespace {

constexpr std::size_t kCodon = 3;

CodingOptions coding_of(const CodonOptions& wanted) {
  CodingOptions coding;
  coding.code = wanted.code;
  coding.finds_frameshifts = wanted.frameshifts;
  if (!wanted.frame.empty()) set_frame(coding, wanted.frame, "frame");
  if (!wanted.stops.empty()) set_stops(coding, wanted.stops, "stops");
  if (!wanted.protein.empty()) run::check_coding_along(coding);
  return coding;
}

/// Gives an alignment of codons the confidence of the residues.
void set_codon_confidence(Alignment& codons, const Alignment& protein) {
  codons.mean_confidence = protein.mean_confidence;
  for (const float value : protein.column_confidence) {
    codons.column_confidence.insert(codons.column_confidence.end(), kCodon, value);
  }
  for (const float value : protein.residue_confidence) {
    codons.residue_confidence.insert(codons.residue_confidence.end(), kCodon, value);
  }
  std::size_t cell = 0;
  for (const Sequence& row : codons.rows) {
    for (const char letter : row.letters) {
      if (letter == '-') {
        codons.residue_confidence[cell] = std::numeric_limits<float>::quiet_NaN();
      }
      ++cell;
    }
  }
}

Codons codons_aligned(const FamilyInput& input, const CodingOptions& coding,
                      const Options& options) {
  CallRun call_run(options);
  const run::CodonAlignment made =
      run::codon(input, coding, settings_of(options, ResidueType::protein), LetterCase::keep,
                 call_run.context());
  Codons codons;
  codons.protein = alignment_of(made.protein_text);
  codons.alignment = alignment_of(made.codon_text);
  if (const std::optional<Confidence>& confidence = made.aligned.confidence) {
    set_confidence(codons.protein, made.proteins.set(), made.aligned.msa, *confidence);
    set_codon_confidence(codons.alignment, codons.protein);
  }
  return codons;
}

}  // namespace

Codons codon(const std::vector<Sequence>& genes, const CodonOptions& wanted,
             const Options& options) {
  return call(options, [&](const WarningScope& scope) {
    const CodingOptions coding = coding_of(wanted);
    const FamilyInput input = family_of(genes, options);
    Codons codons;
    if (wanted.protein.empty()) {
      codons = codons_aligned(input, coding, options);
    } else {
      Options of_protein = options;
      of_protein.letters = Letters::protein;
      const AlignedFamily proteins =
          aligned_family_of(wanted.protein, of_protein, "the alignment of the proteins");
      codons.alignment = alignment_of(run::codon_along(input, coding, proteins, LetterCase::keep));
    }
    codons.alignment.warnings = notices_of(scope);
    return codons;
  });
}

}  // namespace accord::api
