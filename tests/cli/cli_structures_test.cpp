// SPDX-License-Identifier: Apache-2.0
// Structure files as inputs, and --track-out.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/program.hpp"
#include "support/paths.hpp"

using namespace accord;
using namespace accord::testing;
using json = nlohmann::json;

namespace {

const std::string kData = source_dir() + "/tests/data/structures/";

/// Puts a folder `all` of structures into the directory of a program.
void add_structures(const Program& program) {
  for (const char* name : {"1orc.pdb", "1a8o.pdb", "2beg.cif.gz"}) {
    program.directory().write(std::string("all/") + name, file_bytes(kData + name));
  }
}

json report_of(const Program& program) {
  return json::parse(file_bytes(program.directory().path("r.json")));
}

}  // namespace

TEST_CASE("structures: a folder is aligned with its secondary structure, and verified") {
  const Program program;
  add_structures(program);
  program.directory().write("all/README", "x");
  program.directory().write("all/.hidden.pdb", "x");
  const Outcome folder =
      program.run({"all/", "-o", "all.aln", "--track-out", "all.ss3.aln", "--report", "r.json"});
  CAPTURE(folder.err);
  REQUIRE(folder.exit_code == 0);
  CHECK(has(folder.err, "1 file is no structure and is left out: \"README\""));
  const std::string aligned = file_bytes(program.directory().path("all.aln"));
  const FastaRows rows = parse_rows(aligned);
  REQUIRE(is_alignment(rows));
  REQUIRE(rows.size() == 7);
  CHECK(rows[0].first == "1a8o");
  CHECK(rows[1].first == "1orc");
  CHECK(rows[2].first == "2beg_A");
  CHECK(program.run({"all/1a8o.pdb", "all/1orc.pdb", "all/2beg.cif.gz"}).out == aligned);
  // The tracks have the columns of the alignment.
  const FastaRows tracks = parse_rows(file_bytes(program.directory().path("all.ss3.aln")));
  REQUIRE(tracks.size() == rows.size());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    CHECK(tracks[k].first == rows[k].first);
    REQUIRE(tracks[k].second.size() == rows[k].second.size());
    for (std::size_t c = 0; c < rows[k].second.size(); ++c) {
      CHECK((tracks[k].second[c] == '-') == (rows[k].second[c] == '-'));
    }
  }
  CHECK(degapped(tracks)[2].second == "CEEEEEEEEECCCCEEEEEEEEEEEC");
  const json report = report_of(program);
  CHECK(report["input"]["files"].size() == 3);
  CHECK(report["input"]["files"][0]["path"] == "all/1a8o.pdb");
  CHECK(report["track"]["pairs"] == 21);
  CHECK(report["output"]["files"][1]["kind"] == "track");
  CHECK(program.run({"verify", "all", "all.aln", "r.json"}).exit_code == 0);
  CHECK(program.run({"verify", "all", "all.aln", "r.json", "--again"}).exit_code == 0);
  program.directory().write("all/1orc.pdb", file_bytes(kData + "1orc.pdb") + "\n");
  CHECK(has(program.run({"verify", "all", "all.aln", "r.json"}).err, "all/1orc.pdb"));
}

