// SPDX-License-Identifier: Apache-2.0
// --trace: the timeline of a run.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "cli/program.hpp"
#include "support/paths.hpp"

namespace accord::testing {
namespace {

using nlohmann::json;

json json_in(const Program& program, const std::string& name) {
  return json::parse(file_bytes(program.directory().path(name)));
}

/// The spans of a kind, in the order of the file.
std::vector<json> spans_of(const json& trace, const std::string& kind) {
  std::vector<json> spans;
  for (const json& event : trace["traceEvents"]) {
    if (event["ph"] == "X" && event["cat"] == kind) spans.push_back(event);
  }
  return spans;
}

std::set<std::string> names_of(const std::vector<json>& spans) {
  std::set<std::string> names;
  for (const json& span : spans) names.insert(span["name"]);
  return names;
}

double end_of(const json& span) { return span["ts"].get<double>() + span["dur"].get<double>(); }

/// Whether a span is within another one of its thread. The numbers are rounded to nanoseconds.
bool is_within(const json& inner, const json& outer) {
  constexpr double kRounding = 0.01;
  return inner["pid"] == outer["pid"] && inner["tid"] == outer["tid"] &&
         inner["ts"] >= outer["ts"].get<double>() - kRounding &&
         end_of(inner) <= end_of(outer) + kRounding;
}

/// Checks that any two spans of a thread are apart, or one is within the other.
void check_nesting(const json& trace) {
  std::map<int, std::vector<json>> rows;
  for (const json& event : trace["traceEvents"]) {
    if (event["ph"] == "X") rows[event["tid"]].push_back(event);
  }
  for (const auto& row : rows) {
    CAPTURE(row.first);
    const std::vector<json>& spans = row.second;
    for (std::size_t a = 0; a < spans.size(); ++a) {
      for (std::size_t b = 0; b < a; ++b) {
        const bool are_apart =
            spans[a]["ts"] >= end_of(spans[b]) - 0.01 || spans[b]["ts"] >= end_of(spans[a]) - 0.01;
        CHECK((are_apart || is_within(spans[a], spans[b]) || is_within(spans[b], spans[a])));
      }
    }
  }
}

const std::vector<std::string> kStages = {"posteriors", "tree", "consistency", "align", "refine"};

TEST_CASE("cli trace: the stages of a run are those of its report") {
  const Program program;
  const Outcome plain = program.run({example_path(), "-d", "none"});
  const Outcome outcome = program.run(
      {example_path(), "-d", "none", "-j", "2", "--trace", "t.json", "--report", "r.json"});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.out == plain.out);
  const json trace = json_in(program, "t.json");
  const std::vector<json> stages = spans_of(trace, "stage");
  const json reported = json_in(program, "r.json")["stages"];
  REQUIRE(stages.size() == reported.size());
  double sum = 0;
  for (std::size_t k = 0; k < stages.size(); ++k) {
    CHECK(stages[k]["name"] == reported[k]["name"]);
    CHECK(stages[k]["args"]["detail"] == reported[k]["detail"]);
    // A span begins before the clock of the report, and ends after it.
    const double seconds = 1e-6 * stages[k]["dur"].get<double>();
    CHECK(seconds >= reported[k]["wall_s"].get<double>() - 1e-8);
    sum += seconds;
    if (k > 0) CHECK(stages[k]["ts"].get<double>() >= end_of(stages[k - 1]) - 0.01);
  }
  CHECK(sum <= json_in(program, "r.json")["total"]["wall_s"].get<double>());
  CHECK(names_of(spans_of(trace, "step")) == std::set<std::string>{"read", "plan", "write"});
  CHECK(names_of(spans_of(trace, "batch")) == std::set<std::string>{"posteriors", "consistency"});
  check_nesting(trace);
}

TEST_CASE("cli trace: every family of a batch has its stages, on the device and the host") {
  const Program program;
  const std::string families = source_dir() + "/datasets/simulated/";
  const std::vector<std::string> names = {"easy_8", "dna_8", "twilight_6", "odd_letters_10"};
  std::string manifest;
  for (const std::string& name : names) manifest += families + name + ".fa\n";
  program.directory().write("list", manifest);
  for (const std::string device : {"none", "cpu0,none"}) {
    CAPTURE(device);
    const Outcome outcome = program.shell(
        "rm -rf out; export ACCORD_CACHE_DIR=${ACCORD_CACHE_DIR:-$PWD/cache}; if [ " + device +
        " = none ] || $accord devices | grep -q '^[0-9].*cpu0'; then $accord batch list -O out "
        "-d " +
        device + " -j 2 --trace t.json --report r.json; else echo none; fi");
    REQUIRE_MESSAGE(outcome.exit_code == 0, outcome.err);
    if (outcome.out == "none\n") continue;
    const json trace = json_in(program, "t.json");
    const std::vector<json> stages = spans_of(trace, "stage");
    const std::vector<json> of_families = spans_of(trace, "family");
    REQUIRE(of_families.size() == names.size());
    for (const json& reported : json_in(program, "r.json")["families"]) {
      const std::string name = reported["id"];
      CAPTURE(name);
      const auto family =
          std::ranges::find_if(of_families, [&](const json& span) { return span["name"] == name; });
      REQUIRE(family != of_families.end());
      std::set<std::string> found;
      double sum = 0;
      for (const json& stage : stages) {
        if (stage["args"]["family"] != name) continue;
        CHECK(is_within(stage, *family));
        CHECK(found.insert(stage["name"]).second);
        sum += 1e-6 * stage["dur"].get<double>();
      }
      for (const std::string& stage : kStages) CHECK(found.contains(stage));
      CHECK(sum > 0);
      CHECK(sum <= reported["wall_s"].get<double>() + 1e-6);
      CHECK(reported["wall_s"].get<double>() <= 1e-6 * (*family)["dur"].get<double>() + 1e-6);
    }
    CHECK(names_of(spans_of(trace, "batch")).contains("posteriors"));
    CHECK(spans_of(trace, "device").empty() == (device == "none"));
    check_nesting(trace);
  }
}

TEST_CASE("cli trace: a run that fails, or is ended, leaves its timeline") {
  const Program program;
  program.directory().write("bad.fa", ">a\nMK7\n");
  CHECK(program.run({"bad.fa", "-d", "none", "--trace", "t.json"}).exit_code == 65);
  CHECK(names_of(spans_of(json_in(program, "t.json"), "step")) == std::set<std::string>{"read"});
  program.directory().write("long.fa", random_fasta(2, 60'000));
  CHECK(program.run({"long.fa", "-d", "none", "--time-limit", "1", "--trace", "late.json"})
            .exit_code == 124);
  const json late = json_in(program, "late.json");
  bool has_open = false;
  for (const json& event : late["traceEvents"]) {
    has_open |= event.contains("args") && event["args"].contains("unfinished");
  }
  CHECK(has_open);
}

TEST_CASE("cli trace: the file is no input, no other output, and not standard output") {
  const Program program;
  program.directory().write("a.fa", ">a\nMKV\n>b\nMKI\n");
  check_refused(program.run({"a.fa", "-d", "none", "--trace", "a.fa"}), 2, "a.fa");
  check_refused(program.run({"a.fa", "-d", "none", "--trace", "x", "-o", "x"}), 2, "x");
  check_refused(program.run({"a.fa", "-d", "none", "--trace", "-"}), 2, "--trace -");
  check_refused(program.run({"batch", "a.fa", "-O", "out", "--trace", "out/a.afa"}), 2,
                "out/a.afa");
  check_refused(program.run({"a.fa", "-d", "none", "--trace", "no/where.json"}), 73,
                "no/where.json");
  CHECK(file_bytes(program.directory().path("a.fa")) == ">a\nMKV\n>b\nMKI\n");
}

}  // namespace
}  // namespace accord::testing
