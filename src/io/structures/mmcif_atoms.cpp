// SPDX-License-Identifier: Apache-2.0
// Includes gemmi, and is C++17 for it: headers of gemmi 0.5 are not C++20 for clang.
#include "io/structures/mmcif_atoms.hpp"

#include <cctype>
#include <cstddef>
#include <exception>
#include <gemmi/cif.hpp>
#include <gemmi/numb.hpp>
#include <new>
#include <unordered_map>
#include <unordered_set>
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
  kBFactor,
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
  return block.find(
      "_atom_site.",
      {"Cartn_x", "Cartn_y", "Cartn_z", "?label_atom_id", "?auth_atom_id", "?label_comp_id",
       "?auth_comp_id", "?label_asym_id", "?auth_asym_id", "?label_seq_id", "?auth_seq_id",
       "?pdbx_PDB_ins_code", "?label_alt_id", "?group_PDB", "?type_symbol", "?occupancy",
       "?B_iso_or_equiv", "?pdbx_PDB_model_num"});
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

/// The pLDDT of residues in the table _ma_qa_metric_local, by their key.
using LocalPlddt = std::unordered_map<std::string, double>;

std::string residue_key(const std::string& part, const std::string& place) {
  return part + '/' + place;
}

/// Whether a metric of a model is the pLDDT, by its name or its type ("pLDDT in [0,1]").
bool is_plddt(const std::string& name) { return gemmi::istarts_with(name, "plddt"); }

/// The local pLDDT of the first model that has one.
LocalPlddt local_plddt(cif::Block& block) {
  std::unordered_set<std::string> metrics;  // their ids
  for (const cif::Table::Row row : block.find("_ma_qa_metric.", {"id", "?name", "?type"})) {
    const bool is_named = row.has(1) && is_plddt(cif::as_string(row[1]));
    const bool is_typed = row.has(2) && is_plddt(cif::as_string(row[2]));
    if (is_named || is_typed) metrics.insert(cif::as_string(row[0]));
  }
  LocalPlddt found;
  for (const cif::Table::Row row :
       block.find("_ma_qa_metric_local.",
                  {"label_asym_id", "label_seq_id", "metric_id", "metric_value"})) {
    if (metrics.count(cif::as_string(row[2])) == 0) continue;
    found.emplace(residue_key(cif::as_string(row[0]), cif::as_string(row[1])),
                  cif::as_number(row[3]));
  }
  return found;
}

/// What a block says of the origin of its structure.
StructureOrigin origin_of(cif::Block& block) {
  StructureOrigin origin;
  const auto for_each = [&](const char* tag, const auto& take) {
    for (const std::string& value : block.find_values(tag)) {
      if (!cif::is_null(value)) take(cif::as_string(value));
    }
  };
  for_each("_ma_qa_metric.name", [&](const std::string& name) { origin.take_text(name); });
  for_each("_ma_qa_metric.type", [&](const std::string& type) { origin.take_text(type); });
  for_each("_struct.title", [&](const std::string& title) { origin.take_text(title); });
  for_each("_software.name", [&](const std::string& name) { origin.take_text(name); });
  for_each("_exptl.method", [&](const std::string& method) { origin.take_method(method); });
  for_each("_cell.length_a",
           [&](const std::string& length) { origin.take_cell(cif::as_number(length, 0)); });
  return origin;
}

void read_atoms(cif::Block& block, const std::string& label, ResidueList& residues) {
  check_items(block, label);
  const LocalPlddt plddt = local_plddt(block);
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
    atom.element = element;
    if (row.has(kLocation)) atom.location = cif::as_char(row[kLocation], ' ');
    atom.is_hetero = group.empty() ? !is_amino_acid(residue_name(residue).kind)
                                   : std::toupper(static_cast<unsigned char>(group[0])) == 'H';
    atom.is_calcium = gemmi::iequal(element, "ca");
    if (row.has(kOccupancy)) atom.occupancy = cif::as_number(row[kOccupancy], 1);
    if (const auto local = plddt.find(residue_key(part, place)); local != plddt.end()) {
      atom.b_factor = local->second;
    } else if (plddt.empty() && row.has2(kBFactor)) {
      atom.b_factor = cif::as_number(row[kBFactor]);
    }
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

StructureOrigin read_mmcif_atoms(std::string_view text, const std::string& label,
                                 ResidueList& residues) {
  try {
    cif::Document document = cif::read_memory(text.data(), text.size(), label.c_str());
    if (cif::Block* const block = block_of_atoms(document, label)) {
      read_atoms(*block, label, residues);
      return origin_of(*block);
    }
    return {};
  } catch (const Error&) {
    throw;
  } catch (const std::bad_alloc&) {
    throw;
  } catch (const std::exception& error) {  // of gemmi
    throw Error(ErrorKind::bad_input, problem_of(error, label), kCutHint);
  }
}

}  // namespace accord
