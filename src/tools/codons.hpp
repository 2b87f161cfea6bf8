// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "core/sequence_set.hpp"
#include "io/formats/alignment_text.hpp"

namespace accord {

/// A genetic code: the amino acid of each codon, `*` for a stop.
class GeneticCode {
 public:
  /// The code of NCBI's number (transl_table); 1 is the standard code.
  /// Throws  Error{usage} with the numbers that there are.
  explicit GeneticCode(int number);

  /// The amino acid of three letters; X if they stand for several, or for none.
  char amino_acid(char first, char second, char third) const;

 private:
  std::string amino_acids_;  ///< of the 64 codons, bases in the order T C A G
};

/// The numbers and names of all codes, a line each.
std::string genetic_codes();

/// A coding sequence in letters of amino acids, a letter for each begun codon.
struct Translation {
  std::string protein;                   ///< the last codon is X if it is not complete
  std::vector<std::size_t> inner_stops;  ///< numbers of the codons, from 1
  std::size_t left_over = 0;             ///< bases of an incomplete last codon: 0, 1 or 2
};
Translation translate(const std::string& bases, const GeneticCode& code);

/// What is odd about the translation of a coding sequence, in words: inner stops, an incomplete
/// codon, and the other frame that has neither, if one has. Empty if all is well.
std::string frame_problem(const std::string& bases, const GeneticCode& code);

/// The alignment of the codons of `records`, whose translations are the rows of `protein`, both in
/// input order: three columns for one. An incomplete codon is filled up with gaps.
AlignmentText codon_alignment(const AlignmentText& protein,
                              const std::vector<SequenceRecord>& records, ResidueType type,
                              bool upper_case = false);

}  // namespace accord
