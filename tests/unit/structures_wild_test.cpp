// SPDX-License-Identifier: Apache-2.0
// Structure files of other programs: no residue is lost without a word.
#include <doctest/doctest.h>

#include <algorithm>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.hpp"
#include "io/files/text_input.hpp"
#include "io/formats/formats.hpp"
#include "io/structures/residue_names.hpp"
#include "support/paths.hpp"
#include "support/pdb_lines.hpp"
#include "support/scratch.hpp"
#include "support/structure_texts.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

using enum AlignmentFormat;
/// The number of records of CAs.
std::size_t count_of_cas(const std::string& text) {
  std::size_t count = 0;
  for (LineReader lines(text); lines.next();) {
    count += lines.line().size() > 20 && lines.line().substr(12, 4) == " CA " ? 1 : 0;
  }
  return count;
}

std::string name_of(char letter) {
  const std::string letters = "ARNDCQEGHILKMFPSTWYV";
  const std::string names = "ALAARGASNASPCYSGLNGLUGLYHISILELEULYSMETPHEPROSERTHRTRPTYRVAL";
  return names.substr(3 * letters.find(letter), 3);
}

/// Residues with consecutive numbers from that of `like`.
std::string residues_of(std::string_view letters, AtomLine like) {
  std::string lines;
  for (const char letter : letters) {
    like.residue = name_of(letter);
    lines += residue_of(like);
    ++like.number;
  }
  return lines;
}

std::string residues_of(const std::vector<std::string>& names, AtomLine like) {
  std::string lines;
  for (const std::string& name : names) {
    like.residue = name;
    lines += residue_of(like);
    ++like.number;
  }
  return lines;
}

/// The lines of a file of tests/data/structures, each changed by `change`.
std::string changed(const std::string& file,
                    const std::function<std::string(std::string line)>& change) {
  const std::string text = read_text(source_dir() + "/tests/data/structures/" + file);
  std::string lines;
  for (LineReader reader(text); reader.next();) lines += change(std::string(reader.line())) + '\n';
  return lines;
}

const std::string kTer = "TER\n";
const std::string kOrc = "QRITLKDYAMRFGQTKTAKDLGVYQSAINKAIHAGRKIFLTINADGSVYAEEVKDGEVKPFPSN";

}  // namespace

TEST_CASE("structures: TER, names of chains and numbers that come again lose no residue") {
  const AtomLine a, b = {.chain = "B"}, none = {.chain = " "}, a4 = {.number = 4};
  const AtomLine none4 = {.chain = " ", .number = 4}, a5 = {.number = 5};
  struct Case {
    const char* what;
    std::string text;
    Named expected;
    bool is_renamed = false;
  };
  const Case cases[] = {
      {"TER in a chain",
       residues_of("GAS", a) + kTer + residues_of("VL", a4) + kTer,
       {{"in", "GASVL"}}},
      {"Amber",
       residues_of("GAS", none) + kTer + residues_of("VLI", none4) + kTer,
       {{"in_1", "GAS"}, {"in_2", "VLI"}},
       true},
      {"A, B, A",
       residues_of("GAS", a) + kTer + residues_of("VL", b) + kTer + residues_of("MMW", a) + kTer,
       {{"in_A", "GAS"}, {"in_B", "VL"}, {"in_A-2", "MMW"}},
       true},
      {"A, B, A without TER",
       residues_of("GAS", a) + residues_of("VL", b) + residues_of("MMW", a),
       {{"in_A", "GAS"}, {"in_B", "VL"}, {"in_A-2", "MMW"}},
       true},
      {"A goes on behind B",
       residues_of("GAS", a) + residues_of("VL", b) + residues_of("MW", a4),
       {{"in_A", "GASMW"}, {"in_B", "VL"}}},
      {"numbers begin again",
       residues_of("GAS", none) + residues_of("GVS", none),
       {{"in_1", "GAS"}, {"in_2", "GVS"}},
       true},
      {"numbers begin again below",
       residues_of("GAS", a5) + residues_of("MWWVTIL", a),
       {{"in_A", "GAS"}, {"in_A-2", "MWWVTIL"}},
       true},
      {"a chain of the name 1",
       residues_of("GAS", none) + kTer + residues_of("VL", none4) + kTer +
           residues_of("W", {.chain = "1"}) + kTer,
       {{"in_2", "GAS"}, {"in_3", "VL"}, {"in_1", "W"}},
       true},
      {"one number for all",
       residues_of("G", {.shown_number = "****"}) +
           residues_of("G", {.number = 2, .shown_number = "****"}) +
           residues_of("S", {.number = 3, .shown_number = "****"}),
       {{"in", "GGS"}}},
      {"no letters of insertions",
       residues_of("GS", a) + residues_of("S", {.number = 3, .shown_number = "2"}) +
           residues_of("A", {.number = 4, .shown_number = "2"}),
       {{"in", "GSSA"}}},
      {"segments",
       residues_of("GAS", {.chain = " ", .segment = "PROA"}) +
           residues_of("VL", {.chain = " ", .number = 4, .segment = "PROB"}),
       {{"in_1", "GAS"}, {"in_2", "VL"}},
       true},
      {"segments of one name",
       residues_of("GAS", {.segment = "PROA"}) + kTer +
           residues_of("VL", {.number = 4, .segment = "PROB"}),
       {{"in_A", "GAS"}, {"in_A-2", "VL"}},
       true},
      {"numbers below 0", residues_of("GASVL", {.number = -2}), {{"in", "GASVL"}}}};
  for (const Case& known : cases) {
    CAPTURE(known.what);
    const WarningCatcher caught;
    const Named found = read(known.text);
    CHECK(found == known.expected);
    std::size_t residues = 0;
    for (const auto& [name, letters] : found) residues += letters.size();
    CHECK(residues == count_of_cas(known.text));
    CHECK(caught.warnings().empty() == !known.is_renamed);
    if (known.is_renamed)
      CHECK(only(caught).find("chains that share a name, or have none") != std::string::npos);
  }
  // The second chain of a name can be chosen.
  CHECK(parse_chains(cases[2].text, pdb, "in.pdb", {"A-2"})[0].letters == "MMW");
}

