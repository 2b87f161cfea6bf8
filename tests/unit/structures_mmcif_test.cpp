// SPDX-License-Identifier: Apache-2.0
// mmCIF files of other programs: no residue is lost without a word.
#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "io/formats/formats.hpp"
#include "support/scratch.hpp"
#include "support/structure_texts.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

using enum AlignmentFormat;

/// The items of a row of _atom_site.
using Row = std::vector<std::pair<std::string, std::string>>;

/// Rows of residues. Places are consecutive, or "." for residues in `without_place`.
std::vector<Row> rows_of(const std::vector<std::string>& names, const std::string& chain,
                         const std::string& without_place = "", const std::string& type = "ATOM") {
  std::vector<Row> rows;
  for (std::size_t k = 0; k < names.size(); ++k) {
    const std::string number = std::to_string(k + 1);
    for (const std::string atom : {"N", "CA", "C", "O"}) {
      const std::string id = std::to_string(20 * k + rows.size());
      rows.push_back(
          {{"group_PDB", type},
           {"id", id},
           {"type_symbol", atom.substr(0, 1)},
           {"label_atom_id", atom},
           {"label_alt_id", "."},
           {"label_comp_id", names[k]},
           {"label_asym_id", chain},
           {"label_seq_id", without_place.find(number) == std::string::npos ? number : "."},
           {"pdbx_PDB_ins_code", "?"},
           {"Cartn_x", id},
           {"Cartn_y", "0"},
           {"Cartn_z", "0"},
           {"occupancy", "1"},
           {"B_iso_or_equiv", "0"},
           {"auth_seq_id", number},
           {"auth_comp_id", names[k]},
           {"auth_asym_id", chain},
           {"auth_atom_id", atom},
           {"pdbx_PDB_model_num", "1"}});
    }
  }
  return rows;
}

std::string cif_of(const std::vector<Row>& rows, const std::vector<std::string>& left_out = {},
                   const std::string& block = "data_x\n") {
  const auto is_shown = [&](const std::string& item) {
    return std::ranges::find(left_out, item) == left_out.end();
  };
  std::string text = block + "loop_\n";
  for (const auto& [item, value] : rows.at(0)) {
    if (is_shown(item)) text += "_atom_site." + item + '\n';
  }
  for (const Row& row : rows) {
    for (const auto& [item, value] : row) text += is_shown(item) ? value + ' ' : "";
    text += '\n';
  }
  return text;
}

std::vector<Row> joined(std::vector<Row> rows, const std::vector<Row>& more) {
  rows.insert(rows.end(), more.begin(), more.end());
  return rows;
}

}  // namespace

TEST_CASE("structures: mmCIF needs coordinates and names alone") {
  std::vector<Row> rows = rows_of({"GLY", "ALA", "SER"}, "A");
  rows = joined(rows, rows_of({"VAL", "LEU"}, "B"));
  rows = joined(rows, rows_of({"SAM"}, "C", "1", "HETATM"));
  const Named whole = {{"in_A", "GAS"}, {"in_B", "VL"}};
  CHECK(read(cif_of(rows), mmcif) == whole);
  for (const auto& field : rows[0]) {
    const std::string item = field.first;
    CAPTURE(item);
    if (item.starts_with("Cartn")) {
      CHECK(complaint(cif_of(rows, {item}), mmcif) == "in: the table _atom_site has no " + item);
    } else {
      CHECK(read(cif_of(rows, {item}), mmcif) == whole);
    }
  }
  CHECK(complaint(cif_of(rows, {"label_atom_id", "auth_atom_id"}), mmcif) ==
        "in: the table _atom_site has no label_atom_id");
  CHECK(complaint(cif_of(rows, {"label_comp_id", "auth_comp_id"}), mmcif) ==
        "in: the table _atom_site has no label_comp_id");
  // Without all items that may lack, or with those of the authors alone.
  std::vector<std::string> optional, labels;
  for (const auto& [item, value] : rows[0]) {
    const bool is_needed = item.starts_with("Cartn") || item == "label_atom_id" ||
                           item == "label_comp_id" || item == "label_asym_id";
    if (!is_needed) optional.push_back(item);
    if (item.starts_with("label")) labels.push_back(item);
  }
  CHECK(read(cif_of(rows, optional), mmcif) == whole);
  CHECK(read(cif_of(rows, labels), mmcif) == whole);
  optional.push_back("label_asym_id");
  CHECK(read(cif_of(rows_of({"GLY", "GLY", "SER"}, "A"), optional), mmcif) == Named{{"in", "GGS"}});
  for (Row& row : rows) {
    for (auto& [item, value] : row) {
      if (item == "auth_asym_id" || item == "auth_seq_id") value = "?";
    }
  }
  CHECK(read(cif_of(rows), mmcif) == whole);
}

