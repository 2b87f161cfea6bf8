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
  bool finds_frameshifts = false;
  std::optional<bool> keeps_stops;  ///< stops at the ends; not set: kept
};

/// Sets the frame from a word: "1", "2", "3" or "auto".
/// Throws  Error{usage} for any other word; `what` names the option of the word.
void set_frame(CodingOptions& options, const std::string& word, const std::string& what);

/// Sets whether stops at the ends are kept, from a word: "keep" or "drop".
/// Throws  Error{usage} for any other word; `what` names the option of the word.
void set_stops(CodingOptions& options, const std::string& word, const std::string& what);

/// The genes in input order. Genetic code and first codon are those of the options, or else of the
/// headers.
/// Throws  Error{bad_input} if a header names an unknown code; Error{usage} if the options do.
std::vector<Gene> genes_of(const SequenceSet& set, const CodingOptions& options);

/// Divides the genes into codons, as the options say. Warns of problems; `label` names the input. A
/// gene that loses its stop, with a name such as NAME/12-80, gets the numbers of the remaining
/// bases.
/// Throws  as read_across_frameshifts.
std::vector<CodingSequence> codons_of(std::vector<Gene>& genes, const CodingOptions& options,
                                      const std::string& label);

/// The proteins of the genes, under the headers of the genes.
SequenceSet translated(const std::vector<Gene>& genes,
                       const std::vector<CodingSequence>& sequences);

/// Moves the codons out of `sequences`, which are left without codons.
std::vector<std::vector<std::string>> taken_codons(std::vector<CodingSequence>& sequences);

}  // namespace accord
