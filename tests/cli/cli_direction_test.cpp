// SPDX-License-Identifier: Apache-2.0
// Sequences that read backwards, as a user meets them.
#include <doctest/doctest.h>

#include "cli/program.hpp"
#include "io/families/direction.hpp"
#include "support/paths.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

/// The mitochondrial DNA of human, chimp and gorilla (datasets/README.md) as FASTA: the alignment
/// of the first two, and the third as its reverse complement, without gaps.
struct Primates {
  FastaRows rows = parse_rows(file_bytes(source_dir() + "/datasets/primates.fa"));
  std::string two, turned;

  Primates() {
    for (std::size_t k = 0; k < 2; ++k) two += ">" + rows[k].first + "\n" + rows[k].second + "\n";
    turned = ">gorilla\n" + reverse_complement(degapped(rows)[2].second) + "\n";
  }
};

}  // namespace

// MAFFT 7.505 (--adjustdirection --add) turns the same sequence round, and gives it the same name;
// its row is that of the published alignment.
TEST_CASE("add --adjust-direction: a reverse complement gets the row of the published alignment") {
  const Program program;
  const Primates primates;
  REQUIRE(primates.rows.size() == 3);
  program.directory().write("two.fa", primates.two);
  program.directory().write("new.fa", primates.turned);
  const Outcome added = program.run(
      {"add", "two.fa", "new.fa", "--adjust-direction", "--report", "r.json", "-o", "o.fa"});
  REQUIRE(added.exit_code == 0);
  CHECK(added.err.find("1 sequence is turned round (reverse complement): \"_R_gorilla\"") !=
        std::string::npos);
  FastaRows wanted = primates.rows;
  wanted[2].first = "_R_gorilla";
  CHECK(parse_rows(file_bytes(program.directory().path("o.fa"))) == wanted);
  CHECK(file_bytes(program.directory().path("r.json")).find("\"adjust_direction\": true") !=
        std::string::npos);
  // The rows stay, even where all new sequences read the other way.
  const Outcome hint = program.run({"add", "two.fa", "new.fa", "-o", "p.fa"});
  CHECK(hint.err.find("1 sequence looks like the reverse complement of the others: \"gorilla\"") !=
        std::string::npos);
  CHECK(hint.err.find("--adjust-direction turns them round") != std::string::npos);
  // A name that a row has is not given twice.
  program.directory().write("taken.fa",
                            primates.two + ">_R_gorilla\n" + primates.rows[2].second + "\n");
  const Outcome taken = program.run({"add", "taken.fa", "new.fa", "--adjust-direction"});
  CHECK(taken.exit_code == 65);
  CHECK(taken.err.find("the name \"_R_gorilla\" occurs twice, also in taken.fa") !=
        std::string::npos);
}

TEST_CASE("align and check: a hint where sequences look like reverse complements") {
  const Program program;
  const Primates primates;
  std::string family = primates.two;
  std::erase(family, '-');
  program.directory().write("mixed.fa", family + primates.turned);
  const std::string warning =
      "mixed.fa: 1 sequence looks like the reverse complement of the others: "
      "\"gorilla\"\n  hint: --adjust-direction turns them round";
  const Outcome check = program.run({"check", "mixed.fa"});
  CHECK(check.err.find(warning) != std::string::npos);
  CHECK(check.out.find("problems   1, see the warnings") != std::string::npos);
  CHECK(program.run({"mixed.fa", "-o", "a.fa"}).err.find(warning) != std::string::npos);
  CHECK(program.run({"check", "mixed.fa", "--adjust-direction"}).err.find("looks like") ==
        std::string::npos);
  CHECK(program.run({"check", source_dir() + "/datasets/simulated/rna_10.fa"}).err == "");
  CHECK(program.run({"check", source_dir() + "/datasets/simulated/dna_8.fa"}).err == "");
  // Rows of an alignment are not turned.
  program.directory().write("two.fa", primates.two);
  const Outcome rows = program.run({"dist", "two.fa", "--aligned", "--adjust-direction"});
  CHECK(rows.exit_code == 2);
  CHECK(rows.err.find("rows of an alignment cannot be turned round") != std::string::npos);
}
