// SPDX-License-Identifier: Apache-2.0
// Likelihoods of models of codons.
#include <doctest/doctest.h>

#include <cmath>

#include "cli/codon_genes.hpp"
#include "cli/program.hpp"

using namespace accord;
using namespace accord::testing;

TEST_CASE("likelihood: GY94 with other genetic codes, as IQ-TREE has it") {
  // IQ-TREE 2.0.7 (-s c.fa -m GY+F3X4 -te t.nwk -st CODON1, CODON2, CODON10): logarithms of the
  // likelihoods. Codes 2 and 10 have 60 and 62 codons that are no stop.
  const Program program;
  std::string genes;
  for (const auto& [name, letters] : parse_rows(kGenes)) {
    if (name != "X62281.1" && name != "AJ237582.1") genes += ">" + name + "\n" + letters + "\n";
  }
  program.directory().write("g.fa", genes);
  program.directory().write("t.nwk", "(X55053.1,(M81224.1,AF297471.1),L31939.1);\n");
  REQUIRE(program.run({"codon", "g.fa", "--stops", "drop", "-o", "c.fa"}).exit_code == 0);
  const auto logarithm = [&](const std::string& code) {
    const std::string name = "\nlog_likelihood\t";
    const std::string table =
        program.run({"likelihood", "c.fa", "--model", "GY94", "--tree", "t.nwk", "--code", code})
            .out;
    REQUIRE(has(table, name));
    return std::stod(table.substr(table.find(name) + name.size()));
  };
  CHECK(std::abs(logarithm("1") + 422.5922) < 2e-4);
  CHECK(std::abs(logarithm("2") + 420.6313) < 2e-4);
  CHECK(std::abs(logarithm("10") + 422.6690) < 2e-4);
  const Outcome other = program.run({"likelihood", "c.fa", "--model", "HKY", "--code", "2"});
  CHECK(other.exit_code == 2);
  CHECK(has(other.err, "a genetic code, but model HKY has no codons"));
  CHECK(program.run({"likelihood", "c.fa", "--model", "GY94", "--code", "7"}).exit_code == 2);
  CHECK(program.run({"tree", "c.fa", "--code", "2"}).exit_code == 2);  // without --ml
}
