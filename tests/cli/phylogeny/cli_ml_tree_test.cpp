// SPDX-License-Identifier: Apache-2.0
// accord tree --ml.
#include <doctest/doctest.h>

#include <algorithm>
#include <regex>
#include <string>

#include "cli/program.hpp"

using namespace accord;
using namespace accord::testing;

TEST_CASE(
    "tree --ml: of a family the tree that 'accord likelihood --nni' finds for its alignment") {
  const Program program;
  REQUIRE(program.run({example_path(), "-o", "a.fa"}).exit_code == 0);
  const Outcome tree = program.run({"tree", example_path(), "--ml", "--table", "t.tsv"});
  CHECK(tree.exit_code == 0);
  CHECK(tree.err.empty());
  const Outcome likelihood =
      program.run({"likelihood", "a.fa", "--nni", "--tree-out", "likelihood.nwk"});
  CHECK(tree.out == file_bytes(program.directory().path("likelihood.nwk")));
  CHECK(likelihood.out == file_bytes(program.directory().path("t.tsv")));
  CHECK(program.run({"tree", "a.fa", "--ml", "--aligned"}).out == tree.out);
  const Outcome as_it_is = program.run({"tree", "a.fa", "--ml"});
  CHECK(as_it_is.out == tree.out);
  CHECK(has(as_it_is.err, "a.fa: rows of one length with gaps are an alignment"));
  CHECK(program.run({"tree", "a.fa", "--ml", "--gaps", "remove", "-q"}).out == tree.out);
  CHECK(program.run({"tree", example_path(), "--ml", "--device", "cpu0"}).out == tree.out);
  CHECK(program.run({"tree", example_path(), "--ml", "--threads", "3"}).out == tree.out);
  const Outcome other = program.run({"tree", "a.fa", "--ml", "--aligned", "--model", "JTT"});
  CHECK(other.exit_code == 0);
  CHECK(other.out != tree.out);
  CHECK(std::count(other.out.begin(), other.out.end(), ',') == 7);
}

TEST_CASE("tree --ml: -v has the steps, each with the model and its likelihood") {
  const Program program;
  REQUIRE(program.run({example_path(), "-o", "a.fa"}).exit_code == 0);
  const Outcome tree = program.run({"tree", "a.fa", "--ml", "--aligned", "--spr", "3", "--support",
                                    "abayes", "--table", "t.tsv", "-d", "none", "-v"});
  CHECK(tree.exit_code == 0);
  for (const char* stage : {"first tree", "interchanges", "fit"}) {
    CAPTURE(stage);
    CHECK(std::regex_search(tree.err,
                            std::regex("(^|\n)" + std::string(stage) +
                                       " +[0-9.]+ s  step 1, LG\\+G4, log likelihood -[0-9.]+\n")));
  }
  // The last step is the tree that is written.
  const std::string table = file_bytes(program.directory().path("t.tsv"));
  const std::size_t at = table.find("log_likelihood\t") + 15;
  CHECK(has(tree.err, "log likelihood " + table.substr(at, table.find('.', at) + 3 - at)));
  const Outcome chosen =
      program.run({"tree", "a.fa", "--ml", "--aligned", "--model", "auto", "-d", "none", "-v"});
  CHECK(std::regex_search(chosen.err, std::regex("(^|\n)models .* step 1, LG, log likelihood -")));
  CHECK(has(chosen.err, "WAG+F+I+G4, log likelihood"));
  CHECK(program.run({"likelihood", "a.fa", "-d", "none", "-q", "--nni"}).err.empty());
}

TEST_CASE("tree --ml: what does not go together is said") {
  const Program program;
  program.directory().write("one.fa", ">a\nMKV\n");
  program.directory().write("two.fa", ">a\nMKV\n>b\nMKI\n");
  program.directory().write("rough.fa", ">a\nMKV\n>b\nMK\n");
  program.directory().write("four.phy", "4\na\nb 2\nc 4 4\nd 6 6 6\n");
  CHECK(program.run({"tree", "two.fa", "--ml"}).exit_code == 0);
  check_refused(program.run({"tree", "one.fa", "--ml"}), 65, "at least two sequences");
  check_refused(program.run({"tree", "two.fa", "--ml", "--model", "HKY"}), 65,
                "model HKY is for nucleotides");
  check_refused(program.run({"tree", "two.fa", "--ml", "--model", "XYZ"}), 2, "XYZ");
  check_refused(program.run({"tree", "rough.fa", "--ml", "--aligned"}), 65, "rough.fa");
  check_refused(program.run({"tree", "four.phy", "--ml", "--from-distances"}), 2,
                "--ml needs sequences");
  check_refused(program.run({"tree", "two.fa", "--model", "LG"}), 2, "add --ml");
  CHECK(program.run({"tree", "two.fa", "--aligned"}).exit_code == 0);
  check_refused(program.run({"tree", "two.fa", "--table", "t.tsv"}), 2, "add --ml");
  check_refused(program.run({"tree", "two.fa", "one.fa", "--ml", "--aligned"}), 2, "name one file");
  check_refused(program.run({"tree", "two.fa", "--ml", "-o", "x", "--table", "x"}), 2,
                "two outputs");
}
