// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "core/sequence_set.hpp"
#include "phylogeny/likelihood/likelihood_call.hpp"
#include "phylogeny/model.hpp"

namespace accord {

/// The patterns of an alignment: its different columns, in the order in which they first occur.
/// `pattern_of` has for each column the index of its pattern. For codons, three columns together
/// stand in place of a column.
struct AlignmentPatterns {
  SitePatterns patterns;
  std::vector<std::uint32_t> pattern_of;
};

/// Finds the patterns of rows of equal length, whose letters include gaps. Tip x of the patterns is
/// row row_of[x].
///
/// A letter stands for the residues that encode_letter and residues_of_code give it, and a gap
/// stands for any residue. A codon stands for every combination of its bases that is no stop. A
/// stop codon that ends a sequence stands for any codon. `code` is NCBI's number of the genetic
/// code, for codons.
/// Throws  Error{bad_input} for a stop codon inside a sequence, for columns that are no multiple of
///         three if the states are codons, and for more than 256 kinds of ambiguous codons; `label`
///         names the alignment. Error{usage} for codons if there is no genetic code `code`.
AlignmentPatterns find_patterns(const std::vector<SequenceRecord>& rows,
                                const std::vector<std::size_t>& row_of, ResidueType type,
                                StateKind states, const std::string& label, int code = 1);

}  // namespace accord
