// SPDX-License-Identifier: Apache-2.0
// Large families, `accord add` and `accord merge` as a user calls them.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "cli/program.hpp"
#include "io/families/direction.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

const std::string kAlignment =
    ">a\nMKVLAAG-VGLLWCDEF\n>b\nMKVLSAGIVGLLWC-EF\n>c\nMKVIAAGIVGLIWCDEF\n";

}  // namespace

TEST_CASE("large: a run with all outputs") {
  const Program program;
  const std::string family = file_bytes(example_path());
  program.directory().write("in.fa", family);
  const Outcome outcome = program.run(
      {"in.fa",  "-q",     "--large",      "always",     "--backbone", "4",        "-o",
       "o.fa",   "-o",     "o.sto",        "--tree-out", "t.nwk",      "--report", "r.json",
       "--html", "p.html", "--confidence", "c.tsv",      "--order",    "tree"});
  CHECK(outcome.err == "");
  REQUIRE(outcome.exit_code == 0);
  const FastaRows rows = parse_rows(file_bytes(program.directory().path("o.fa")));
  CHECK(is_alignment(rows));
  CHECK(rows.size() == parse_rows(family).size());
  const auto report = nlohmann::json::parse(file_bytes(program.directory().path("r.json")));
  CHECK(report["parameters"]["backbone_sequences"] == 4);
  CHECK(report["confidence"]["mean"] > 0.0);
  const std::string page = file_bytes(program.directory().path("p.html"));
  CHECK(page.find("\"groups\":{\"core\":\"backbone\",\"rest\":\"placed\",\"rows\":[") !=
        std::string::npos);
  // The backbone of all sequences is the whole family.
  const Outcome whole = program.run({"in.fa", "-q"});
  CHECK(program.run({"in.fa", "-q", "--large", "always", "--backbone", "1000"}).out == whole.out);
  CHECK(program.run({"in.fa", "-q", "--large", "never", "--backbone", "4"}).out == whole.out);
  const Outcome check = program.run({"check", "in.fa", "--large", "always", "--backbone", "4"});
  CHECK(check.exit_code == 0);
  CHECK(check.out.find("backbone   4 sequences") != std::string::npos);
  CHECK(check.out.find("fit        of a backbone: ") != std::string::npos);
  CHECK(report["parameters"]["by_subsets"] == false);
  CHECK(report["backbone_fit"]["sequences"] > 0);
}

TEST_CASE("large: subsets are said in the report, in check and by -v; there is no core of them") {
  const Program program;
  program.directory().write("in.fa", file_bytes(example_path()));
  const std::vector<std::string> method = {"--large", "subsets", "--backbone", "3"};
  const auto run = [&](std::vector<std::string> arguments) {
    arguments.insert(arguments.end(), method.begin(), method.end());
    return program.run(arguments);
  };
  const Outcome outcome = run({"in.fa", "-v", "-o", "o.fa", "--report", "r.json"});
  REQUIRE(outcome.exit_code == 0);
  CHECK(outcome.err.find("; aligned by subsets") != std::string::npos);
  CHECK(is_alignment(parse_rows(file_bytes(program.directory().path("o.fa")))));
  const auto report = nlohmann::json::parse(file_bytes(program.directory().path("r.json")));
  CHECK(report["parameters"]["by_subsets"] == true);
  CHECK(report["backbone_fit"]["far"] >= 0);
  CHECK(run({"check", "in.fa"}).out.find("subsets    of at most 3") != std::string::npos);
  const Outcome core = run({"core", "in.fa", "-o", "core.acc"});
  CHECK(core.exit_code == 2);
  CHECK(core.err.find("subsets have no core") != std::string::npos);
}

