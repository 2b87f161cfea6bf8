// SPDX-License-Identifier: Apache-2.0
// Structure files: their chains, the secondary structure of these, and what is refused. The files
// in tests/data/structures are the backbones of entries of the Protein Data Bank.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

#include "accord/base/error.hpp"
#include "base/text.hpp"
#include "io/families/family_reader.hpp"
#include "io/families/input_files.hpp"
#include "io/files/text_input.hpp"
#include "io/formats/formats.hpp"
#include "io/structures/hydrogen_bonds.hpp"
#include "io/structures/secondary_structure.hpp"
#include "io/structures/structure_reader.hpp"
#include "io/structures/structure_records.hpp"
#include "support/paths.hpp"
#include "support/pdb_lines.hpp"
#include "support/scratch.hpp"
#include "support/structure_texts.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

using enum AlignmentFormat;

std::string data_path(const std::string& name) {
  return source_dir() + "/tests/data/structures/" + name;
}

std::string text_of(const std::string& name) { return read_text(data_path(name)); }

const std::string kAtomSite =
    "data_x\nloop_\n_atom_site.group_PDB\n_atom_site.id\n_atom_site.type_symbol\n"
    "_atom_site.label_atom_id\n_atom_site.label_alt_id\n_atom_site.label_comp_id\n"
    "_atom_site.label_asym_id\n_atom_site.label_seq_id\n_atom_site.Cartn_x\n"
    "_atom_site.Cartn_y\n_atom_site.Cartn_z\n_atom_site.occupancy\n_atom_site.B_iso_or_equiv\n"
    "_atom_site.auth_seq_id\n_atom_site.auth_asym_id\n";

}  // namespace

TEST_CASE("structures: sequence and secondary structure of known entries, as DSSP has them") {
  struct Known {
    const char *file, *name, *letters, *track;
  };
  const Known known[] = {
      {"1orc.pdb", "1orc", "QRITLKDYAMRFGQTKTAKDLGVYQSAINKAIHAGRKIFLTINADGSVYAEEVKDGEVKPFPSN",
       "CCEEHHHHHHHHCHHHHHHHHCCCHHHHHHHHHCCCEEEEEECCCCCEEEEEEECCEEEECCCC"},
      // Selenomethionine is M.
      {"1a8o.pdb", "1a8o", "MDIRQGPKEPFRDYVDRFYKTLRAEQASQEVKNWMTETLLVQNANPDCKTILKALGPGATLEEMMTACQG",
       "CCCCCCCCCCHHHHHHHHHHHHHCCCCCHHHHHHHHHCHHHHCCCHHHHHHHHCCCCCCCHHHHHHHCCC"}};
  for (const Known& entry : known) {
    const std::string text = text_of(entry.file);
    CHECK(detect_format(text) == pdb);
    const std::vector<SequenceRecord> records = parse_records(text, pdb, data_path(entry.file));
    REQUIRE(records.size() == 1);
    CHECK(records[0].header == entry.name);
    CHECK(records[0].letters == entry.letters);
    CHECK(records[0].track == entry.track);
  }
}

TEST_CASE("structures: strands of different chains pair, and each chain is a sequence") {
  const std::string text = text_of("2beg.cif.gz");
  CHECK(detect_format(text) == mmcif);
  const std::vector<SequenceRecord> records = parse_records(text, mmcif, "d/2beg.cif.gz");
  REQUIRE(records.size() == 5);
  for (std::size_t k = 0; k < records.size(); ++k) {
    CHECK(records[k].header == std::string("2beg_") + "ABCDE"[k]);
    CHECK(records[k].letters == "LVFFAEDVGSNKGAIIGLMVGGVVIA");
    CHECK(records[k].track == "CEEEEEEEEECCCCEEEEEEEEEEEC");
  }
  std::vector<ProteinChain> chains = parse_structure(text, StructureFormat::mmcif, "in");
  chains.resize(1);  // nothing to pair with
  CHECK(secondary_structure(chains)[0] == std::string(26, 'C'));
}