TEST_CASE("structures: the tracks are those that a file of tracks would have") {
  const Program program;
  add_structures(program);
  REQUIRE(program.run({"all", "-o", "all.aln", "--track-out", "t.aln", "--wrap", "0"}).exit_code ==
          0);
  REQUIRE(program.shell("sed '/^>/!s/-//g' all.aln > all.fa").exit_code == 0);
  const std::string aligned = file_bytes(program.directory().path("all.aln"));
  CHECK(program.run({"all", "--track", "t.aln", "--track-matrix", "ss3"}).out ==
        program.run({"all.fa", "--track", "t.aln", "--track-matrix", "ss3"}).out);
  // Of structures that do not fit, the tracks alone count.
  const std::vector<std::string> two = {"all/1a8o.pdb", "all/1orc.pdb"};
  const std::string unfitted = program.run({two[0], two[1], "--wrap", "0"}).out;
  REQUIRE(program.run({two[0], two[1], "-o", "two.aln", "--track-out", "two.ss3"}).exit_code == 0);
  REQUIRE(program.shell("sed '/^>/!s/-//g' two.aln > two.fa").exit_code == 0);
  CHECK(program.run({"two.fa", "--track", "two.ss3", "--track-matrix", "ss3", "--wrap", "0"}).out ==
        unfitted);
  // A file of tracks replaces the secondary structure; the weight 0 leaves it out.
  REQUIRE(program.shell("sed '/^>/!s/[HEC]/?/g' t.aln > unknown.aln").exit_code == 0);
  const std::string without = program.run({"all.fa"}).out;
  CHECK(without != aligned);
  CHECK(program.run({"all", "--track", "unknown.aln", "--track-matrix", "ss3"}).out == without);
  CHECK(program.run({"all", "--track-weight", "0"}).out == without);
  CHECK(program.run({"all", "--track-weight", "0", "--mode", "local"}).out ==
        program.run({"all.fa", "--mode", "local"}).out);
  // The letters of --track-out are those of the tracks, and ? where a sequence has none.
  REQUIRE(program.shell("head -n 2 t.aln > one.aln").exit_code == 0);
  REQUIRE(program
              .run({"all.fa", "--track", "one.aln", "--track-matrix", "ss3", "--track-out",
                    "out.aln", "--order", "tree", "-o", "tree.aln"})
              .exit_code == 0);
  const FastaRows out = parse_rows(file_bytes(program.directory().path("out.aln")));
  const FastaRows tree = parse_rows(file_bytes(program.directory().path("tree.aln")));
  for (std::size_t k = 0; k < out.size(); ++k) {
    CHECK(out[k].first == tree[k].first);
    const bool is_known = out[k].second.find_first_not_of("-?") != std::string::npos;
    CHECK(is_known == (out[k].first == "1a8o"));
  }
}

TEST_CASE("structures: chains, stdin, sequences beside them, and other commands") {
  const Program program;
  add_structures(program);
  CHECK(parse_rows(program.run({"all/2beg.cif.gz:C,A", "all/1orc.pdb"}).out)[0].first == "2beg_C");
  CHECK(parse_rows(program.run({"all/2beg.cif.gz:C", "all/1orc.pdb"}).out)[0].first == "2beg");
  CHECK(parse_rows(program.run({"-", "all/1a8o.pdb"}, kData + "1orc.pdb").out)[0].first == "stdin");
  program.directory().write("s.fa", ">s\nQRITLKDYAMRFGQTKTAKDLGVYQSAINKAIHAG\n");
  const Outcome mixed = program.run({"s.fa", "all/1orc.pdb", "all/1a8o.pdb", "--track-out", "t"});
  CAPTURE(mixed.err);
  REQUIRE(mixed.exit_code == 0);
  CHECK(parse_rows(mixed.out).size() == 3);
  CHECK(degapped(parse_rows(file_bytes(program.directory().path("t"))))[0].second ==
        std::string(35, '?'));
  const Outcome tree = program.run({"tree", "all"});
  CHECK(tree.exit_code == 0);
  CHECK(has(tree.err, "of structures, this run uses the sequences alone"));
  CHECK(program.run({"check", "all/1orc.pdb", "all/1a8o.pdb"}).exit_code == 0);
  CHECK(program.run({"check", "--mode", "local", "all/1orc.pdb", "all/1a8o.pdb"}).exit_code == 0);
  // Shards align the sequences alone, from the core to the whole.
  const Outcome core =
      program.shell("$accord core -d none --large always --backbone 2 all/* -o core.acc");
  CHECK(core.exit_code == 0);
  CHECK_FALSE(has(core.err, "tracks: "));
  const Outcome whole = program.shell(
      "$accord add -d none core.acc all/* --shard 1/1 -o part.acc && "
      "$accord join -d none core.acc part.acc");
  CAPTURE(whole.err);
  CHECK(whole.exit_code == 0);
  CHECK(program.run({"convert", "all/1orc.pdb"}).out.starts_with(">1orc\nQRIT"));
}

