// SPDX-License-Identifier: Apache-2.0
// --track, --track-matrix and --track-weight.
#include <doctest/doctest.h>

#include <algorithm>
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

/// RNAs of one structure and of unlike letters: two stems within a third.
constexpr const char* kRna =
    ">r0\nAAACUUUCCUCGUAAUGCAACCAUUUGCAUGGCGAAAUUUCAAAUCCGUAAUUUGAAGGAGGAAA\n"
    ">r1\nCAUUUUAAUUCGGAGGAUUCCCUCCGAGAUACCAUCCUUGGUAUACUAAAAUG\n"
    ">r2\nUUGCUAACCUGAUAAGGUAAUCUCUCCGCUUACCUAAACCAGGCCCUCCUGGUCUCAGGUUA\n"
    ">r3\nGAUAACCUAGCGCACAAGUUCAGCUGCAAAACUUGUGCAACGGGGAAAUACCGUUGCGCUAGGU\n"
    ">r4\nUAUAUUAUCGAAAAGUAGAUACAUUACUUUUGCUCCGUUUUAAGGCCCGUAAAACCGUAAUAUA\n";
constexpr const char* kStructures =
    ">r0\n....(((((((...((((((....))))))........((((((.......)))))).)))))))\n"
    ">r1\n(((((((...((((((....))))))..((((((....))))))..)))))))\n"
    ">r2\n....(((((((...((((((.........))))))..((((((....))))))..)))))))\n"
    ">r3\n....(((((((...((((((.........))))))..((((((.......)))))).)))))))\n"
    ">r4\n(((((((...((((((.........)))))).....((((((.......))))))..)))))))\n";

std::vector<std::string> rna_line(std::vector<std::string> more) {
  std::vector<std::string> all = {"rna.fa", "--track-matrix", "rna", "--track"};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

/// Checks that an OpenCL device of the kind cpu, if there is one, writes the same alignment.
void check_on_device(const Program& program, std::vector<std::string> arguments,
                     const std::string& alignment) {
  constexpr int kNoDevice = 69;
  arguments.insert(arguments.end(), {"-d", "cpu"});
  const Outcome device = program.run(arguments);
  if (device.exit_code == kNoDevice) return;
  CAPTURE(device.err);
  CHECK(device.exit_code == 0);
  CHECK(device.out == alignment);
}

/// The share of the pairs of residues in the columns whose structure letters are the same.
double same_letters(const std::string& alignment) {
  const FastaRows rows = parse_rows(alignment), tracks = parse_rows(kStructures);
  REQUIRE(rows.size() == tracks.size());
  std::vector<std::string> columns(rows.front().second.size());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    std::size_t i = 0;
    for (std::size_t column = 0; column < columns.size(); ++column) {
      if (rows[k].second[column] != '-') columns[column] += tracks[k].second.at(i++);
    }
  }
  double pairs = 0, same = 0;
  for (const std::string& letters : columns) {
    for (std::size_t a = 0; a < letters.size(); ++a) {
      pairs += static_cast<double>(a);
      same += static_cast<double>(std::count(letters.begin(), letters.begin() + a, letters[a]));
    }
  }
  return same / pairs;
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
    check_on_device(program, line(options), host.out);
  }
}

TEST_CASE("track: structures of RNA bring its stems together, on the host as on a device") {
  const Program program;
  program.directory().write("rna.fa", kRna);
  program.directory().write("rna.db", kStructures);
  const Outcome plain = program.run({"rna.fa"});
  CHECK(same_letters(plain.out) < 0.8);
  const Outcome given = program.run(rna_line({"rna.db", "--report", "r.json"}));
  CAPTURE(given.err);
  REQUIRE(given.exit_code == 0);
  CHECK(same_letters(given.out) > 0.9);
  CHECK(degapped(parse_rows(given.out)) == degapped(parse_rows(kRna)));
  const json report = json::parse(file_bytes(program.directory().path("r.json")));
  CHECK(report["track"]["weight"] > 0.5);
  check_on_device(program, rna_line({"rna.db"}), given.out);
}

TEST_CASE("track: other brackets, DNA and a table of a file say the same") {
  const Program program;
  program.directory().write("rna.fa", kRna);
  program.directory().write("rna.db", kStructures);
  const Outcome plain = program.run({"rna.fa"});
  const Outcome given = program.run(rna_line({"rna.db"}));
  REQUIRE(
      program
          .shell("sed '/^>/!y/()./[]_/' rna.db > wuss.db; sed '/^>/!s/[().]/?/g' rna.db > no.db;"
                 "sed '/^>/!s/U/T/g' rna.fa > dna.fa")
          .exit_code == 0);
  CHECK(program.run(rna_line({"wuss.db"})).out == given.out);
  CHECK(program.run(rna_line({"no.db"})).out == plain.out);
  const std::string table = source_dir() + "/datasets/parameters/track_rna.tsv";
  CHECK(program.run({"rna.fa", "--track", "rna.db", "--track-matrix", table}).out == given.out);
  std::string dna = program.run({"dna.fa", "--track", "rna.db", "--track-matrix", "rna"}).out;
  REQUIRE_FALSE(dna.empty());
  for (char& c : dna) c = c == 'T' ? 'U' : c;
  CHECK(dna == given.out);
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
  program.directory().write("open.db", ">a\n((((....))).\n");
  const std::vector<std::string> rna = {"dna.fa", "--track", "open.db", "--track-matrix", "rna"};
  check_refused(program.run(rna), 65, "whose pair is not closed");
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