TEST_CASE(
    "structures: no hydrogen bond is made across a break, and a part of a residue is unknown") {
  std::vector<ProteinChain> chains =
      parse_structure(text_of("1orc.pdb"), StructureFormat::pdb, "in");
  const std::string whole = secondary_structure(chains)[0];
  CHECK(backbone_sites(chains).back().run == 1);
  std::vector<ChainResidue>& residues = chains[0].residues;
  residues[7].backbone.reset();  // in the first helix
  const std::string partly = secondary_structure(chains)[0];
  CHECK(partly[7] == '?');
  CHECK(std::count(partly.begin(), partly.end(), '?') == 1);
  CHECK(partly.substr(12) == whole.substr(12));
  CHECK(partly.substr(0, 4) == whole.substr(0, 4));
  CHECK(backbone_sites(chains).back().run == 2);
  CHECK_FALSE(backbone_sites(chains)[7].hydrogen);  // of an N without the residue before
  residues.erase(residues.begin() + 7);
  CHECK(secondary_structure(chains)[0] == partly.substr(0, 7) + partly.substr(8));
  // Residues at a distance of chains alone.
  for (ChainResidue& residue : residues) {
    residue.backbone->n.x += 50;
    if (&residue != &residues.back()) continue;
    CHECK(secondary_structure(chains)[0].size() == residues.size());
  }
}

TEST_CASE("structures: energies of hydrogen bonds") {
  // N-H and C=O on a line, 2.9 Å from N to O: a good bond; and 5 Å: none.
  const auto chains_at = [](double distance) {
    const auto residue = [](double n, double c, double o) {
      return ChainResidue{'A', BackboneAtoms{{n, 0, 0}, {n, 1.5, 0}, {c, 0, 0}, {o, 0, 0}}};
    };
    std::vector<ProteinChain> chains = {{"A", {residue(-4, -1.3, -2.5), residue(0, 40, 41)}},
                                        {"B", {residue(8, distance + 1.2, distance)}}};
    return chains;
  };
  CHECK(HydrogenBonds(backbone_sites(chains_at(2.9))).has(1, 2));
  CHECK_FALSE(HydrogenBonds(backbone_sites(chains_at(2.9))).has(2, 1));
  CHECK_FALSE(HydrogenBonds(backbone_sites(chains_at(6.5))).has(1, 2));
  std::vector<ProteinChain> proline = chains_at(2.9);
  proline[0].residues[1].letter = 'P';
  CHECK_FALSE(HydrogenBonds(backbone_sites(proline)).has(1, 2));
  CHECK(secondary_structure({}).empty());
}

TEST_CASE("structures: which residues belong to a chain") {
  const std::string two = residue_of({.residue = "GLY"}) + residue_of({.number = 2});
  CHECK(read(two) == Named{{"in", "GA"}});
  // Ligands behind TER, water, nucleotides; the second model.
  CHECK(read("MODEL        1\n" + two + "TER\n" +
             residue_of({.residue = "GLU", .type = "HETATM", .number = 3}) + "ENDMDL\nMODEL 2\n" +
             residue_of({.residue = "TRP"}))[0]
            .second == "GA");
  CHECK(read(two + residue_of({.residue = "HOH", .number = 3}) +
             residue_of({.residue = " DA", .number = 4}))[0]
            .second == "GA");
  // A modified residue, an unknown one, and a calcium ion.
  CHECK(read("SEQRES   1 A    4  GLY ALA MSE QQQ\n" + two +
             residue_of({.residue = "MSE", .type = "HETATM", .number = 3}) +
             residue_of({.residue = "QQQ", .type = "HETATM", .number = 4}) +
             line_of({.residue = " CA", .type = "HETATM", .number = 5}))[0]
            .second == "GAMX");
  // Without TER, a free amino acid is a ligand, if heteroatoms have no bond to the chain; also in a
  // chain without other residues.
  const std::string ligand = residue_of({.residue = "GLU", .type = "HETATM", .number = 3});
  CHECK(read(two + ligand)[0].second == "GA");
  CHECK(read(two + ligand + residue_of({.residue = "ASP", .type = "HETATM", .number = 4}))[0]
            .second == "GA");
  CHECK(read(two + residue_of({.residue = "GLU", .number = 3}))[0].second == "GAE");
  CHECK(read(two + ligand + residue_of({.number = 4}))[0].second == "GAEA");
  CHECK(read(two + residue_of({.residue = "GLU", .chain = "B", .type = "HETATM"})).size() == 1);
  std::string bonded = residue_of({.residue = "GLU", .type = "HETATM", .number = 2});
  for (std::size_t at = bonded.find("HETATM"); at != bonded.npos;
       at = bonded.find("HETATM", at + 1)) {
    bonded[at + 25] = '3';  // number 3, at the place of number 2
  }
  CHECK(read(two + bonded)[0].second == "GAE");
  // Alternatives: the highest occupancy, else the first; insertions are residues.
  const auto alternative = [](const char* name, const char* altloc, double occupancy) {
    return residue_of({.residue = name, .altloc = altloc, .number = 3, .occupancy = occupancy});
  };
  CHECK(read(two + alternative("SER", "A", .3) + alternative("THR", "B", .7))[0].second == "GAT");
  CHECK(read(two + alternative("SER", "A", .5) + alternative("THR", "B", .5))[0].second == "GAS");
  std::string inserted = residue_of({.residue = "TRP", .number = 2});
  for (std::size_t at = 26; at < inserted.size(); at += inserted.size() / 4) inserted[at] = 'A';
  CHECK(read(two + inserted)[0].second == "GAW");
  // Names of chains: with several, and where a chain has none.
  CHECK(read(two + residue_of({.chain = "B"}) + residue_of({.chain = " "})) ==
        Named{{"in_A", "GA"}, {"in_B", "A"}, {"in", "A"}});
}

