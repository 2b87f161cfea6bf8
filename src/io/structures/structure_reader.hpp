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
/// Residues   A residue of a protein has a CA, and is an amino acid, has N, CA and C, or has
///            nothing but a CA. Its letter is that of the amino acid, or of the parent of a
///            modified one; X if the name is unknown (see residue_name). Of alternative locations
///            of an atom, and of alternative residues in one place, the one with the highest
///            occupancy counts, else the first.
/// Ligands    Water and nucleotides are left out, and so are heteroatoms behind TER (PDB) or
///            without a place in the sequence of their chain (mmCIF). But those stay that a peptide
///            bond joins to the chain, or that stand before a residue of the chain; records of
///            ATOM stay. Without TER and places, a heteroatom at the end of a chain is a ligand if
///            no bond leads to it, unless it is a modified amino acid. So is an unknown residue
///            that SEQRES does not have, also of ATOM or in front of TER, and a chain of such
///            residues.
/// Chains     A chain has the residues of one name. It is split where the numbers of its residues
///            begin again, except behind 9999. It is also split at TER and at the names of
///            segments: at either if it has no name, else where both change. Split chains of the
///            name A are named A, A-2, A-3, and those without a name 1, 2, 3, with a warning.
/// Warns of residues that are left out and that the format does not state to be ligands.
/// Throws  Error{bad_input} for a text that is cut off or malformed, has no atoms, or has atoms
///         behind END or in a second data block.
/// Reference  wwPDB, Atomic coordinate entry format 3.3; PDBx/mmCIF dictionary.
std::vector<ProteinChain> parse_structure(std::string_view text, StructureFormat format,
                                          const std::string& label);

}  // namespace accord
