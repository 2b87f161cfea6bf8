// SPDX-License-Identifier: Apache-2.0
// `accord bench` as its user sees it; the figures themselves are nobody's test.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "cli/program.hpp"

namespace accord::testing {
namespace {

TEST_CASE("cli bench: every backend and stage, as text and as JSON") {
  const Program program;
  const std::string command =
      "$accord bench --sequences 4 --length 30 --taxa 5 --repeats 1 --device none --threads 2";
  const Outcome text = program.shell(command);
  CHECK(text.exit_code == 0);
  CHECK(text.out.find("posteriors") == 0);
  CHECK(text.out.find("\nconsistency") != std::string::npos);
  CHECK(text.out.find("\ntree") != std::string::npos);

  const nlohmann::json json = nlohmann::json::parse(program.shell(command + " --json").out);
  CHECK(json["sequences"] == 4);
  CHECK(json["threads"] == 2);
  CHECK(json["kept_cells"] > 60);  // six pairs of relatives of 30 residues
  REQUIRE(json["results"].size() == 3);
  CHECK(json["results"][1]["work"] == 12);  // six pairs, two others each
  CHECK(json["results"][2]["work"] == 20);  // 10, 6, 3 and 1 pairs of clusters
  for (const nlohmann::json& result : json["results"]) CHECK(result["per_second"] > 0.0);
}

TEST_CASE("cli bench: a family of two has no consistency to measure") {
  const Outcome outcome = Program().shell("$accord bench --sequences 2 --device none");
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.err.find("hint") != std::string::npos);
}

}  // namespace
}  // namespace accord::testing
