// SPDX-License-Identifier: Apache-2.0
// Commands on alignments: convert, stats, trim, dist --aligned.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>

#include "cli/program.hpp"
#include "support/paths.hpp"

using namespace accord;
using namespace accord::testing;

TEST_CASE("convert: all formats from one, and each of them back, byte by byte") {
  const Program program;
  const std::string rows = ">a one\nMKv-LAW\n>b\nMK--LaW\n>b2 two words\n-KVXL--\n";
  program.directory().write("in.fa", rows);
  const std::vector<std::string> files = {"a.clw", "a.sto", "a.phy",  "a.msf",
                                          "a.nex", "a.a2m", "a.json", "a.fa.zst"};
  std::vector<std::string> line = {"convert", "in.fa", "-q"};
  for (const std::string& file : files) line.insert(line.end(), {"-o", file});
  REQUIRE(program.run(line).exit_code == 0);
  // In these headers are whole and letters keep their case.
  for (const std::string file : {"a.sto", "a.json", "a.fa.zst"}) {
    CAPTURE(file);
    CHECK(program.run({"convert", file}).out == rows);
  }
  CHECK(parse_rows(program.run({"convert", "a.nex"}).out)[2].second == "-KVXL--");
  // An alignment of gaps alone in a column keeps it.
  program.directory().write("gap.fa", ">a\nA-C\n>b\nA-D\n");
  CHECK(program.run({"convert", "gap.fa"}).out == ">a\nA-C\n>b\nA-D\n");
  CHECK(program.run({"convert", example_path()}).exit_code == 65);  // not aligned
}

TEST_CASE("stats and dist: a line an alignment; identities of given rows") {
  const Program program;
  program.directory().write("a.fa", ">a\nMKVL\n>b\nMK-L\n>c\nMRVW\n");
  program.directory().write("b.sto", "# STOCKHOLM 1.0\nx ACGT-A\ny ACGTAA\n//\n");
  const Outcome stats = program.run({"stats", "a.fa", "b.sto"});
  CHECK(stats.out ==
        "alignment\tformat\ttype\tsequences\tcolumns\tresidues\tshortest\tlongest\tgaps\tidentity\t"
        "confidence\na.fa\tfasta\tprotein\t3\t4\t11\t3\t4\t0.0833\t0.6000\tNA\n"
        "b.sto\tstockholm\tdna\t2\t6\t11\t5\t6\t0.0833\t1.0000\tNA\n");
  CHECK(program.run({"dist", "a.fa", "--aligned", "-f", "tsv"}).out ==
        "name\ta\tb\tc\na\t0.000000\t0.000000\t0.500000\nb\t0.000000\t0.000000\t0.666667\n"
        "c\t0.500000\t0.666667\t0.000000\n");
  CHECK(program.run({"dist", "a.fa", "--aligned", "--percent-id", "-f", "phylip-lower"}).out ==
        "3\na         \nb          100.000\nc          50.000 33.333\n");
  const Outcome both = program.run({"dist", "b.sto", "-q", "--percent-id", "-f", "csv"});
  CHECK(both.out == "name,x,y\nx,100.000,100.000\ny,100.000,100.000\n");
}

TEST_CASE("trim: by gaps, by confidence, with a map and masked residues") {
  const Program program;
  program.directory().write("a.fa", ">a\nMKVLAW---\n>b\nMKVLAWGGH\n>c\nMKVIAW---\n");
  const Outcome trimmed = program.run({"trim", "a.fa", "--max-gaps", "0.5", "--map", "m.tsv"});
  CHECK(trimmed.out == ">a\nMKVLAW\n>b\nMKVLAW\n>c\nMKVIAW\n");
  const std::string map = file_bytes(program.directory().path("m.tsv"));
  CHECK(
      map.starts_with("column\tkept_as\tgaps\tconfidence\tconsistency\twhy\n"
                      "1\t1\t0.0000\tNA\tNA\tkept\n"));
  CHECK(map.find("\n7\t-\t0.6667\tNA\tNA\tgaps\n") != std::string::npos);
  // A column of a single residue has no confidence; no column is sure to more than 1.
  CHECK(program.run({"trim", "a.fa", "--min-confidence", "0.01"}).out == trimmed.out);
  const Outcome none = program.run({"trim", "a.fa", "--min-confidence", "1"});
  CHECK(none.exit_code == 0);
  const std::string masked = program.run({"trim", "a.fa", "--max-gaps", "1", "--mask", "1"}).out;
  CHECK(masked.starts_with(">a\nmkvlaw---\n"));
  CHECK(program.run({"trim", "a.fa", "--max-gaps", "2"}).exit_code == 2);
  // By default a column goes if more than 9 of 10 rows have a gap there.
  std::string rows = ">a\nMKV\n";
  for (int k = 0; k < 10; ++k) rows += ">r" + std::to_string(k) + (k == 0 ? "\nMK-\n" : "\nM--\n");
  program.directory().write("eleven.fa", rows);
  CHECK(program.run({"trim", "eleven.fa"}).out.starts_with(">a\nMK\n>r0\nMK\n>r1\nM-\n"));
}

