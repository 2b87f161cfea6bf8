// SPDX-License-Identifier: Apache-2.0
// The only source that includes gemmi. It is C++17: headers of gemmi 0.5 are not C++20 for clang.
#include "io/structures/structure_reader.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <exception>
#include <gemmi/cif.hpp>
#include <gemmi/mmcif.hpp>
#include <gemmi/model.hpp>
#include <gemmi/pdb.hpp>
#include <gemmi/polyheur.hpp>
#include <gemmi/resinfo.hpp>
#include <new>
#include <string_view>
#include <utility>

#include "accord/base/error.hpp"
#include "io/files/text_input.hpp"
#include "io/structures/structure_text.hpp"

namespace accord {
namespace {

constexpr const char* kCutHint = "the file may be cut off; get it anew";

gemmi::Structure structure_of_pdb(std::string_view text, const std::string& label) {
  const std::string records = atom_records(text, label);
  return gemmi::read_pdb_from_memory(records.data(), records.size(), label);
}

/// Refuses numbers of atoms and residues that do not fit an int, which gemmi does not check.
void check_integers(gemmi::cif::Block& block, const std::string& label) {
  constexpr std::size_t kMostDigits = 9;
  for (const std::string tag : {"id", "auth_seq_id", "label_seq_id", "pdbx_formal_charge",
                                "pdbx_PDB_model_num", "pdbx_tls_group_id"}) {
    for (const std::string& value : block.find_values("_atom_site." + tag)) {
      if (value.size() <= kMostDigits) continue;
      throw Error(ErrorKind::bad_input,
                  label + ": _atom_site." + tag + " is " + quote(value) + ", which is no number",
                  kCutHint);
    }
  }
}

gemmi::Structure structure_of_mmcif(std::string_view text, const std::string& label) {
  gemmi::cif::Document document = gemmi::cif::read_memory(text.data(), text.size(), label.c_str());
  for (gemmi::cif::Block& block : document.blocks) {
    // No other category matters here.
    const auto is_other = [](const gemmi::cif::Item& item) {
      return !item.has_prefix("_atom_site.");
    };
    block.items.erase(std::remove_if(block.items.begin(), block.items.end(), is_other),
                      block.items.end());
    if (block.items.empty()) continue;
    check_integers(block, label);
    return gemmi::make_structure_from_block(block);
  }
  return {};
}

/// The first line of a message, without the name of the file in front.
std::string problem_of(const std::exception& error, const std::string& label) {
  std::string text = error.what();
  text = text.substr(0, text.find('\n'));
  return text.rfind(label + ":", 0) == 0 ? text : label + ": " + text;
}

gemmi::Structure structure_of(std::string_view text, StructureFormat format,
                              const std::string& label) {
  try {
    return format == StructureFormat::pdb ? structure_of_pdb(text, label)
                                          : structure_of_mmcif(text, label);
  } catch (const Error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {  // of gemmi
    throw Error(ErrorKind::bad_input, problem_of(error, label), kCutHint);
  }
}

/// The atom of a name with the highest occupancy, the first one of equals; null if there is none.
const gemmi::Atom* find_atom(const gemmi::Residue& residue, std::string_view name) {
  const gemmi::Atom* found = nullptr;
  for (const gemmi::Atom& atom : residue.atoms) {
    if (atom.name == name && (found == nullptr || atom.occ > found->occ)) found = &atom;
  }
  return found;
}

Point point_of(const gemmi::Atom& atom, const std::string& where) {
  const Point point{atom.pos.x, atom.pos.y, atom.pos.z};
  if (std::isfinite(point.x) && std::isfinite(point.y) && std::isfinite(point.z)) return point;
  throw Error(ErrorKind::bad_input, where + "an atom has a coordinate that is no number", kCutHint);
}

std::optional<BackboneAtoms> backbone_of(const gemmi::Residue& residue, const std::string& where) {
  std::array<const gemmi::Atom*, 4> atoms{};
  constexpr std::array<std::string_view, 4> kNames = {"N", "CA", "C", "O"};
  for (std::size_t k = 0; k < kNames.size(); ++k) {
    atoms[k] = find_atom(residue, kNames[k]);
    if (atoms[k] == nullptr) return std::nullopt;
  }
  return BackboneAtoms{point_of(*atoms[0], where), point_of(*atoms[1], where),
                       point_of(*atoms[2], where), point_of(*atoms[3], where)};
}

/// Whether some residue has a place in the sequence of its chain, as in mmCIF.
bool has_places(const gemmi::Model& model) {
  const auto has_place = [](const gemmi::Residue& residue) {
    return static_cast<bool>(residue.label_seq);
  };
  return std::any_of(model.chains.begin(), model.chains.end(), [&](const gemmi::Chain& chain) {
    return std::any_of(chain.residues.begin(), chain.residues.end(), has_place);
  });
}

/// Whether a residue of a file without places stands in a polymer, or gemmi does not know.
bool may_be_of_polymer(const gemmi::Residue& residue) {
  return residue.entity_type == gemmi::EntityType::Unknown ||
         residue.entity_type == gemmi::EntityType::Polymer;
}

bool is_of_protein(const gemmi::Residue& residue, bool by_places) {
  if (by_places ? !residue.label_seq : !may_be_of_polymer(residue)) return false;
  const auto& known = gemmi::find_tabulated_residue(residue.name);
  if (known.is_water() || known.is_nucleic_acid()) return false;
  if (find_atom(residue, "CA") == nullptr) return false;
  return known.is_amino_acid() ||
         (find_atom(residue, "N") != nullptr && find_atom(residue, "C") != nullptr);
}

char letter_of(const gemmi::Residue& residue) {
  const auto& known = gemmi::find_tabulated_residue(residue.name);
  const auto code = static_cast<unsigned char>(known.one_letter_code);  // lower case: modified
  return known.is_amino_acid() && std::isalpha(code) ? static_cast<char>(std::toupper(code)) : 'X';
}

/// The residues of a chain that may be of a protein, one for each place.
std::vector<const gemmi::Residue*> residues_of(const gemmi::Chain& chain, bool by_places) {
  std::vector<const gemmi::Residue*> residues;
  for (const gemmi::Residue& residue : chain.residues) {
    if (!is_of_protein(residue, by_places)) continue;
    const gemmi::Residue* const last = residues.empty() ? nullptr : residues.back();
    const bool is_alternative =
        last != nullptr && last->seqid == residue.seqid && last->label_seq == residue.label_seq;
    if (is_alternative && !(find_atom(residue, "CA")->occ > find_atom(*last, "CA")->occ)) continue;
    if (is_alternative) residues.pop_back();
    residues.push_back(&residue);
  }
  return residues;
}

/// Takes free amino acids from the end of a chain that no TER ends: heteroatoms of the 20 amino
/// acids, which stand as ATOM in a chain, without a bond to the residue in front of them.
void leave_out_ligands(std::vector<const gemmi::Residue*>& residues) {
  constexpr char kHeteroatom = 'H';
  const auto is_ligand = [&] {
    const gemmi::Residue& last = *residues.back();
    return last.entity_type == gemmi::EntityType::Unknown && last.het_flag == kHeteroatom &&
           gemmi::find_tabulated_residue(last.name).is_standard() &&
           (residues.size() == 1 ||
            !gemmi::are_connected3(**(residues.end() - 2), last, gemmi::PolymerType::PeptideL));
  };
  while (!residues.empty() && is_ligand()) residues.pop_back();
}

/// The residues of a protein in a chain. `by_places`: whether its residues have places.
ProteinChain protein_chain(const gemmi::Chain& chain, bool by_places, const std::string& label) {
  std::vector<const gemmi::Residue*> residues = residues_of(chain, by_places);
  if (!by_places) leave_out_ligands(residues);
  ProteinChain found{chain.name, {}};
  for (const gemmi::Residue* const residue : residues) {
    const std::string where =
        label + ": chain " + chain.name + ", residue " + residue->seqid.str() + ": ";
    found.residues.push_back({letter_of(*residue), backbone_of(*residue, where)});
  }
  return found;
}

}  // namespace

std::vector<ProteinChain> parse_structure(std::string_view text, StructureFormat format,
                                          const std::string& label) {
  gemmi::Structure structure = structure_of(text, format, label);
  if (structure.models.empty() || structure.models[0].chains.empty()) {
    throw Error(ErrorKind::bad_input, label + ": a structure without atoms",
                "a PDB file has lines of ATOM, an mmCIF file the table _atom_site");
  }
  gemmi::Model& model = structure.models[0];
  model.merge_chain_parts();  // of water and ligands, which have the names of other chains
  const bool by_places = has_places(model);
  std::vector<ProteinChain> chains;
  for (const gemmi::Chain& chain : model.chains) {
    ProteinChain protein = protein_chain(chain, by_places, label);
    if (!protein.residues.empty()) chains.push_back(std::move(protein));
  }
  return chains;
}

}  // namespace accord