TEST_CASE("structures: a chain of 10,020 residues is whole, however its numbers go on") {
  std::string letters;
  for (int k = 0; k < 10020; ++k) letters += "ARNDCQEGHILKMFPSTWYV"[(k * k + k / 7) % 20];
  const std::pair<const char*, std::function<std::string(int)>> programs[] = {
      {"from 0", [](int n) { return std::to_string(n % 10000); }},
      {"from 1", [](int n) { return std::to_string(n > 9999 ? n - 9999 : n); }},
      {"from -999", [](int n) { return std::to_string(n > 9999 ? n - 10999 : n); }},
      {"five digits", [](int n) { return std::to_string(n); }},
      {"cut", [](int n) { return std::to_string(n).substr(0, 4); }},
      {"stars", [](int n) { return n > 9999 ? "****" : std::to_string(n); }},
      {"hexadecimal", [](int n) { return n > 9999 ? formatted("%x", n) : std::to_string(n); }},
      {"hybrid-36",
       [](int n) { return n > 9999 ? formatted("A%03d", n - 10000) : std::to_string(n); }},
      {"none", [](int) { return std::string("    "); }}};
  for (const char* chain : {"A", " "}) {
    for (const auto& program : programs) {
      CAPTURE(program.first);
      std::string text;
      for (int k = 0; k < 10020; ++k) {
        text += line_of({.name = "N",
                         .residue = name_of(letters[k]),
                         .chain = chain,
                         .x = 10.0 * (k % 100),
                         .shown_number = program.second(k + 1)});
        text += line_of({.residue = name_of(letters[k]),
                         .chain = chain,
                         .x = 10.0 * (k % 100) + 1,
                         .shown_number = program.second(k + 1)});
      }
      CHECK(read(text) == Named{{"in", letters}});
    }
  }
}