TEST_CASE("batch: confidence, tree and page beside each alignment, and an index") {
  const Program program;
  REQUIRE(program
              .shell("mkdir in && cp " + example_path() +
                     " in/one.fa && printf '>a b\\nMKV\\n>b\\n"
                     "MKL\\n' > 'in/t wo.fa'")
              .exit_code == 0);
  REQUIRE(program.run({"batch", "in", "-O", "out", "--beside", "page,tree,confidence"}).exit_code ==
          0);
  const auto bytes = [&](const std::string& name) {
    return file_bytes(program.directory().path("out/" + name));
  };
  CHECK(bytes("one.dnd") == program.run({"tree", "in/one.fa"}).out);
  CHECK(bytes("one.confidence.tsv") == program.run({"confidence", "out/one.afa"}).out);
  CHECK(bytes("one.html").find("\"title\":\"one\"") != std::string::npos);
  const std::string index = bytes("index.html");
  CHECK(index.find("<a href=\"t%20wo.html\">t wo</a>") != std::string::npos);
  CHECK(index.find("<td>aligned</td><td>2</td><td>3</td>") != std::string::npos);
  CHECK(program.run({"batch", "in", "-O", "out", "--beside", "cake"}).exit_code == 2);
}

TEST_CASE("stats, dist and score: U is T, unknown letters count nowhere, and what is divided by") {
  const Program program;
  const auto matrix = [&](const std::string& over, const std::string& rows) {
    program.directory().write("x.fa", rows);
    return program.run({"dist", "x.fa", "--aligned", "--percent-id", "-f", "tsv", "-t", "dna",
                        "--identity-over", over});
  };
  const auto percent = [&](const std::string& over, const std::string& a, const std::string& b) {
    const Outcome outcome = matrix(over, ">a\n" + a + "\n>b\n" + b + "\n");
    CAPTURE(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    const std::size_t at = outcome.out.find("\na\t100.000\t");
    REQUIRE(at != std::string::npos);
    const std::string dist = outcome.out.substr(at + 11, outcome.out.find('\n', at + 1) - at - 11);
    const Outcome stats =
        program.run({"stats", "x.fa", "-t", "dna", "--identity-over", over, "-q"});
    const std::string line = stats.out.substr(stats.out.find('\n') + 1);
    const std::size_t end = line.rfind('\t');
    const std::size_t begin = line.rfind('\t', end - 1) + 1;
    const std::string mean = line.substr(begin, end - begin);
    if (dist == "NA") {
      CHECK(mean == "NA");
    } else {
      CHECK(std::stod(mean) == doctest::Approx(std::stod(dist) / 100).epsilon(1e-3));
    }
    return dist;
  };
  CHECK(percent("aligned", "ACGUacgu", "ACGTACGT") == "100.000");
  CHECK(percent("aligned", "ACGN", "ACNA") == "100.000");
  CHECK(percent("aligned", "ACGN", "ATGN") == "66.667");
  CHECK(percent("aligned", "ACRT", "ACAT") == "100.000");
  CHECK(percent("aligned", "ACGT--", "AC--GG") == "100.000");
  CHECK(percent("shorter", "ACGT--", "AC--GG") == "50.000");
  CHECK(percent("columns", "ACGT--", "AC--GG") == "33.333");
  CHECK(percent("shorter", "ACGTACGT", "AC------") == "100.000");
  CHECK(percent("columns", "ACGTACGT", "AC------") == "25.000");
  CHECK(percent("columns", "ACNNACGT", "AC------") == "33.333");
  CHECK(percent("aligned", "ACG---", "---ACG") == "NA");
  CHECK(percent("columns", "ACG---", "---ACG") == "0.000");
  CHECK(percent("aligned", "NNNN", "ACGT") == "NA");
  const Outcome unknown = matrix("aligned", ">a\nAC--\n>b\n--GT\n>c\nACGT\n");
  CHECK(unknown.out ==
        "name\ta\tb\tc\na\t100.000\tNA\t100.000\nb\tNA\t100.000\t100.000\n"
        "c\t100.000\t100.000\t100.000\n");
  CHECK(unknown.err.find("1 pair of rows has no column to compare, such as \"a\" and \"b\"") !=
        std::string::npos);
  CHECK(program.run({"dist", "x.fa", "--aligned"}).out.find(" NA ") != std::string::npos);
  CHECK(program.run({"dist", example_path(), "--identity-over", "shorter"}).exit_code == 2);
  check_refused(program.run({"tree", "x.fa", "-q"}), 65, "a pair of rows has no column");
  CHECK(program.run({"stats", "x.fa", "--identity-over", "rows"}).exit_code == 2);
  // An X of a protein is as unknown; U is selenocysteine there.
  program.directory().write("p.fa", ">a\nMKXLU\n>b\nMKVLT\n");
  CHECK(program.run({"stats", "p.fa", "-t", "protein"}).out.find("\t0.7500\tNA\n") !=
        std::string::npos);
  program.directory().write("test.fa", ">a\nACGU-A\n>b\nACNUUA\n");
  program.directory().write("ref.fa", ">a\nACGT-A\n>b\nACGTTA\n");
  const Outcome score = program.run({"score", "test.fa", "ref.fa"});
  CHECK(score.out.find("\n1.000000\t1.000000\t5\t5\t5\t5\n") != std::string::npos);
  program.directory().write("other.fa", ">a\nACGC-A\n>b\nACGTTA\n");
  CHECK(program.run({"score", "other.fa", "ref.fa"}).exit_code == 65);
}

TEST_CASE("stats: no warning of names that it does not show") {
  const Program program;
  program.directory().write("a.fa", ">a\nMKVL\n>a\nMK-L\n");
  CHECK(program.run({"stats", "a.fa"}).err.empty());
  CHECK(program.run({"dist", "a.fa", "--aligned"}).err.find("name is changed") !=
        std::string::npos);
}
