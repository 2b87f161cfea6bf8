// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

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

/// The numbers and names of all codes, one per line.
std::string genetic_codes();

}  // namespace accord
