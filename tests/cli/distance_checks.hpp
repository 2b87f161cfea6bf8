// SPDX-License-Identifier: Apache-2.0
// What tests of `accord dist` share.
#pragma once
#include <doctest/doctest.h>

#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include "cli/program.hpp"
#include "support/paths.hpp"

namespace accord::testing {

inline const std::string kDna = source_dir() + "/datasets/simulated/dna_8.true.fa";
inline const std::string kProteins = source_dir() + "/datasets/example.true.fa";

/// The distances of the first row to the others.
inline std::vector<double> first_row(const Program& program, const std::string& file,
                                     const std::string& model) {
  const Outcome outcome = program.run({"dist", file, "--aligned", "--model", model});
  CAPTURE(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  std::istringstream words(outcome.out);
  std::string count, name;
  words >> count >> name;
  std::vector<double> row(std::stoul(count));
  for (double& distance : row) words >> distance;
  return row;
}

inline void check_close(const std::vector<double>& found, const std::vector<double>& wanted,
                        double tolerance) {
  REQUIRE(found.size() == wanted.size());
  for (std::size_t k = 0; k < found.size(); ++k) {
    CAPTURE(k);
    CHECK(std::abs(found[k] - wanted[k]) <= tolerance);
  }
}

}  // namespace accord::testing