TEST_CASE("structures: mmCIF has places in the sequence, and comments in front") {
  std::string rows;
  int id = 0;
  const auto add = [&](const char* residue, const char* place, int number, const char* chain,
                       const char* type = "ATOM") {
    for (const char* atom : {"N", "CA", "C", "O"}) {
      ++id;
      rows += formatted("%s %d %c %s . %s X %s %d 0 %d 1 0 %d %s\n", type, id, atom[0], atom,
                        residue, place, 9 * number, id, number, chain);
    }
  };
  add("GLY", "1", 1, "H");
  add("GLU", ".", 90, "H", "HETATM");  // a ligand
  add("TRP", "1", 1, "L");
  CHECK(read("# comment\n\n" + kAtomSite + rows, mmcif) == Named{{"in_H", "G"}, {"in_L", "W"}});
  CHECK(detect_format("# comment\n\n" + kAtomSite + rows) == mmcif);
  CHECK(detect_format("data_x ACDE\ndata_y AC-E\n") != mmcif);
  CHECK(complaint(kAtomSite + rows.substr(0, rows.size() - 9), mmcif).starts_with("in:"));
  CHECK(complaint(kAtomSite + "ATOM 1 C CA . GLY X 1 0 zero 0 1 0 1 H\n" + rows, mmcif)
            .starts_with("in: chain H, residue 1: "));
  CHECK(complaint(kAtomSite + "ATOM 1 C CA . GLY X 1 0 0 0 1 0 12345678901 H\n", mmcif)
            .starts_with("in: _atom_site.auth_seq_id is \"12345678901\""));
}

TEST_CASE("structures: what is cut off or has no protein is refused in one line") {
  const std::string whole = text_of("1orc.pdb");
  const std::size_t middle = whole.find('\n', whole.size() / 2);
  CHECK(complaint(whole.substr(0, middle + 31)).find("that ends in column 30") < whole.size());
  CHECK(complaint(whole.substr(0, middle + 31)).starts_with("in:"));
  std::string odd = residue_of({});
  odd.replace(31, 5, "x.123");
  CHECK(complaint(odd) == "in:1: \"x.12350\" is no coordinate of an atom");
  odd = residue_of({});
  odd[18] = '\xe4';
  CHECK(complaint(odd) == "in:1: a record of an atom with characters that are not ASCII");
  CHECK(complaint("HEADER\nEND\n") == "in: a structure without atoms");
  CHECK(complaint("data_x\n_cell.length_a 1\n", mmcif) == "in: a structure without atoms");
  CHECK(complaint(residue_of({.residue = " DA"})) == "in: no protein chain");
  CHECK(complaint(line_of({.name = "CB"})) == "in: no protein chain");
  const std::string cif = text_of("2beg.cif.gz");
  for (const std::size_t size : {cif.size() / 2, cif.size() / 3, std::size_t{300}}) {
    CAPTURE(size);
    CHECK(complaint(cif.substr(0, size), mmcif) != "no error");
  }
  // A file that ends in front of its atoms is known by its suffix.
  CHECK(detect_format("HEADER    VIRUS\n", "a.pdb.gz") == pdb);
  CHECK_FALSE(detect_format("HEADER    VIRUS\n", "a.txt").has_value());
}

