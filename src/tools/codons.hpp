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
  /// The code with NCBI's number (transl_table); 1 is the standard code.
  /// Throws  Error{usage} if there is no such code.
  explicit GeneticCode(int number);

  /// The amino acid of a codon, in upper case; X if its letters stand for codons of several amino
  /// acids. The letters may be ambiguous (such as R or N) and of either case, and U is T; every
  /// other character counts as N.
  char amino_acid(char first, char second, char third) const;

 private:
  std::string amino_acids_;  ///< for the 64 codons, bases in the order T C A G
};

/// A genetic code of NCBI.
struct NamedCode {
  int number;
  std::string name;
  std::string amino_acids;  ///< of the 64 codons, bases in the order T C A G
};
/// All genetic codes, by increasing number.
std::vector<NamedCode> named_codes();

/// The numbers and names of all codes, one per line.
std::string genetic_codes();

/// A coding sequence and its genetic code.
struct Gene {
  SequenceRecord record;
  std::size_t incomplete = 0;  ///< bases of an incomplete first codon: 0, 1 or 2
  GeneticCode code{1};
};

/// A coding sequence, divided into codons.
struct CodingSequence {
  /// Three characters each: bases, `-` for bases that an incomplete first or last codon lacks, `!`
  /// for bases that a frameshift removed.
  std::vector<std::string> codons;
  std::string protein;                   ///< a letter for each codon; X for an incomplete one
  std::vector<std::size_t> inner_stops;  ///< numbers of codons, from 1
  std::vector<std::size_t> frameshifts;  ///< numbers of codons, from 1

  /// Appends a codon of up to three bases, and its residue; missing bases at its end become `fill`.
  void add(const std::string& bases, const GeneticCode& code, char fill = '-');
  /// Appends all codons of `bases`, also an incomplete one at the end, and their residues.
  void add_all(const std::string& bases, const GeneticCode& code);
  /// Sets `inner_stops`: all stops except one that is the last codon. A stop in front of an
  /// incomplete last codon is an inner stop.
  void find_inner_stops();
  /// Removes a stop at the end.
  void drop_stop();
};

/// Divides `bases` into codons. The first `incomplete` bases (0, 1 or 2) are the end of a codon.
CodingSequence read_codons(const std::string& bases, const GeneticCode& code,
                           std::size_t incomplete = 0);

/// The number of bases in front of the first whole codon (0, 1 or 2) that gives the fewest inner
/// stops; ties go to the fewest bases.
std::size_t open_frame(const std::string& bases, const GeneticCode& code);

/// Describes the problems of the codons of read_codons(bases, code, incomplete): inner stops; a
/// length that is not a multiple of 3, if `incomplete` is 0; and, if there are inner stops, every
/// other frame without them. Empty if there is no problem.
std::string frame_problem(const std::string& bases, const GeneticCode& code,
                          std::size_t incomplete = 0);

/// The bases of codons, without `-` and `!`.
std::string bases_of(const std::vector<std::string>& codons);

/// The first few numbers, with commas between them, for a message.
std::string listed_numbers(const std::vector<std::size_t>& numbers);

/// Replaces each residue of an alignment by its codon; codons[r] has a codon of three characters
/// for each residue of row r, in order. A `-` in a codon becomes a gap, and `!` stays. A column
/// becomes three columns, also in markup and confidence. `type`: of the bases, DNA or RNA.
AlignmentText codon_alignment(AlignmentText protein,
                              const std::vector<std::vector<std::string>>& codons, ResidueType type,
                              LetterCase letter_case = LetterCase::keep);

}  // namespace accord
