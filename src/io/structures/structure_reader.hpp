// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "io/structures/protein_chain.hpp"

namespace accord {

/// Formats of structures.
enum class StructureFormat { pdb, mmcif };

/// Reads the protein chains of the first model of a structure, in the order of their first residues
/// in the file. `label` names the text in messages.
///
/// Residues   A residue of a protein has a CA, and one of these holds: it is a known amino acid; it
///            also has N and C; it has no other atom. Its letter is that of the amino acid, or of
///            the parent of a modified one; X if the name is unknown (see residue_name). Of
///            alternative locations of an atom, and of alternative residues in one place, the one
///            with the highest occupancy counts, else the first.
/// Ligands    Left out are:
///            - water and nucleotides;
///            - heteroatoms behind TER (PDB) or without a place in the sequence of their chain
///              (mmCIF), unless a peptide bond joins them to the chain or a residue of the chain
///              follows;
///            - without TER and places, a heteroatom at the end of a chain to which no bond leads,
///              unless it is a modified amino acid;
///            - an unknown residue to which no bond leads and that SEQRES does not have, also a
///              record of ATOM, and a chain of such residues.
///            All other records of ATOM are kept.
/// Chains     A chain has the residues of one name. It is split where the numbers of its residues
///            begin again, except behind 9999. A chain without a name is also split at each TER
///            and where the name of the segment changes; a chain with a name only where both
///            are in one place. Split chains of the
///            name A are named A, A-2, A-3, and those without a name 1, 2, 3, with a warning.
/// Models     Residues of a predicted model whose pLDDT is below kLeastPlddt have a letter, and no
///            coordinates: see plddt_factor().
/// Atoms      `keeps_atoms`: chains have all of their atoms, for writing.
/// Warns of residues that are left out and that the format does not state to be ligands.
/// Throws  Error{bad_input} for a text that is cut off or malformed, has no atoms, or has atoms
///         behind END or in a second data block.
/// Reference  wwPDB, Atomic coordinate entry format 3.3; PDBx/mmCIF dictionary.
std::vector<ProteinChain> parse_structure(std::string_view text, StructureFormat format,
                                          const std::string& label, bool keeps_atoms = false);

}  // namespace accord