TEST_CASE("large: the page of a family that does not fit shows the backbone") {
  const Program program;
  std::string family;
  for (int k = 0; k <= 10000; ++k) {
    family += ">s" + std::to_string(k) + "\nMKVL" + std::string(1, "ACDEFGHIKL"[k % 10]) + "\n";
  }
  program.directory().write("in.fa", family);
  REQUIRE(program
              .run({"in.fa", "-q", "--large", "always", "--backbone", "4", "-o", "o.fa", "--html",
                    "p.html"})
              .exit_code == 0);
  const std::string page = file_bytes(program.directory().path("p.html"));
  CHECK(page.find("4 representatives of 10001 sequences") != std::string::npos);
  CHECK(page.find("\"groups\":null,") != std::string::npos);
  CHECK(page.find("\"part\":true") != std::string::npos);
  CHECK(page.size() < 120'000);
  // What is added to an alignment of so many rows: some of all rows, without telling them apart.
  program.directory().write("new.fa", ">new\nMKVLAA\n");
  REQUIRE(
      program.run({"add", "in.fa", "new.fa", "-q", "-o", "o.fa", "--html", "a.html"}).exit_code ==
      0);
  const std::string added = file_bytes(program.directory().path("a.html"));
  CHECK(has(added, "1000 of 10002 sequences"));
  CHECK(has(added, "\"part\":true"));
}

TEST_CASE("large: what is not to be had of a large family is said at once") {
  const Program program;
  program.directory().write("in.fa", file_bytes(example_path()));
  for (const std::vector<std::string>& option :
       {std::vector<std::string>{"--dist-out", "d.phy"}, {"--tree", "t.nwk"}}) {
    std::vector<std::string> arguments = {"in.fa", "--large", "always", "--backbone", "4"};
    arguments.insert(arguments.end(), option.begin(), option.end());
    program.directory().write("t.nwk", "(a,b);\n");
    const Outcome outcome = program.run(arguments);
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.out == "");
    CHECK(outcome.err.find("--large never") != std::string::npos);
  }
  CHECK(program.run({"in.fa", "--large", "sometimes"}).exit_code == 2);
  CHECK(program.run({"in.fa", "--backbone", "1"}).exit_code == 2);
}

TEST_CASE("large: the report says that long nucleotide sequences were computed in pieces") {
  const Program program;
  std::uint32_t state = 1;
  std::string letters;
  for (int i = 0; i < 20500; ++i) letters += "ACGT"[(state = state * 1664525 + 1013904223) >> 30];
  program.directory().write("in.fa", ">a\n" + letters + "\n>b\n" + letters.substr(500) + "\n");
  REQUIRE(program.run({"in.fa", "-o", "o.fa", "--report", "r.json"}).exit_code == 0);
  const auto report = nlohmann::json::parse(file_bytes(program.directory().path("r.json")));
  const std::string detail = report["stages"][0]["detail"];
  CHECK(detail.starts_with("1 pair, 1 of them in "));
  CHECK(report["output"]["columns"] == 20500);
}

TEST_CASE("add: the rows keep their bytes, with new columns and without") {
  const Program program;
  program.directory().write("msa.fa", kAlignment);
  program.directory().write("new.fa", ">d\nMKVLAAGIVGLLPPPPPPPPPPWCDEF\n>e\nmkvlaagvgllwcdef\n");
  const Outcome added = program.run({"add", "msa.fa", "new.fa", "-q"});
  REQUIRE(added.exit_code == 0);
  const FastaRows rows = parse_rows(added.out);
  CHECK(is_alignment(rows));
  REQUIRE(rows.size() == 5);
  CHECK(degapped(rows)[3].second == "MKVLAAGIVGLLPPPPPPPPPPWCDEF");
  CHECK(degapped(rows)[4].second == "mkvlaagvgllwcdef");
  std::string given;
  for (std::size_t k = 0; k < 3; ++k) {
    std::string row;
    for (std::size_t c = 0; c < rows[k].second.size(); ++c) {
      const bool is_new =
          rows[0].second[c] == '-' && rows[1].second[c] == '-' && rows[2].second[c] == '-';
      if (!is_new) row += rows[k].second[c];
    }
    given += ">" + rows[k].first + "\n" + row + "\n";
  }
  CHECK(given == kAlignment);

  const Outcome kept = program.run({"add", "msa.fa", "new.fa", "-o", "k.fa", "-o", "k.a2m",
                                    "--keep-columns", "--left-out", "left.tsv"});
  REQUIRE(kept.exit_code == 0);
  CHECK(kept.err.find("10 residues of 1 sequence") != std::string::npos);
  CHECK(file_bytes(program.directory().path("k.fa")).starts_with(kAlignment));
  CHECK(file_bytes(program.directory().path("left.tsv")) ==
        "sequence\tfirst\tlast\tletters\nd\t13\t22\tPPPPPPPPPP\n");
  CHECK(file_bytes(program.directory().path("k.a2m")).find("ppppp") != std::string::npos);
}

