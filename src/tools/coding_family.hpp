// SPDX-License-Identifier: Apache-2.0
// Coding sequences that are aligned as proteins.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/sequence_set.hpp"
#include "tools/codons.hpp"

namespace accord {

/// How coding sequences are read.
struct CodingOptions {
  std::optional<int> code;   ///< the genetic code; not set: the code in the header, else 1
  std::optional<int> frame;  ///< first base of a whole codon, 1 to 3; not set: see finds_frame
  bool finds_frame = false;  ///< takes the frame with the fewest inner stops, for each sequence
  bool finds_frameshifts = false;   ///< reads codons across frameshifts: read_across_frameshifts
  std::optional<bool> keeps_stops;  ///< keeps the stops at the ends of genes; not set: true
};

/// Sets the frame from a word: "1", "2", "3" or "auto".
/// Throws  Error{usage} for any other word; `what` names the option of the word.
void set_frame(CodingOptions& options, const std::string& word, const std::string& what);

/// Sets whether stops at the ends are kept, from a word: "keep" or "drop".
/// Throws  Error{usage} for any other word; `what` names the option of the word.
void set_stops(CodingOptions& options, const std::string& word, const std::string& what);

/// Makes a gene of each sequence of `set`, in input order. The options give its genetic code and
/// its first codon; where they do not, its header does.
/// Throws  Error{bad_input} if a header names an unknown code; Error{usage} if the options do.
std::vector<Gene> genes_of(const SequenceSet& set, const CodingOptions& options);

/// Divides each gene into codons, as the options say; returns them in the order of `genes`. Warns
/// of frameshifts, inner stops and lengths that are no multiple of 3; `label` names the input in
/// the warnings. If the stop of a gene is dropped and its name has a range of bases (NAME/12-80),
/// the function changes the range in `genes` to that of the remaining bases.
/// Throws  Error{bad_input} if reading a gene across frameshifts would take more than 4 GiB.
std::vector<CodingSequence> codons_of(std::vector<Gene>& genes, const CodingOptions& options,
                                      const std::string& label);

/// Returns the proteins of `sequences`, with the headers of the genes; sequences[k] is of genes[k].
SequenceSet translated(const std::vector<Gene>& genes,
                       const std::vector<CodingSequence>& sequences);

/// Moves the codons out of `sequences`, and returns them: [sequence][codon].
std::vector<std::vector<std::string>> taken_codons(std::vector<CodingSequence>& sequences);

/// Divides `bases` into codons, in the frames in which they are most similar to `protein`. At a
/// frameshift, a codon has one or two bases, and `!` fills it up to three characters.
/// Throws  as align_frames.
CodingSequence read_across_frames(const std::string& bases, const std::string& protein,
                                  const GeneticCode& code);

}  // namespace accord
