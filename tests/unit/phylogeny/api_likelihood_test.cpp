// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "accord/api/given.hpp"

using namespace accord;

namespace {

const std::vector<api::Sequence> kRows = {
    {"a first", "MKVLAAGIVG"}, {"b", "MKVL--GIVG"}, {"c", "MRVLA-GLVG"}};

}  // namespace

TEST_CASE("api: the likelihood of an alignment") {
  api::LikelihoodOptions wanted;
  wanted.model = "LG";
  const api::Likelihood found = api::likelihood(kRows, wanted);
  CHECK(found.sites.size() == 10);
  CHECK(found.total < 0);
  CHECK(found.tree.ends_with(";\n"));
}

TEST_CASE("api: distances of a model of substitution") {
  api::DistanceOptions wanted;
  wanted.aligned = true;
  wanted.model = "LG";
  const api::Distances found = api::distances(kRows, wanted);
  REQUIRE(found.values.size() == 9);
  CHECK(found.values[1] == 0);  // the same residues in all columns that both have
  CHECK(found.values[2] > 0.1f);
}
