// SPDX-License-Identifier: Apache-2.0
// accord dist with models of substitution.
#include <doctest/doctest.h>

#include <random>

#include "cli/distance_checks.hpp"
#include "cli/program.hpp"

using namespace accord;
using namespace accord::testing;

TEST_CASE("dist: distances of the largest likelihood as IQ-TREE has them") {
  const Program program;
  // IQ-TREE 2.0.7, .mldist, which it finds within some 1e-6.
  check_close(first_row(program, kProteins, "LG"),
              {0, 1.8250364, 1.7580366, 0.4359262, 1.3516464, 0.8162447, 1.2760096, 1.9036203},
              2e-5);
  check_close(first_row(program, kProteins, "LG+G4{0.5}"),
              {0, 5.7839665, 5.8086225, 0.7261631, 3.7074132, 1.6368598, 3.4776037, 6.3076117},
              2e-5);
  check_close(first_row(program, kDna, "HKY{2.5}"),
              {0, 0.5443612, 0.5023878, 0.5691234, 0.1762868, 0.2064942, 0.5446024, 0.5485869},
              2e-5);
  // The likelihood by the model of Jukes and Cantor has its peak where their formula says, also for
  // sequences of few differences.
  std::mt19937 random(20261126);
  std::string row;
  for (int c = 0; c < 50000; ++c) row += "ACGT"[random() % 4];
  std::string other = row;
  for (const std::size_t c : {70, 7000, 40000}) other[c] = other[c] == 'A' ? 'C' : 'A';
  program.directory().write("close.fa", ">a\n" + row + "\n>b\n" + other + "\n>c\n" + row + "\n");
  check_close(first_row(program, "close.fa", "jc"), {0, 0.00006, 0}, 1e-6);
  check_close(first_row(program, "close.fa", "K80{1}"), {0, 0.00006, 0}, 1e-6);
  // No column in common leaves likelihoods as flat as they can be.
  program.directory().write("apart.fa", ">a\nACGT--\n>b\n----AC\n>c\nACGTAC\n");
  CHECK(
      has(program.run({"dist", "apart.fa", "--aligned", "--model", "JC+G4{1}", "-f", "pairs"}).out,
          "\na\tb\tNA\na\tc\t0.000000\n"));
}

TEST_CASE("dist: models of substitution that do not fit are refused") {
  const Program program;
  CHECK(program.run({"dist", kDna, "--aligned", "--model", "HKY"}).exit_code == 2);
  CHECK(program.run({"dist", kProteins, "--aligned", "--model", "HKY{2}"}).exit_code == 65);
}