TEST_CASE("structures: mmCIF with places in some rows only") {
  CHECK(read(cif_of(joined(rows_of({"GLY", "ALA"}, "A"), rows_of({"VAL", "LEU"}, "B", "12"))),
             mmcif) == Named{{"in_A", "GA"}, {"in_B", "VL"}});
  CHECK(read(cif_of(rows_of({"GLY", "ALA", "SER", "VAL"}, "A", "24")), mmcif) ==
        Named{{"in", "GASV"}});
  std::vector<Row> rows = rows_of({"GLY", "MSE", "SER", "MSE"}, "A", "24");
  for (Row& row : rows) {
    if (row[5].second == "MSE") row[0].second = "HETATM";
  }
  const WarningCatcher caught;
  CHECK(read(cif_of(rows), mmcif) == Named{{"in", "GMS"}});
  CHECK(only(caught).find("in.cif: ligands without a bond to a chain are left out: "
                          "\"MSE 4 of chain A\"") != std::string::npos);
  // One name of a chain for two, as the numbers tell.
  rows = joined(rows_of({"GLY", "ALA"}, "A"), rows_of({"VAL", "LEU"}, "B"));
  for (Row& row : rows) row[16].second = "X";
  CHECK(read(cif_of(rows), mmcif) == Named{{"in_X", "GA"}, {"in_X-2", "VL"}});
}

TEST_CASE("structures: ligands of mmCIF, behind a chain and as a chain with a place") {
  const WarningCatcher caught;
  CHECK(read(cif_of(joined(rows_of({"GLY", "ALA"}, "A"), rows_of({"SAM"}, "S", "", "HETATM"))),
             mmcif) == Named{{"in", "GA"}});
  CHECK(only(caught).find("\"SAM 1 of chain S\"") != std::string::npos);
  // Places of water show that places are no more than numbers.
  CHECK(read(cif_of(joined(
                 joined(rows_of({"GLY", "ALA"}, "A"), rows_of({"SAM", "GLU"}, "A", "", "HETATM")),
                 rows_of({"HOH"}, "A", "", "HETATM"))),
             mmcif) == Named{{"in", "GA"}});
}

TEST_CASE("structures: a second data block with atoms is refused") {
  const std::string cif = cif_of(rows_of({"GLY", "ALA"}, "A"));
  CHECK(complaint(cif + cif_of(rows_of({"VAL"}, "A"), {}, "data_y\n"), mmcif) ==
        "in: atoms in two data blocks, \"x\" and \"y\"");
  CHECK(read(cif + "data_comp_SAM\n_chem_comp.id SAM\n", mmcif) == Named{{"in", "GA"}});
}

TEST_CASE("structures: a table of mmCIF whose columns look like a PDB file is mmCIF") {
  const std::string cif =
      cif_of(rows_of({"MET"}, "A"), {"label_alt_id", "auth_comp_id"}) +
      "ATOM 1   N N   . MET A ? 1  ? -23.827 -37.620 4.314   1.0 62.04 1  A 1\n";
  CHECK(detect_format(cif) == mmcif);
  CHECK(detect_format("text\nATOM      1  N   GLY A   1      12.772  36.309   7.065\n") == pdb);
  CHECK(detect_format("text\nATOM      1  N   GLY A   1      12.772  36.309\n") != pdb);
}
