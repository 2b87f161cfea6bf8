// SPDX-License-Identifier: Apache-2.0
// --track, --track-matrix and --track-weight.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/program.hpp"
#include "support/paths.hpp"

using namespace accord;
using namespace accord::testing;
using json = nlohmann::json;

namespace {

constexpr std::size_t npos = std::string::npos;
const std::string kTrack = source_dir() + "/datasets/example.ss3.fa";

std::vector<std::string> line(std::vector<std::string> more) {
  std::vector<std::string> all = {example_path(), "--track-matrix", "ss3"};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

}  // namespace

TEST_CASE("track: it changes the alignment, and the report has its weight") {
  const Program program;
  const Outcome plain = program.run({example_path()});
  const Outcome given =
      program.run(line({"--track", kTrack, "--track-weight", "1", "--report", "r.json"}));
  CAPTURE(given.err);
  REQUIRE(given.exit_code == 0);
  CHECK(given.out != plain.out);
  CHECK(degapped(parse_rows(given.out)) == degapped(parse_rows(plain.out)));
  json report = json::parse(file_bytes(program.directory().path("r.json")));
  CHECK(report["track"] == json{{"weight", 1.0}, {"agreement", nullptr}, {"pairs", 0}});
  REQUIRE(program.run(line({"--track", kTrack, "--report", "r.json"})).exit_code == 0);
  report = json::parse(file_bytes(program.directory().path("r.json")));
  CHECK(report["track"]["pairs"] == 28);
  CHECK(report["track"]["weight"] > 0.5);
  CHECK(report["track"]["weight"] <= 1);
  REQUIRE(program.run({example_path(), "--report", "r.json"}).exit_code == 0);
  CHECK(json::parse(file_bytes(program.directory().path("r.json")))["track"].is_null());
}

TEST_CASE("track: of unknown residues, or of the weight 0, changes nothing") {
  const Program program;
  const Outcome plain = program.run({example_path()});
  REQUIRE(program.shell("sed '/^>/!s/[A-Z]/?/g' " + kTrack + " > unknown.fa").exit_code == 0);
  for (const auto& more : {std::vector<std::string>{"--track", "unknown.fa"},
                           {"--track", "unknown.fa", "--track-weight", "2"},
                           {"--track", kTrack, "--track-weight", "0"}}) {
    const Outcome outcome = program.run(line(more));
    CAPTURE(outcome.err);
    CHECK(outcome.out == plain.out);
    const bool is_warned = outcome.err.find("fewer than two sequences have letters") < npos;
    CHECK(is_warned == (more[1] == "unknown.fa"));
  }
}

TEST_CASE("track: the report says that tracks are not used, and has the warning") {
  const Program program;
  REQUIRE(program.shell("head -n 2 " + kTrack + " > one.fa").exit_code == 0);
  REQUIRE(program.run(line({"--track", "one.fa", "--track-weight", "1", "--report", "r.json"}))
              .exit_code == 0);
  const json report = json::parse(file_bytes(program.directory().path("r.json")));
  CHECK(report["track"]["weight"] == 0);
  CHECK(report["warnings"].dump().find("fewer than two sequences") < npos);
}

TEST_CASE("track: a device finds the same bytes as the host, and a large family takes tracks") {
  const Program program;
  for (const auto& more : {std::vector<std::string>{}, {"--large", "always", "--backbone", "4"}}) {
    std::vector<std::string> options = {"--track", kTrack};
    options.insert(options.end(), more.begin(), more.end());
    const Outcome host = program.run(line(options));
    REQUIRE(host.exit_code == 0);
    options.insert(options.end(), {"-d", "cpu"});
    const Outcome device = program.run(line(options));
    if (device.exit_code != 0) return;  // there is no OpenCL
    CHECK(device.out == host.out);
  }
}

TEST_CASE("track: what says nothing is refused") {
  const Program program;
  program.directory().write("dna.fa", ">a\nACGTACGTACGT\n>b\nACGTACGTACG\n");
  program.directory().write("a.ss3", ">a\nHHHHHHHHHHHH\n");
  check_refused(program.run({example_path(), "--track", kTrack}), 2, "no table of log odds");
  check_refused(program.run(line({})), 2, "no tracks");
  check_refused(program.run(line({"--track", kTrack, "--mode", "local"})), 2, "mode local");
  check_refused(program.run(line({"--track", kTrack, "--track-weight", "3"})), 2, "weight");
  check_refused(program.run(line({"--track", kTrack, "--track-weight", "much"})), 2, "number");
  check_refused(program.run({"dna.fa", "--track", "a.ss3", "--track-matrix", "ss3"}), 2,
                "nucleotides");
  check_refused(program.run({"dist", example_path(), "--track", kTrack}), 2, "--track");
}

TEST_CASE("track: no output replaces the tracks or their table") {
  const Program program;
  program.directory().write("t.fa", file_bytes(kTrack));
  program.directory().write("t.tsv",
                            file_bytes(source_dir() + "/datasets/parameters/track_ss3.tsv"));
  for (const std::string output : {"t.fa", "t.tsv"}) {
    const Outcome refused = program.run({example_path(), "--track", "t.fa", "--track-matrix",
                                         "t.tsv", "-o", output, "-f", "fasta"});
    CHECK(refused.exit_code == 2);
    CHECK(refused.err.find("the output " + output + " would replace the input") !=
          std::string::npos);
  }
}