TEST_CASE("add: genomes, of either strand, with unknown bases and ends that are cut off") {
  const Program program;
  std::uint32_t state = 7;
  std::string reference;
  for (int i = 0; i < 10400; ++i) {
    reference += "ACGT"[(state = state * 1664525 + 1013904223) >> 30];
  }
  // What stands beside the gap and the insertion leaves no choice of their places.
  reference.replace(2999, 32, "A" + std::string(30, 'C') + "G");
  reference.replace(5999, 2, "AA");
  std::string row = reference;
  row[1000] = row[1000] == 'A' ? 'C' : 'A';
  row[1003] = row[1003] == 'A' ? 'C' : 'A';
  row.replace(3000, 30, std::string(30, '-'));
  row.replace(8000, 400, std::string(400, 'N'));
  std::string genome = row;
  genome.insert(6000, "GTTGCTTGCG");
  genome.erase(3000, 30);
  genome = genome.substr(150, genome.size() - 150 - 77);
  row.replace(0, 150, std::string(150, '-'));
  row.replace(row.size() - 77, 77, std::string(77, '-'));
  program.directory().write("reference.fa", ">ref\n" + reference + "\n");
  program.directory().write(
      "new.fa", ">forward\n" + genome + "\n>backward\n" + reverse_complement(genome) + "\n");
  const Outcome added =
      program.run({"add", "reference.fa", "new.fa", "--keep-columns", "--adjust-direction",
                   "--left-out", "left.tsv", "-o", "o.fa", "--report", "r.json"});
  REQUIRE(added.exit_code == 0);
  CHECK(parse_rows(file_bytes(program.directory().path("o.fa"))) ==
        FastaRows{{"ref", reference}, {"forward", row}, {"_R_backward", row}});
  CHECK(file_bytes(program.directory().path("left.tsv")) ==
        "sequence\tfirst\tlast\tletters\nforward\t5821\t5830\tGTTGCTTGCG\n"
        "_R_backward\t5821\t5830\tGTTGCTTGCG\n");
  const auto report = nlohmann::json::parse(file_bytes(program.directory().path("r.json")));
  CHECK(report["stages"][0]["detail"] == "2 sequences, 1 row each");
}

TEST_CASE("add: confidence of what was added, page and report; the same with columns kept") {
  const Program program;
  program.directory().write("msa.fa", kAlignment);
  program.directory().write("new.fa", ">d\nMKVLAAGIVGLLPPPPPPPPPPWCDEF\n>e\nmkvlaagvgllwcdef\n");
  std::vector<std::string> arguments = {"add",    "msa.fa", "new.fa",       "-q",
                                        "-o",     "o.sto",  "--confidence", "c.tsv",
                                        "--html", "p.html", "--report",     "r.json"};
  REQUIRE(program.run(arguments).exit_code == 0);
  const std::string added = file_bytes(program.directory().path("o.sto"));
  CHECK(added.find("#=GR d PP") != std::string::npos);
  CHECK(added.find("#=GR a PP") == std::string::npos);
  CHECK(added.find("#=GC PP_cons") != std::string::npos);
  CHECK(file_bytes(program.directory().path("c.tsv")).find("\tNA\n") != std::string::npos);
  CHECK(file_bytes(program.directory().path("p.html")).find("\"tree\":null") != std::string::npos);
  const auto report = nlohmann::json::parse(file_bytes(program.directory().path("r.json")));
  CHECK(report["command"] == "add");
  CHECK(report["given"] == nlohmann::json({{"alignments", 1}, {"sequences", 3}}));
  CHECK(report["input"]["files"].size() == 2);
  CHECK(report["output"]["columns"] == 27);
  CHECK(report["output"]["files"].size() == 4);
  CHECK(report["confidence"]["mean"] > 0.5);

  arguments.insert(arguments.end(), {"--keep-columns", "--left-out", "l.tsv"});
  REQUIRE(program.run(arguments).exit_code == 0);
  const auto kept = nlohmann::json::parse(file_bytes(program.directory().path("r.json")));
  CHECK(kept["output"]["columns"] == 17);
  CHECK(kept["output"]["path"] == "o.sto");
  CHECK(kept["parameters"]["keep_columns"] == true);
  CHECK(kept["parameters_sha256"] != report["parameters_sha256"]);
  CHECK(kept["output"]["result_sha256"] != report["output"]["result_sha256"]);
  const std::string table = file_bytes(program.directory().path("c.tsv"));
  CHECK(table.find("\ncolumn\t17\t") != std::string::npos);
  CHECK(table.find("\ncolumn\t18\t") == std::string::npos);
  CHECK(table.find("\nresidue\t13\td\t23\tW\t") != std::string::npos);
  CHECK(table.find("\td\t13\tP\t") == std::string::npos);
}