TEST_CASE("structures: names of residues of force fields, also with four letters") {
  const std::pair<char, const char*> known[] = {
      {'C', "CYX CYM CYN CYT CYS2 CYSH CYSS NCYX CCYS"},
      {'D', "ASH ASPP ASPH NASP CASP"},
      {'E', "GLH GLUP GLUH PGLU CGLU"},
      {'H', "HID HIE HIP HSD HSE HSP HSC HISD HISE HISH HISA HISB HIS1 NHID CHIE NHISD hid"},
      {'K', "LYN LYP LSN LYSH NLYS"},
      {'L', "NLEU CLEU DLEU"},
      {'M', "NMET CMET MSE"},
      {'N', "CASN ASN1"},
      {'R', "ARN ARGN"},
      {'Y', "TYM TYRU"},
      {'A', "NALA CALA DALA DAL Ala"}};
  for (const auto& [letter, names] : known) {
    for (const std::string_view name : split(names, ' ')) {
      CAPTURE(name);
      CHECK(residue_name(name).letter == letter);
      CHECK(is_amino_acid(residue_name(name).kind));
    }
  }
  for (const std::string_view name : {"HOH", "SAM", "TIP3", "POPC", "DA", "A", "NME", "", "QALA"}) {
    CAPTURE(name);
    CHECK_FALSE(is_amino_acid(residue_name(name).kind));
  }
  CHECK(residue_name(std::string(1000000, 'N')).kind == CompoundKind::unknown);
  // In a file of CAs, known or not.
  CHECK(read(line_of({.residue = "MET"}) + line_of({.residue = "HSD", .number = 2}) +
             line_of({.residue = "QQQ", .number = 3, .x = 3.8}) +
             line_of({.residue = "LEU", .number = 4})) == Named{{"in", "MHXL"}});
  // Column 21 belongs to the name of the residue, or to that of the chain.
  for (const char* chain : {"A", " "}) {
    CHECK(read(residues_of({"NMET", "ALA", "HISE", "GLY", "CYS2", "QQQQ", "CASN", "CLEU"},
                           {.chain = chain}) +
               kTer) == Named{{"in", "MAHGCXNL"}});
  }
  CHECK(read(residues_of("GAHDE", {.chain = "HA"}) + kTer + residues_of("GASDE", {.chain = "2A"}) +
             kTer) == Named{{"in_HA", "GAHDE"}, {"in_2A", "GASDE"}});
}

TEST_CASE("structures: a real file as other programs write it") {
  const auto as_text = [](const std::function<std::string(std::string)>& change) {
    return changed("1orc.pdb", change);
  };
  const auto is_atom = [](const std::string& line) { return line.starts_with("ATOM"); };
  const std::string track =
      parse_records(as_text([](auto line) { return line; }), pdb, "in")[0].track;
  const auto check = [&](const char* what, const std::string& text) {
    CAPTURE(what);
    const WarningCatcher caught;
    REQUIRE(detect_format(text) == pdb);
    const std::vector<SequenceRecord> records = parse_records(text, pdb, "in");
    REQUIRE(records.size() == 1);
    CHECK(records[0].letters == kOrc);
    CHECK(records[0].track == track);
    CHECK(caught.warnings().empty());
  };
  check("TER in the chain", as_text([](std::string line) {
          const bool is_of_30 = line.starts_with("ATOM") && line.substr(22, 4) == "  30";
          return is_of_30 && line.substr(12, 4) == " N  " ? kTer + line : line;
        }));
  check("names of CHARMM", as_text([&](std::string line) {
          if (is_atom(line) && line.substr(17, 3) == "HIS") line.replace(17, 3, "HSD");
          return line;
        }));
  check("names of four letters", as_text([&](std::string line) {
          if (is_atom(line) && line.substr(17, 3) == "LYS") line.replace(17, 4, "LYSH");
          if (is_atom(line) && line.substr(22, 4) == "   3") line.replace(17, 4, "NGLN");
          return line;
        }));
  check("no chain, lower case, CRLF", as_text([&](std::string line) {
          if (is_atom(line) || line.starts_with("HETATM")) line[21] = ' ';
          return (is_atom(line) ? lower_case(line) : line) + '\r';
        }));
  check("ESMFold",
        as_text([](std::string line) { return line.starts_with("HEADER") ? "PARENT N/A" : line; }));
  check("CASP", as_text([](std::string line) {
          return line.starts_with("HEADER") ? "PFRMAT TS\nTARGET T0999" : line;
        }));
  check("unknown first records", as_text([](std::string line) {
          return line.starts_with("HEADER") ? "SCORE: 1.5\n" : line;
        }));
}

