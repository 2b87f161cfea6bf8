// SPDX-License-Identifier: Apache-2.0
// `accord_bench` as its user sees it; the figures themselves are nobody's test.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "cli/program.hpp"

namespace accord::testing {
namespace {

TEST_CASE("cli bench: the peak rates and the stages of the aligner, as text and as JSON") {
  const Program program;
  const std::string command =
      "${accord}_bench --sequences 4 --length 30 --taxa 5 --repeats 1 --device none "
      "--threads 2 --stages posteriors,consistency,neighbor_joining";
  const Outcome text = program.shell(command);
  CHECK(text.exit_code == 0);
  CHECK(text.out.find("peak") == 0);
  CHECK(text.out.find("% of the peak (arithmetic)") != std::string::npos);
  CHECK(text.out.find("\nposteriors") != std::string::npos);
  CHECK(text.out.find("\nconsistency") != std::string::npos);
  CHECK(text.out.find("\nneighbor_joining") != std::string::npos);

  const nlohmann::json json = nlohmann::json::parse(program.shell(command + " --json").out);
  CHECK(json["sequences"] == 4);
  CHECK(json["threads"] == 2);
  CHECK(json["kept_cells"] > 60);  // six pairs of relatives of 30 residues
  REQUIRE(json["results"].size() == 3);
  CHECK(json["results"][1]["work"] > 12 * 20);  // six pairs, two others each, of 30 residues
  CHECK(json["results"][2]["work"] == 20);      // 10, 6, 3 and 1 pairs of clusters
  REQUIRE(json["peaks"].size() == 1);
  const nlohmann::json& peak = json["peaks"][0];
  CHECK(peak["copy_bytes_per_second"] > 0.0);
  CHECK(peak["multiply_adds_per_second"] > 0.0);
  CHECK(peak["upload_bytes_per_second"] == 0);
  const double effort[] = {46, 1, 4};  // of a unit of work
  for (int k = 0; k < 3; ++k) {
    const nlohmann::json& result = json["results"][k];
    CHECK(result["per_second"] > 0.0);
    CHECK(result["transfer_seconds"] == 0.0);
    const double most = peak[k == 2 ? "copy_bytes_per_second" : "multiply_adds_per_second"];
    CHECK(result["share_of_peak"].get<double>() ==
          doctest::Approx(effort[k] * result["per_second"].get<double>() / most));
  }
}

TEST_CASE("cli bench: a device has a peak, and bytes to cross") {
  const nlohmann::json json = nlohmann::json::parse(
      Program()
          .shell("${accord}_bench --sequences 4 --length 30 --taxa 5 --repeats 1 --device cpu0 "
                 "--stages posteriors,neighbor_joining --json")
          .out);
  REQUIRE(json["results"].size() == 2);
  CHECK(json["results"][1]["stage"] == "neighbor_joining");
  CHECK(json["peaks"][0]["upload_bytes_per_second"] > 0.0);
  for (const nlohmann::json& result : json["results"]) {
    CHECK(result["transfer_bytes"] > 0);
    CHECK(result["transfer_seconds"] > 0.0);
  }
}

TEST_CASE("cli bench: an unknown stage") {
  const Outcome outcome =
      Program().shell("${accord}_bench --stages posteriors,trees --device none");
  CHECK(outcome.exit_code == 2);
  CHECK(outcome.err.find("'trees' is not a stage") != std::string::npos);
  CHECK(outcome.err.find("hint") != std::string::npos);
}

}  // namespace
}  // namespace accord::testing