TEST_CASE("structures: what cannot be is refused in one line") {
  const Program program;
  add_structures(program);
  const auto refused = [&](const std::vector<std::string>& line, int code,
                           const std::string& part) {
    check_refused(program.run(line), code, part);
  };
  refused({"all/2beg.cif.gz:A,F"}, 65, "all/2beg.cif.gz: no protein chain \"F\"");
  refused({"all/2beg.cif.gz:A", "all/2beg.cif.gz:B"}, 65, "the name \"2beg\"");
  program.directory().write("b/1orc.pdb", file_bytes(kData + "1orc.pdb"));
  refused({"all/1orc.pdb", "b"}, 65, "b/1orc.pdb: the name \"1orc\" is that of a sequence in all");
  refused({example_path() + ":A"}, 65, "chains of a file that is no structure (fasta)");
  refused({"all", "--mode", "local"}, 2, "structures for the mode local");
  refused({"all", "--track-matrix", "ss3"}, 2, "and a table");
  refused({"all", "-t", "dna"}, 2, "structures of nucleotides");
  refused({example_path(), "--track-out", "t"}, 2, "--track-out of sequences without tracks");
  refused({"all/1orc.pdb:A", "-o", "all/1orc.pdb", "-f", "fasta"}, 2, "would replace the input");
  refused({"all", "-o", "all/1orc.pdb", "-f", "fasta"}, 2, "would replace the input");
  refused({"all", "-o", "x.pdb"}, 2, "no format that can be written has this suffix");
  const std::string orc = file_bytes(kData + "1orc.pdb");
  program.directory().write("cut.pdb", orc.substr(0, orc.find('\n', orc.size() / 2) + 40));
  refused({"cut.pdb"}, 65, "a record of an atom that ends in column 39");
  program.directory().write("empty.pdb", "HEADER    VIRUS\n");
  refused({"empty.pdb"}, 65, "empty.pdb: a structure without atoms");
  REQUIRE(program.shell("zcat all/2beg.cif.gz | head -c 20000 > cut.cif").exit_code == 0);
  refused({"cut.cif"}, 65, "cut.cif:");
  REQUIRE(program.shell("grep ' CA ' all/1orc.pdb > ca.pdb").exit_code == 0);
  const Outcome ca = program.run({"ca.pdb", "all/1a8o.pdb"});
  CHECK(ca.exit_code == 0);
  CHECK(has(ca.err, "ca.pdb: no residue has all atoms of the backbone in chain A"));
}

