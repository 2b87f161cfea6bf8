// SPDX-License-Identifier: Apache-2.0
#include "io/structures/structure_reader.hpp"

#include "accord/base/error.hpp"
#include "io/structures/mmcif_atoms.hpp"
#include "io/structures/pdb_atoms.hpp"
#include "io/structures/predicted_model.hpp"
#include "io/structures/residue_list.hpp"
#include "io/structures/structure_chains.hpp"

namespace accord {

std::vector<ProteinChain> parse_structure(std::string_view text, StructureFormat format,
                                          const std::string& label, bool keeps_atoms) {
  ResidueList residues(label, keeps_atoms);
  const StructureOrigin origin =
      (format == StructureFormat::pdb ? read_pdb_atoms : read_mmcif_atoms)(text, label, residues);
  const std::vector<FoundChain> chains = residues.take();
  if (chains.empty()) {
    throw Error(ErrorKind::bad_input, label + ": a structure without atoms",
                "a PDB file has lines of ATOM, an mmCIF file the table _atom_site");
  }
  return protein_chains(chains, plddt_factor(chains, origin, label), label);
}

}  // namespace accord
