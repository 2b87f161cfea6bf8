// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>
#include <vector>

#include "io/structures/residue_list.hpp"

namespace accord {

/// Residues of one chain, in the order of the file.
using Residues = std::vector<const FoundResidue*>;

/// Residues that have the atoms of a residue of a protein, or its name, and yet are left out, as
/// "SAM 301 of chain A".
struct LeftOut {
  std::vector<std::string> ligands;  ///< that only the missing bond to a chain shows to be ligands
  std::vector<std::string> without_ca;
  std::vector<std::string> doubles;  ///< second residues, or second atoms, in one place
  std::size_t expected = 0;          ///< the number of those that the format states to be ligands
};

/// Whether a peptide bond leads from a residue to another: from C to N, or, without these, between
/// CAs of neighbours.
bool are_bonded(const FoundResidue& before, const FoundResidue& residue);

/// A residue in messages: "SAM 301 of chain A".
std::string described(const FoundResidue& residue, const std::string& chain);

/// The residues of a chain that belong to proteins, one for each place. Adds the others to
/// `left_out`, except water, nucleotides and alternatives. `has_places`: whether the file
/// gives the residues of proteins, and these alone, places in the sequence of their chain.
Residues protein_residues(const FoundChain& chain, bool has_places, LeftOut& left_out);

}  // namespace accord