TEST_CASE("structures: files of other programs, and what is left out of them") {
  const Program program;
  add_structures(program);
  const std::string orc = file_bytes(kData + "1orc.pdb");
  const std::string atoms = orc.substr(orc.find("ATOM"));
  const std::string plain = program.run({"convert", "all/1orc.pdb"}).out;
  const std::string rows = plain.substr(plain.find('\n'));
  // ESMFold and CASP, in a file without a suffix of a structure, and on stdin.
  for (const std::string first : {"PARENT N/A\n", "PFRMAT TS\nTARGET T0999\n"}) {
    program.directory().write("model.txt", first + atoms);
    CHECK(program.run({"convert", "model.txt"}).out == ">model" + rows);
    CHECK(program.run({"convert", "-"}, program.directory().path("model.txt")).out ==
          ">stdin" + rows);
  }
  // Amber: no names of chains, TER between them.
  REQUIRE(program
              .shell("sed -n '/^ATOM/s/^\\(.\\{21\\}\\)./\\1 /p' all/1orc.pdb > one && "
                     "(cat one; echo TER; cat one; echo TER) > amber.pdb")
              .exit_code == 0);
  const Outcome amber = program.run({"convert", "amber.pdb"});
  CHECK(amber.out == ">amber_1" + rows + ">amber_2" + rows);
  CHECK(has(amber.err, "amber.pdb: chains that share a name, or have none, are named"));
  CHECK(parse_rows(program.run({"amber.pdb:2", "all/1a8o.pdb"}).out)[0].first == "amber");
  // A ligand of the chain, and a second structure.
  program.directory().write(
      "sam.pdb", atoms.substr(0, atoms.find("\nTER") + 1) +
                     "HETATM  900  N   SAM A 301      90.000  90.000  90.000  1.00  0.00\n"
                     "HETATM  901  CA  SAM A 301      91.400  90.000  90.000  1.00  0.00\n"
                     "HETATM  902  C   SAM A 301      92.000  91.400  90.000  1.00  0.00\n");
  const Outcome sam = program.run({"convert", "sam.pdb"});
  CHECK(sam.out == ">sam" + rows);
  CHECK(has(sam.err, "sam.pdb: ligands without a bond to a chain are left out"));
  CHECK(has(sam.err, "\"SAM 301 of chain A\""));
  program.directory().write("two.pdb", orc + orc);
  check_refused(program.run({"convert", "two.pdb"}), 65, "an atom behind END");
  REQUIRE(program
              .shell("(zcat all/2beg.cif.gz; zcat all/2beg.cif.gz | sed s/^data_2/data_3/) "
                     "> two.cif")
              .exit_code == 0);
  check_refused(program.run({"convert", "two.cif"}), 65,
                "two.cif: atoms in two data blocks, \"2BEG\" and \"3BEG\"");
}

TEST_CASE("structures: chains are superposed, also with CAs alone, and not with the weight 0") {
  const Program program;
  add_structures(program);
  const Outcome both = program.run({"all/2beg.cif.gz:A,B", "-v"});
  REQUIRE(both.exit_code == 0);
  CHECK(has(both.err, "superposition"));
  CHECK(has(both.err, "1 pair, mean TM-score 0.866"));
  const Outcome unrelated = program.run({"all/1orc.pdb", "all/1a8o.pdb", "-v"});
  CHECK(has(unrelated.err, "0 pairs, mean TM-score 0.000, 1 pair without a fit"));
  const Outcome reported =
      program.run({"all/2beg.cif.gz:A,B", "--report", "r.json", "-o", "b.aln"});
  REQUIRE(reported.exit_code == 0);
  const json superposition =
      json::parse(file_bytes(program.directory().path("r.json")))["superposition"];
  CHECK(superposition["pairs"] == 1);
  CHECK(superposition["without_fit"] == 0);
  CHECK(superposition["tm_score"] == doctest::Approx(0.866).epsilon(0.001));
  const Outcome off = program.run({"all/2beg.cif.gz:A,B", "-v", "--track-weight", "0"});
  CHECK_FALSE(has(off.err, "superposition"));
  std::string traces;
  const std::string text = file_bytes(kData + "1orc.pdb");
  for (std::size_t at = 0; at < text.size(); at = text.find('\n', at) + 1) {
    const std::string line = text.substr(at, text.find('\n', at) + 1 - at);
    if (line.starts_with("ATOM") && line.substr(12, 4) == " CA ") traces += line;
  }
  program.directory().write("trace.pdb", traces);
  const Outcome trace = program.run({"trace.pdb", "all/1orc.pdb", "-v"});
  CAPTURE(trace.err);
  CHECK(trace.exit_code == 0);
  CHECK(has(trace.err, "1 pair, mean TM-score 1.000"));
  // Three residues are too few for a superposition.
  std::size_t end = 0;
  for (int line = 0; line < 3; ++line) end = traces.find('\n', end) + 1;
  program.directory().write("three.pdb", traces.substr(0, end));
  const Outcome three = program.run({"three.pdb", "all/1orc.pdb", "-v"});
  CAPTURE(three.err);
  CHECK(three.exit_code == 0);
  CHECK(has(three.err, "0 pairs, mean TM-score 0.000, 1 pair without a fit"));
}

