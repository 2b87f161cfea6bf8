// SPDX-License-Identifier: Apache-2.0
// The local modes as a user calls them.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "cli/program.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

const std::vector<std::string> kModes = {"local", "motifs"};

}  // namespace

TEST_CASE("local modes: the same alignment for any threads, any order and in a batch") {
  const Program program;
  const FastaRows rows = parse_rows(file_bytes(example_path()));
  std::string text, reversed;
  for (const auto& [name, letters] : rows) {
    text += ">" + name + "\n" + letters + "\n";
    reversed.insert(0, ">" + name + "\n" + letters + "\n");
  }
  program.directory().write("in/fam.fa", text);
  program.directory().write("reversed.fa", reversed);
  for (const std::string& mode : kModes) {
    CAPTURE(mode);
    const Outcome one = program.run({"in/fam.fa", "-q", "--mode", mode, "-j", "1"});
    REQUIRE(one.exit_code == 0);
    CHECK(is_alignment(parse_rows(one.out)));
    CHECK(degapped(parse_rows(one.out)) == rows);
    CHECK(program.run({"in/fam.fa", "-q", "--mode", mode, "-j", "3"}).out == one.out);
    const Outcome turned = program.run({"reversed.fa", "-q", "--mode", mode, "-j", "2"});
    FastaRows back = parse_rows(turned.out);
    std::ranges::reverse(back);
    CHECK(back == parse_rows(one.out));
    CHECK(program.run({"batch", "in", "-q", "-O", mode, "--mode", mode}).exit_code == 0);
    CHECK(file_bytes(program.directory().path(mode + "/fam.afa")) == one.out);
  }
  // A finished batch of one mode is not one of the other.
  CHECK(program.run({"batch", "in", "-O", "local", "--mode", "local", "--resume"})
            .err.find("1 complete") != std::string::npos);
  CHECK(program.run({"batch", "in", "-O", "local", "--mode", "motifs", "--resume"})
            .err.find("1 aligned") != std::string::npos);
}

TEST_CASE("local modes: families of all sizes") {
  const Program program;
  const std::string word = "MKVLAAGIVGLPNVGKSTLF";
  const std::vector<std::string> families = {
      ">a\n" + word + "\n",
      ">a\n" + word + "\n>b\n" + word + "\n",
      ">a\n" + word + "\n>b\n" + word + "\n>c\n" + word + "\n",
      ">a\nM\n>b\nW\n",
      ">a\nXXXX\n>b\nXX\n>c\nXXX\n",
      ">a\n" + word + word + word + word + "\n>b\nKST\n>c\n" + word + "\n>d\nL\n",
      ">a\nACGTACGTTGCAAC\n>b\nACGTNCGTTGC\n>c\nTTACGTACGTRGCAACA\n"};
  for (const std::string& family : families) {
    program.directory().write("in.fa", family);
    for (const std::string& mode : kModes) {
      CAPTURE(family);
      const Outcome outcome = program.run({"in.fa", "-q", "--mode", mode});
      CHECK(outcome.exit_code == 0);
      CHECK(is_alignment(parse_rows(outcome.out)));
      CHECK(degapped(parse_rows(outcome.out)) == parse_rows(family));
    }
  }
}

TEST_CASE("local modes: report, tree, confidence, check, memory") {
  const Program program;
  program.directory().write("in.fa", file_bytes(example_path()));
  const Outcome outcome =
      program.run({"in.fa", "-v", "--mode", "local", "-o", "o.fa", "-o", "o.sto", "--tree-out",
                   "t.nwk", "--dist-out", "d.phy", "--report", "r.json", "--confidence", "c.tsv"});
  REQUIRE(outcome.exit_code == 0);
  CHECK(outcome.err.find("local pairs") != std::string::npos);
  const auto report = nlohmann::json::parse(file_bytes(program.directory().path("r.json")));
  CHECK(report["parameters"]["mode"] == "local");
  CHECK(report["parameters"]["tree"] == "nj");
  CHECK(report["parameters"]["refine_iterations"] == 2);
  CHECK(report["confidence"]["mean"] > 0.0);
  // The confidence is that of the alignment, as 'accord confidence' has it.
  const Outcome given = program.run({"confidence", "o.fa", "-q"});
  CHECK(given.out == file_bytes(program.directory().path("c.tsv")));
  const std::string upgma = program.run({"in.fa", "-q", "--mode", "local", "--tree", "upgma"}).out;
  CHECK(is_alignment(parse_rows(upgma)));
  CHECK(program.run({"in.fa", "-q", "--mode", "local", "--tree", "t.nwk"}).exit_code == 0);
  CHECK(program.run({"check", "in.fa", "--mode", "local"}).exit_code == 0);
  const Outcome small = program.run({"in.fa", "--mode", "local", "--memory", "1M"});
  CHECK(small.exit_code == 137);
  CHECK(small.err.find("OutOfMemory") != std::string::npos);
  const Outcome backbone =
      program.run({"in.fa", "-q", "--mode", "local", "--large", "always", "--backbone", "4"});
  CHECK(backbone.exit_code == 0);
  CHECK(is_alignment(parse_rows(backbone.out)));
}
