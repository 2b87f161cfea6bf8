// SPDX-License-Identifier: Apache-2.0
// Included by a source that is C++17.
#pragma once
#include <string>
#include <string_view>

#include "io/structures/predicted_model.hpp"
#include "io/structures/residue_list.hpp"

namespace accord {

/// Adds the atoms of the first model of an mmCIF file, those of the table _atom_site, to
/// `residues`. `label` names the text in messages.
///
/// The table needs a name of the atom and of the residue (of label_ or auth_) and coordinates. A
/// row whose chain, residue or number has no name of the authors has that of label_. Without
/// group_PDB, all residues but amino acids are heteroatoms. The B factor of an atom is the pLDDT of
/// its residue in _ma_qa_metric_local, if the file has this table, else B_iso_or_equiv.
/// Returns  what _ma_qa_metric, _struct, _software, _exptl and _cell say of its origin.
/// Throws  Error{bad_input} for a text that is malformed, lacks an item, has a number of a residue
///         that is none, or has atoms in two data blocks.
StructureOrigin read_mmcif_atoms(std::string_view text, const std::string& label,
                                 ResidueList& residues);

}  // namespace accord
