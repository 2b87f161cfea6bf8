// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

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

}  // namespace accord
