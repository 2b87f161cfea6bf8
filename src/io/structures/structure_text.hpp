// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <string_view>

namespace accord {

/// Whether a text begins as a PDB file and has atoms.
bool looks_like_pdb(std::string_view text);
/// Whether a text begins as an mmCIF file: with `data_NAME`, perhaps behind comments.
bool looks_like_mmcif(std::string_view text);

/// The records of the atoms (ATOM and HETATM) of the first model of a PDB file, each cut after
/// column 78, and those that end a chain, as "TER"; each record ends with LF. No other record
/// matters for the chains. `label` names the text in messages.
/// Throws  Error{bad_input} for a record that is cut off, is not ASCII, or has a coordinate that is
///         no number.
std::string atom_records(std::string_view text, const std::string& label);

}  // namespace accord
