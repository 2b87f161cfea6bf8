// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "io/structures/protein_chain.hpp"

namespace accord {

/// Formats of structures.
enum class StructureFormat { pdb, mmcif };

/// Reads the protein chains of the first model of a structure, in the order of the file. `label`
/// names the text in messages.
///
/// A residue belongs to a chain of proteins if it has a CA and is an amino acid, or if the residue
/// is unknown and has N, CA and C. Water, nucleotides and ligands are left out: what follows TER
/// (PDB), or has no place in the sequence of its chain (mmCIF). Without TER and places, one of the
/// 20 amino acids as heteroatoms at the end of a chain is a ligand if no bond leads to it. A
/// modified amino acid has the letter of its parent, and an unknown residue X. Of alternative
/// locations of an atom, and of alternative residues in one place, the one with the highest
/// occupancy counts, else the first. Throws  Error{bad_input} for a text that is cut off or
/// malformed, or has no atoms. Reference  wwPDB, Atomic coordinate entry format 3.3; PDBx/mmCIF
/// dictionary.
std::vector<ProteinChain> parse_structure(std::string_view text, StructureFormat format,
                                          const std::string& label);

}  // namespace accord