TEST_CASE("structures: lDDT, TM-scores and superposed structures") {
  const Program program;
  add_structures(program);
  program.directory().write("all/copy.pdb", file_bytes(kData + "1orc.pdb"));
  const Outcome made =
      program.run({"all/1orc.pdb", "all/1a8o.pdb", "all/copy.pdb", "-o", "x.aln", "--confidence",
                   "c.tsv", "--tm-scores", "tm.tsv", "--superposed", "s.cif", "--report", "r.json",
                   "--html", "x.html", "-v"});
  CAPTURE(made.err);
  REQUIRE(made.exit_code == 0);
  CHECK(has(made.err, "superposed   onto "));
  const json report = report_of(program);
  CHECK(report["lddt"]["mean"] > 0.2);
  CHECK(report["lddt"]["mean"] < 1);
  CHECK(report["predicted_models"].is_null());
  std::vector<std::string> kinds;
  for (const json& file : report["output"]["files"]) kinds.push_back(file["kind"]);
  CHECK(std::ranges::count(kinds, "tm-scores") == 1);
  CHECK(std::ranges::count(kinds, "superposed") == 1);
  const std::string table = file_bytes(program.directory().path("tm.tsv"));
  CHECK(has(table, "x\ty\taligned\ttm_x\ttm_y\ttm_shorter\trmsd\n1orc\t1a8o\t"));
  CHECK(has(table, "\n1orc\tcopy\t64\t1.0000\t1.0000\t1.0000\t0.00\n"));
  CHECK(has(file_bytes(program.directory().path("c.tsv")), "\tconfidence\tlddt\n"));
  CHECK(has(file_bytes(program.directory().path("x.html")), "lDDT"));
  // The superposed structures are structures, with the sequences of the inputs.
  const FastaRows again = degapped(parse_rows(program.run({"s.cif"}).out));
  REQUIRE(again.size() == 3);
  CHECK(again[0].first == "s_1orc");
  CHECK(again[2].first == "s_copy");
  CHECK(again[2].second.starts_with("QRITLKD"));
  // The same files from the alignment, whichever program made it.
  const Outcome given = program.run({"confidence", "x.aln", "--structures", "all", "--tm-scores",
                                     "tm2.tsv", "--superposed", "s2.cif", "-v"});
  CAPTURE(given.err);
  REQUIRE(given.exit_code == 0);
  CHECK(has(given.err, "no row has the names of 5 structures in all"));
  CHECK(has(given.err, "lDDT "));
  CHECK(has(given.out, "\tconfidence\tlddt\n"));
  CHECK(file_bytes(program.directory().path("tm2.tsv")) == table);
  CHECK(file_bytes(program.directory().path("s2.cif")) ==
        file_bytes(program.directory().path("s.cif")));
  CHECK(program
            .run({"all/copy.pdb", "all/1a8o.pdb", "all/1orc.pdb", "-o", "y.aln", "--superposed",
                  "s3.pdb"})
            .exit_code == 0);
  const std::string pdb = file_bytes(program.directory().path("s3.pdb"));
  CHECK(has(pdb, "REMARK   1 CHAIN A: copy, TM-SCORE 1.0000\n"));
  const FastaRows letters = degapped(parse_rows(program.run({"s3.pdb"}).out));
  REQUIRE(letters.size() == 3);
  CHECK(letters[2].first == "s3_C");
  CHECK(letters[2].second.starts_with("QRITLKD"));

  check_refused(program.run({"all", "--superposed", "x.fasta"}), 2, "the suffix of an alignment");
  check_refused(program.run({example_path(), "--superposed", "x.pdb"}), 2,
                "--superposed of fewer than two structures");
  check_refused(program.run({"confidence", "x.aln", "--tm-scores", "t"}), 2,
                "--tm-scores of fewer than two structures");
  check_refused(program.run({"confidence", "x.aln", "--structures", "all/2beg.cif.gz"}), 65,
                "x.aln: no row has the name of a structure in all/2beg.cif.gz");
  program.directory().write("other/1orc.pdb", file_bytes(kData + "1a8o.pdb"));
  check_refused(program.run({"confidence", "x.aln", "--structures", "other"}), 65,
                "the row \"1orc\" has other residues than its structure in other");
}

