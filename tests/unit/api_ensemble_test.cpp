// SPDX-License-Identifier: Apache-2.0
// The C++ interface to ensembles; tests/python compares its results with the program's.
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "accord/api/ensemble.hpp"

using namespace accord;

namespace {

const std::vector<api::Sequence> kFamily = {{"a first", "MKVLAAGIVGLPWTRE"},
                                            {"b", "MKVLGIVGPWTRD"},
                                            {"c", "MRVLAGLVGLPWSE"},
                                            {"d", "MKILAAGVGLWTKE"}};

std::vector<std::string> letters_of(const api::Alignment& alignment) {
  std::vector<std::string> letters;
  for (const api::Sequence& row : alignment.rows) letters.push_back(row.letters);
  return letters;
}

}  // namespace

TEST_CASE("api ensemble: the first replicate is that of align, with the report") {
  const api::Ensemble made = api::ensemble(kFamily, {.replicates = 5, .seed = 2});
  REQUIRE(made.replicates.size() == 5);
  const api::Alignment aligned = api::align(kFamily);
  CHECK(letters_of(made.replicates[0].alignment) == letters_of(aligned));
  CHECK(made.replicates[0].alignment.tree == aligned.tree);
  CHECK(made.replicates[0].alignment.report.find("\"dispersion\"") != std::string::npos);
  CHECK(made.replicates[4].name == "p2.t0");
  CHECK(made.best < 5);
  for (const api::Replicate& replicate : made.replicates) {
    CHECK(replicate.columns.size() == replicate.alignment.rows[0].letters.size());
    CHECK(replicate.agreement <= made.replicates[made.best].agreement);
  }
  std::string efa;
  for (const api::Replicate& replicate : made.replicates) {
    efa += "<" + replicate.name + "\n" + api::format(replicate.alignment, "fasta");
  }
  CHECK(api::format(made) == efa);
}

TEST_CASE("api ensemble: refusals have hints in the words of the interface") {
  CHECK_THROWS_AS(api::ensemble(kFamily, {.replicates = 0}), const Error&);
  CHECK_THROWS_AS(api::ensemble(kFamily, {.replicates = 1001}), const Error&);
  api::Options options;
  options.mode = "local";
  try {
    api::ensemble(kFamily, {}, options);
    FAIL("a local mode was taken");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::usage);
    CHECK(error.hint() == "leave out mode");
  }
}
