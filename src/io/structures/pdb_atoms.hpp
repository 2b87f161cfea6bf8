// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

#include "io/structures/predicted_model.hpp"
#include "io/structures/residue_list.hpp"

namespace accord {

/// Adds the atoms of the first model of a PDB file (ATOM and HETATM) to `residues`; TER ends a
/// chain. SEQRES has names of residues. `label` names the text in messages.
///
/// Column 21 may belong to the name of the residue (NMET) or of the chain. It is the former in the
/// whole file if in most of those residues with a CA that use it, the four letters are an amino
/// acid, or the chain is another one before and after.
/// Returns  what HEADER, TITLE, COMPND, EXPDTA, CRYST1 and ANISOU say of its origin.
/// Throws  Error{bad_input} for a record that is cut off, is not ASCII, or has a coordinate that is
///         no number, and for atoms behind END, unless MODEL stands between with the next number.
StructureOrigin read_pdb_atoms(std::string_view text, const std::string& label,
                               ResidueList& residues);

/// Whether a line has the name of a record of an atom of a PDB file.
bool is_pdb_record_of_atom(std::string_view line);
/// Whether a line is a record of an atom of a PDB file, with coordinates that are numbers.
bool is_pdb_atom(std::string_view line);

}  // namespace accord
