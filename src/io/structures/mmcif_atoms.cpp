// SPDX-License-Identifier: Apache-2.0
// Includes gemmi, and is C++17 for it: headers of gemmi 0.5 are not C++20 for clang.
#include "io/structures/mmcif_atoms.hpp"

#include <cctype>
#include <cstddef>
#include <exception>
#include <gemmi/cif.hpp>
#include <gemmi/numb.hpp>
#include <new>
#include <vector>

#include "accord/base/error.hpp"
#include "io/files/text_input.hpp"
#include "io/structures/residue_names.hpp"

namespace accord {
namespace {

namespace cif = gemmi::cif;

constexpr const char* kCutHint = "the file may be cut off; download it again";

/// The columns of the table, in the order of their tags in atoms_of.
enum Column : std::size_t {
  kX,
  kY,
  kZ,
  kAtom,
  kAuthAtom,
  kResidue,
  kAuthResidue,
  kChain,
  kAuthChain,
  kPlace,
  kNumber,
  kInsertion,
  kLocation,
  kGroup,
  kElement,
  kOccupancy,
  kModel
};

/// Throws if the table lacks an item that is needed.
void check_items(cif::Block& block, const std::string& label) {
  const auto has = [&](const char* tag) {
    return block.find_values(std::string("_atom_site.") + tag).item() != nullptr;
  };
  const auto need = [&](const char* tag, const char* other) {
    if (has(tag) || (other != nullptr && has(other))) return;
    throw Error(ErrorKind::bad_input, label + ": the table _atom_site has no " + tag,
                "it needs Cartn_x, Cartn_y, Cartn_z, label_atom_id and label_comp_id");
  };
  need("Cartn_x", nullptr);
  need("Cartn_y", nullptr);
  need("Cartn_z", nullptr);
  need("label_atom_id", "auth_atom_id");
  need("label_comp_id", "auth_comp_id");
}

cif::Table atoms_of(cif::Block& block) {
  return block.find("_atom_site.",
                    {"Cartn_x", "Cartn_y", "Cartn_z", "?label_atom_id", "?auth_atom_id",
                     "?label_comp_id", "?auth_comp_id", "?label_asym_id", "?auth_asym_id",
                     "?label_seq_id", "?auth_seq_id", "?pdbx_PDB_ins_code", "?label_alt_id",
                     "?group_PDB", "?type_symbol", "?occupancy", "?pdbx_PDB_model_num"});
}

/// The value of a column; empty if there is none.
std::string text_of(const cif::Table::Row& row, Column column) {
  return row.has(column) ? cif::as_string(row[column]) : std::string();
}

std::string text_of(const cif::Table::Row& row, Column first, Column second) {
  return cif::as_string(row.one_of(first, second));
}

/// A number of a residue, as text.
std::string number_of(const cif::Table::Row& row, Column column, const char* tag,
                      const std::string& label) {
  constexpr std::size_t kMostDigits = 9;
  std::string text = text_of(row, column);
  if (text.size() <= kMostDigits) return text;
  throw Error(ErrorKind::bad_input,
              label + ": _atom_site." + tag + " is " + quote(text) + ", which is no number",
              kCutHint);
}

void read_atoms(cif::Block& block, const std::string& label, ResidueList& residues) {
  check_items(block, label);
  cif::Table table = atoms_of(block);
  std::string model;
  bool is_first = true;
  for (const cif::Table::Row row : table) {
    const std::string row_model = text_of(row, kModel);
    if (is_first) model = row_model;
    is_first = false;
    if (row_model != model) continue;
    const std::string name = text_of(row, kAuthAtom, kAtom);
    const std::string residue = text_of(row, kAuthResidue, kResidue);
    const std::string chain = text_of(row, kAuthChain, kChain), part = text_of(row, kChain);
    const std::string place = number_of(row, kPlace, "label_seq_id", label);
    std::string number = number_of(row, kNumber, "auth_seq_id", label);
    number = number.empty() ? place : number + text_of(row, kInsertion);
    const std::string group = text_of(row, kGroup), element = text_of(row, kElement);
    StructureAtom atom;
    atom.name = name;
    atom.residue = residue;
    atom.chain = chain;
    atom.number = number;
    atom.place = place;
    atom.part = part;
    if (row.has(kLocation)) atom.location = cif::as_char(row[kLocation], ' ');
    atom.is_hetero = group.empty() ? !is_amino_acid(residue_name(residue).kind)
                                   : std::toupper(static_cast<unsigned char>(group[0])) == 'H';
    atom.is_calcium = gemmi::iequal(element, "ca");
    if (row.has(kOccupancy)) atom.occupancy = cif::as_number(row[kOccupancy], 1);
    atom.at = {cif::as_number(row[kX]), cif::as_number(row[kY]), cif::as_number(row[kZ])};
    residues.add(atom);
  }
}

/// The block that has the atoms; null if there is none.
cif::Block* block_of_atoms(cif::Document& document, const std::string& label) {
  cif::Block* found = nullptr;
  for (cif::Block& block : document.blocks) {
    bool has_atoms = false;
    for (const cif::Item& item : block.items) has_atoms |= item.has_prefix("_atom_site.");
    if (!has_atoms) continue;
    if (found != nullptr) {
      throw Error(
          ErrorKind::bad_input,
          label + ": atoms in two data blocks, " + quote(found->name) + " and " + quote(block.name),
          "a file has one structure; make a file of each");
    }
    found = &block;
  }
  return found;
}

/// The first line of a message, with the label in front.
std::string problem_of(const std::exception& error, const std::string& label) {
  std::string text = error.what();
  text = text.substr(0, text.find('\n'));
  return text.rfind(label + ":", 0) == 0 ? text : label + ": " + text;
}

}  // namespace

void read_mmcif_atoms(std::string_view text, const std::string& label, ResidueList& residues) {
  try {
    cif::Document document = cif::read_memory(text.data(), text.size(), label.c_str());
    if (cif::Block* const block = block_of_atoms(document, label)) {
      read_atoms(*block, label, residues);
    }
  } catch (const Error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {  // of gemmi
    throw Error(ErrorKind::bad_input, problem_of(error, label), kCutHint);
  }
}

}  // namespace accord
