// SPDX-License-Identifier: Apache-2.0
// Included by sources that are C++17.
#pragma once
#include <optional>
#include <string_view>

#include "io/structures/protein_chain.hpp"

namespace accord {

/// A record of an atom of a structure file. The texts need not outlive a call that takes the
/// record.
struct StructureAtom {
  std::string_view name, residue, chain;  ///< names; the chain's may be empty
  std::string_view number;      ///< of the residue, as in the file, with its insertion code
  std::string_view place;       ///< of the residue in the sequence of its chain; may be empty
  std::string_view segment;     ///< name of a segment of a PDB file; may be empty
  std::string_view part;        ///< name of a part of the chain in mmCIF; may be empty
  std::string_view element;     ///< as in the file; may be empty
  char location = ' ';          ///< letter of an alternative location, or a blank
  bool is_hetero = false;       ///< whether the record is one of a heteroatom
  bool is_in_sequence = false;  ///< whether SEQRES has the name of the residue
  bool is_calcium = false;      ///< whether the file states that the element is calcium
  double occupancy = 1;
  std::optional<double> b_factor = {};  ///< or what a predicted model has in its place
  Point at;
};

}  // namespace accord