TEST_CASE("structures: ligands with a backbone are no residues, and are named") {
  const std::string chain = residues_of("GAS", {});
  const auto sam = [](const char* of, int number, const char* type = "HETATM") {
    return residue_of({.residue = "SAM", .chain = of, .type = type, .number = number});
  };
  const auto check = [&](const std::string& text, const std::string& left_out) {
    CAPTURE(left_out);
    const WarningCatcher caught;
    CHECK(read(text) == Named{{"in", "GAS"}});
    if (left_out.empty()) {
      CHECK(caught.warnings().empty());
    } else {
      CHECK(only(caught).find("in.pdb: ligands without a bond to a chain are left out: " +
                              left_out) != std::string::npos);
    }
  };
  check(chain + sam("A", 301), "\"SAM 301 of chain A\"");
  check(chain + sam("A", 301, "ATOM"), "\"SAM 301 of chain A\"");
  check(chain + kTer + sam("A", 301), "");  // TER says it
  check(chain + sam("A", 301) + kTer, "\"SAM 301 of chain A\"");
  CHECK(read("SEQRES   1 A    4  GLY ALA SER SAM\n" + chain + sam("A", 301) + kTer) ==
        Named{{"in", "GASX"}});
  check(chain + sam("S", 1), "\"SAM 1 of chain S\"");
  check(chain + kTer + sam("S", 1) + kTer, "\"SAM 1 of chain S\"");
  check(chain + kTer + sam(" ", 7, "ATOM") + kTer, "\"SAM 7\"");
  check(chain + kTer + residue_of({.residue = "MSE", .type = "HETATM", .number = 9}),
        "\"MSE 9 of chain A\"");
  // Behind TER, a bond makes a heteroatom a residue.
  std::string bonded = residue_of({.residue = "MSE", .type = "HETATM", .number = 3});
  for (std::size_t at = bonded.find("HETATM"); at != bonded.npos;
       at = bonded.find("HETATM", at + 1)) {
    bonded[at + 25] = '4';  // number 4, at the place of number 3
  }
  CHECK(read(chain + kTer + bonded) == Named{{"in", "GASM"}});
  CHECK(read(chain + kTer + residue_of({.residue = "MSE", .type = "HETATM", .number = 4}) +
             residue_of({.residue = "VAL", .number = 5}) + kTer) == Named{{"in", "GASMV"}});
}

TEST_CASE("structures: residues without a CA and second ones in a place are named") {
  const std::string chain = residues_of("GA", {});
  {
    const WarningCatcher caught;
    CHECK(read(chain + line_of({.name = "N", .residue = "SER", .number = 3})) ==
          Named{{"in", "GA"}});
    CHECK(only(caught).find("in.pdb: residues without N, CA and C are left out: "
                            "\"SER 3 of chain A\"") != std::string::npos);
  }
  {
    const WarningCatcher caught;
    CHECK(read(chain + residue_of({.residue = "SER", .number = 2})) == Named{{"in", "GA"}});
    CHECK(only(caught).find("in the place of others are left out: \"SER 2 of chain A\"") !=
          std::string::npos);
  }
  // Letters of alternative locations are known, also where they stand behind the chain.
  const WarningCatcher caught;
  CHECK(read(residue_of({.residue = "GLY", .altloc = "A", .occupancy = .5}) +
             residues_of("S", {.number = 2}) +
             residue_of({.residue = "GLY", .altloc = "B", .occupancy = .5})) ==
        Named{{"in", "GS"}});
  CHECK(caught.warnings().empty());
}

TEST_CASE("structures: a second structure in a file is refused, another model is not read") {
  const std::string chain = residues_of("GAS", {}), other = residues_of("VL", {.chain = "B"});
  CHECK(complaint(chain + "END\n" + other) == "in:14: an atom behind END");
  CHECK(complaint("MODEL 1\n" + chain + "ENDMDL\nEND\nMODEL 1\n" + other + "ENDMDL\n") ==
        "in:17: an atom behind END");
  CHECK(read(chain + "END\nCONECT 1 2\nEND\n") == Named{{"in", "GAS"}});
  CHECK(read("MODEL 1\n" + chain + "ENDMDL\nMODEL 2\n" + chain + "ENDMDL\nEND\n") ==
        Named{{"in", "GAS"}});
  CHECK(read("MODEL 1\n" + chain + "MODEL 2\n" + chain) == Named{{"in", "GAS"}});
  CHECK(read(chain + "ENDMDL\n" + chain + "ENDMDL\n") == Named{{"in", "GAS"}});
  CHECK(read("MODEL 1\n" + chain + "END\nENDMDL\nMODEL 2\n" + chain + "END\n") ==
        Named{{"in", "GAS"}});
}