TEST_CASE("structures: chains are chosen by name, and CAs alone cause a warning") {
  const std::string two = residue_of({.residue = "GLY"}) + residue_of({.chain = "B"});
  const auto names = [&](const std::vector<std::string>& chosen) {
    std::vector<std::string> found;
    for (const SequenceRecord& record : parse_chains(two, pdb, "d/x.y.ent.gz", chosen)) {
      found.emplace_back(record.name());
    }
    return found;
  };
  CHECK(names({"B"}) == std::vector<std::string>{"x.y"});
  CHECK(names({"B", "A"}) == std::vector<std::string>{"x.y_B", "x.y_A"});
  try {
    names({"a"});
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(std::string(error.what()) == "d/x.y.ent.gz: no protein chain \"a\"");
    CHECK(error.hint().starts_with("its protein chains are A"));
  }
  WarningCatcher caught;
  const std::vector<SequenceRecord> records =
      parse_records(line_of({}) + line_of({.number = 2}), pdb, "in");
  CHECK(records[0].letters == "AA");
  CHECK(records[0].track == "??");
  REQUIRE(caught.warnings().size() == 1);
  CHECK(caught.warnings()[0].find("no residue has all atoms of the backbone in chain A") !=
        std::string::npos);
}

TEST_CASE("structures: a folder stands for its structures, FILE:A,B for two chains") {
  const ScratchDirectory work;
  work.write("d/b.pdb", "");
  work.write("d/a.CIF.gz", "");
  work.write("d/notes.txt", "");
  work.write("d/.hidden.pdb", "");
  work.write("d/inner/c.pdb", "");
  work.write("e/x.fa", "");
  const std::string d = work.path("d"), f = work.path("e/x.fa"), b = d + "/b.pdb";
  const std::vector<InputFile> files =
      files_of_inputs({d, f, b + ":A,B", work.path("e"), "-", b + ".no:A"});
  std::vector<std::string> paths;
  for (const InputFile& file : files) paths.push_back(file.path);
  CHECK(paths ==
        std::vector<std::string>{d + "/a.CIF.gz", b, f, b, work.path("e"), "-", b + ".no:A"});
  CHECK(files[3].chains == std::vector<std::string>{"A", "B"});
  CHECK(files[3].named == b + ":A,B");
  CHECK(is_structure_folder(d));
  CHECK_FALSE(is_structure_folder(work.path("e")));
  WarningCatcher caught;
  warn_of_other_files({d, work.path("e"), b});
  REQUIRE(caught.warnings().size() == 1);
  CHECK(caught.warnings()[0].find("1 file is no structure and is left out: \"notes.txt\"") !=
        std::string::npos);
}

TEST_CASE("structures: a family of them has tracks, unless the run takes none") {
  FamilySource source;
  source.files = {data_path("1orc.pdb"), data_path("2beg.cif.gz") + ":A"};
  source.takes_track = true;
  const FamilyInput input = read_family(source, true);
  CHECK(input.source.track.is_of_structures);
  CHECK(input.source.track.table->name == "ss3");
  CHECK(input.set.type() == ResidueType::protein);
  CHECK(input.set.track(input.set.from_input(1)) == "CEEEEEEEEECCCCEEEEEEEEEEEC");
  CHECK(input.files[1].path == source.files[1]);
  WarningCatcher caught;
  source.takes_track = false;
  const FamilyInput without = read_family(source);
  CHECK(without.set.track(0).empty());
  REQUIRE(caught.warnings().size() == 1);
  CHECK(caught.warnings()[0].find("the sequences alone") != std::string::npos);
}
