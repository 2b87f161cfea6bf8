// SPDX-License-Identifier: Apache-2.0
// Included by sources that are C++17.
#pragma once
#include <string_view>

namespace accord {

/// Kinds of residues, as their names state them.
enum class CompoundKind {
  amino_acid,  ///< one of the 22 amino acids, in any state of protonation, or B, Z or X
  modified,    ///< an amino acid with a parent among these
  water,
  nucleotide,
  other,  ///< another known compound
  unknown,
};

/// Whether a kind is one of amino acids.
inline bool is_amino_acid(CompoundKind kind) {
  return kind == CompoundKind::amino_acid || kind == CompoundKind::modified;
}

/// The meaning of the name of a residue.
struct ResidueName {
  CompoundKind kind = CompoundKind::unknown;
  char letter = 'X';  ///< one-letter code of an amino acid or of the parent of a modified one
};

/// The meaning of a name in the Protein Data Bank, or in the files of programs for molecular
/// dynamics: of states of protonation (HID, ASPP, LYN, CYX), and of residues at the ends of chains
/// (NALA, CHIE). Case does not matter.
/// Reference  Chemical Component Dictionary of the wwPDB; residues of Amber, CHARMM, GROMOS, OPLS,
/// AMOEBA and Rosetta.
ResidueName residue_name(std::string_view name);

}  // namespace accord
