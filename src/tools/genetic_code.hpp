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

  /// The amino acid of a codon; X if its letters stand for several amino acids or for none.
  char amino_acid(char first, char second, char third) const;

 private:
  std::string amino_acids_;  ///< for the 64 codons, bases in the order T C A G
};

/// The numbers and names of all codes, one per line.
std::string genetic_codes();

}  // namespace accord