TEST_CASE("structures: check counts them, and predicted models with their unsure residues") {
  const Program program;
  add_structures(program);
  const Outcome known = program.run({"check", "all"});
  CAPTURE(known.err);
  REQUIRE(known.exit_code == 0);
  CHECK(has(known.out, "structures 7, "));
  CHECK_FALSE(has(known.out, "predicted"));
  CHECK_FALSE(has(known.err, "uses the sequences alone"));
  // A model whose residues up to number 20 have a pLDDT of 30.
  REQUIRE(program
              .shell("(echo 'TITLE     ESMFOLD V1 PREDICTION FOR INPUT'; awk '/^ATOM/ {print "
                     "substr($0, 1, 60) (substr($0, 23, 4) + 0 > 20 ? \"  0.90\" : \"  0.30\")}' "
                     "all/1orc.pdb) > model.pdb")
              .exit_code == 0);
  const std::string counts = "1 predicted model; 18 of 64 residues below a pLDDT of ";
  CHECK(has(program.run({"check", "model.pdb", "all/1a8o.pdb"}).out, "predicted  " + counts));
  const Outcome made = program.run({"model.pdb", "all/1orc.pdb", "-v", "--report", "r.json", "-o",
                                    "m.sto", "--track-out", "t.aln"});
  CAPTURE(made.err);
  REQUIRE(made.exit_code == 0);
  CHECK(has(made.err, "predicted    " + counts));
  CHECK(report_of(program)["predicted_models"] ==
        json{{"models", 1}, {"residues", 64}, {"unsure", 18}});
  const FastaRows tracks = degapped(parse_rows(file_bytes(program.directory().path("t.aln"))));
  CHECK(tracks[0].second.starts_with(std::string(18, '?')));
  CHECK(tracks[0].second[18] != '?');
  CHECK(has(file_bytes(program.directory().path("m.sto")), "#=GR model SS"));
}

TEST_CASE("structures: files are read side by side, with messages and errors in their order") {
  const Program program;
  add_structures(program);
  const std::string orc = file_bytes(kData + "1orc.pdb");
  for (int k = 10; k < 50; ++k) {
    const bool is_cut = k == 30 || k == 40;
    program.directory().write("many/" + std::to_string(k) + ".pdb",
                              is_cut ? orc.substr(0, orc.find('\n', 4000) + 40) : orc);
  }
  check_refused(program.run({"many", "-j", "4"}), 65, "many/30.pdb:");
  REQUIRE(program.shell("cp all/1orc.pdb many/30.pdb; cp all/1orc.pdb many/40.pdb").exit_code == 0);
  REQUIRE(program.shell("for k in 11 12 44; do grep ' CA ' all/1orc.pdb > many/$k.pdb; done")
              .exit_code == 0);
  const auto warnings = [&](const char* threads) {
    const Outcome outcome = program.run({"check", "many", "-j", threads});
    CHECK(outcome.exit_code == 0);
    return outcome.err;
  };
  const std::string one = warnings("1");
  REQUIRE(has(one, "many/11.pdb"));
  CHECK(one.find("many/11.pdb") < one.find("many/12.pdb"));
  CHECK(one.find("many/12.pdb") < one.find("many/44.pdb"));
  CHECK(warnings("4") == one);
}
