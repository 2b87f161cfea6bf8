// SPDX-License-Identifier: Apache-2.0
// Coding sequences that are aligned through their proteins.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "core/sequence_set.hpp"
#include "tools/codons.hpp"

namespace accord {

/// How coding sequences are read.
struct CodingOptions {
  std::optional<int> code;   ///< the genetic code; not set: what the header names, else 1
  std::optional<int> frame;  ///< the first base of a whole codon, 1 to 3; not set: as `finds_frame`
  bool finds_frame = false;  ///< that of each sequence with the fewest stops inside
  bool finds_frameshifts = false;
  std::optional<bool> keeps_stops;  ///< at the ends; not set: kept, as the input has them
};

/// Sets the frame to that of a word: "1", "2", "3" or "auto".
/// Throws  Error{usage} for any other word; `what` is what the user has given it for.
void set_frame(CodingOptions& options, const std::string& word, const std::string& what);

/// The genes in input order, with the codes and first codons of the options, else of the headers.
/// Throws  Error{bad_input} for a header that names a code that does not exist; as GeneticCode.
std::vector<Gene> genes_of(const SequenceSet& set, const CodingOptions& options);

/// The genes as codons, as the options ask for. Warnings say what is odd about them; `label` names
/// the genes. A name such as NAME/12-80 of a gene that loses its stop gets the numbers of the bases
/// that are left.
/// Throws  as read_across_frameshifts.
std::vector<CodingSequence> codons_of(std::vector<Gene>& genes, const CodingOptions& options,
                                      const std::string& label);

/// The proteins of the genes.
SequenceSet translated(const std::vector<Gene>& genes,
                       const std::vector<CodingSequence>& sequences);

/// The codons of each sequence, which has none then.
std::vector<std::vector<std::string>> taken_codons(std::vector<CodingSequence>& sequences);

}  // namespace accord