TEST_CASE("add and merge: bad input gets one line") {
  const Program program;
  program.directory().write("msa.fa", kAlignment);
  program.directory().write("ragged.fa", ">x\nMKV-L\n>y\nMKV\n");
  program.directory().write("empty.fa", "");
  program.directory().write("again.fa", ">c\nMKVLAAG\n");
  program.directory().write("dna.fa", ">n\nACGTACGTACGTACGTACGT\n");
  program.directory().write("three.fa", ">t\nMKV\n");
  check_refused(program.run({"add", "msa.fa", "again.fa"}), 65, "the name \"c\" occurs twice");
  check_refused(program.run({"add", "ragged.fa", "three.fa"}), 65, "not aligned");
  check_refused(program.run({"add", "empty.fa", "three.fa"}), 65, "empty.fa");
  check_refused(program.run({"add", "msa.fa", "dna.fa"}), 65, "has the letters of nucleotides");
  check_refused(program.run({"merge", "msa.fa", "ragged.fa"}), 65, "not aligned");
  program.directory().write("msa2.fa", kAlignment);
  check_refused(program.run({"merge", "msa.fa", "msa2.fa"}), 65, "occurs twice");
  const Outcome fragment = program.run({"add", "msa.fa", "three.fa"});
  CHECK(fragment.exit_code == 0);
  CHECK(fragment.err.find("has only 3 residues") != std::string::npos);
  CHECK(parse_rows(fragment.out).size() == 4);
}

TEST_CASE("merge: two alignments") {
  const Program program;
  program.directory().write("a.fa", kAlignment);
  program.directory().write("b.fa", ">x\nMKVLAAGIVGL--DEF\n>y\nMKVLAAG-VGLWCDEF\n");
  const Outcome merged = program.run({"merge", "a.fa", "b.fa"});
  CHECK(merged.err == "");
  REQUIRE(merged.exit_code == 0);
  const FastaRows rows = parse_rows(merged.out);
  CHECK(is_alignment(rows));
  REQUIRE(rows.size() == 5);
  CHECK(rows[0].second.size() <= 18);
  CHECK(degapped(rows)[3].second == "MKVLAAGIVGLDEF");

  REQUIRE(program
              .run({"merge", "a.fa", "b.fa", "-q", "-o", "o.fa", "-o", "o.sto", "--confidence",
                    "c.tsv", "--html", "p.html", "--report", "r.json"})
              .exit_code == 0);
  CHECK(file_bytes(program.directory().path("o.fa")) == merged.out);
  CHECK(file_bytes(program.directory().path("o.sto")).find("#=GR x PP") != std::string::npos);
  const auto report = nlohmann::json::parse(file_bytes(program.directory().path("r.json")));
  CHECK(report["command"] == "merge");
  CHECK(report["given"] == nlohmann::json({{"alignments", 2}, {"sequences", 5}}));
  CHECK(report["output"]["columns"] == rows[0].second.size());
  CHECK(report["confidence"]["pairs"] > 0);
}
