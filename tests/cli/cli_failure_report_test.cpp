// SPDX-License-Identifier: Apache-2.0
// --report of runs that fail: it says why.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "base/paths.hpp"
#include "cli/program.hpp"

namespace accord::testing {
namespace {

using nlohmann::json;

json report_in(const Program& program, const std::string& name = "r.json") {
  return json::parse(file_bytes(program.directory().path(name)));
}

TEST_CASE("failure report: an error of each command that writes a report") {
  const Program program;
  program.directory().write("bad.fa", ">a\nMK7\n");
  program.directory().write("good.fa", ">a\nMKV-L\n>b\nMKVIL\n");
  for (const char* line :
       {"align bad.fa -o out.fa", "add good.fa bad.fa -o out.fa", "merge good.fa bad.fa -o out.fa",
        "ensemble bad.fa -o out.efa", "batch none.tsv -O out"}) {
    CAPTURE(line);
    const Outcome outcome =
        program.shell("rm -f r.json; $accord " + std::string(line) + " -d none --report r.json");
    const json report = report_in(program);
    CHECK(outcome.exit_code > 1);
    CHECK(report["schema_version"] == 1);
    CHECK(report["command"] == std::string(line).substr(0, std::string(line).find(' ')));
    CHECK(report["exit_code"] == outcome.exit_code);
    CHECK(has(outcome.err, "accord: error: " + report["error"]["text"].get<std::string>() + "\n"));
    CHECK(has(outcome.err, "  hint: " + report["error"]["hint"].get<std::string>() + "\n"));
    CHECK(report["error"]["signal"].is_null());
    CHECK(report["inputs"].size() >= 1);
    CHECK(report["total"]["wall_s"] >= 0);
    CHECK_FALSE(path_exists(program.directory().path("out.fa")));
  }
}

TEST_CASE("failure report: a signal and the time limit") {
  const Program program;
  // The pipe is opened for writing once accord reads it, so after it has begun the run.
  const std::string run =
      "mkfifo pipe 2>/dev/null; rm -f r.json; $accord pipe -d none --report r.json -o out.fa ";
  const Outcome ended =
      program.shell(run + "& pid=$!; exec 3>pipe; kill -TERM $pid; wait $pid; exit $?");
  CHECK(ended.exit_code == 143);
  json report = report_in(program);
  CHECK(report["exit_code"] == 143);
  CHECK(report["error"]["signal"] == "SIGTERM");
  CHECK(report["error"]["text"] == "ended by SIGTERM, partial output was removed");
  const Outcome late = program.shell(run + "--time-limit 0.1");
  CHECK(late.exit_code == 124);
  report = report_in(program);
  CHECK(report["exit_code"] == 124);
  CHECK(report["error"]["signal"].is_null());
  CHECK(has(report["error"]["text"], "the time limit is reached"));
  // A batch whose only family is the pipe.
  const Outcome batch = program.shell(
      "rm r.json; echo pipe >list; $accord batch list -O out -d none --report r.json & pid=$!; "
      "exec 3>pipe; kill -TERM $pid; wait $pid; exit $?");
  CHECK(batch.exit_code == 143);
  CHECK(has(report_in(program)["error"]["text"], "finished families are kept"));
}

TEST_CASE("failure report: an existing report is replaced, an input never, stdout if asked for") {
  const Program program;
  program.directory().write("bad.fa", ">a\nMK7\n");
  program.directory().write("good.fa", ">a\nMKVL\n>b\nMKIL\n");
  REQUIRE(program.shell("$accord good.fa -o out.fa -d none --report r.json").exit_code == 0);
  CHECK(report_in(program)["exit_code"] == 0);
  CHECK(program.shell("$accord bad.fa -o out.fa -d none --report r.json").exit_code == 65);
  CHECK(report_in(program)["exit_code"] == 65);
  CHECK(program.shell("$accord bad.fa -o out.fa --report bad.fa").exit_code == 2);
  program.directory().write("list", "bad.fa\n");
  CHECK(program.shell("$accord batch list -O out --report bad.fa").exit_code == 2);
  CHECK(program.shell("$accord batch list -O out --report list").exit_code == 2);
  CHECK(file_bytes(program.directory().path("bad.fa")) == ">a\nMK7\n");
  CHECK(file_bytes(program.directory().path("list")) == "bad.fa\n");
  CHECK(program.shell("$accord good.fa -o no/where.fa -d none --report r.json").exit_code == 73);
  CHECK(report_in(program)["exit_code"] == 73);
  CHECK(program.shell("$accord batch list -O list -d none --report r2.json").exit_code == 73);
  CHECK(report_in(program, "r2.json")["exit_code"] == 73);
  CHECK(json::parse(program.shell("$accord bad.fa -o out.fa --report -").out)["exit_code"] == 65);
  // The report of a batch with families that failed is that of the batch.
  CHECK(program.shell("$accord batch list -O out -d none --report b.json").exit_code == 4);
  CHECK(report_in(program, "b.json")["families"].size() == 1);
}

TEST_CASE("failure report: accord verify says that the run failed") {
  const Program program;
  program.directory().write("bad.fa", ">a\nMK7\n");
  program.shell("$accord bad.fa -o out.fa --report r.json; cp bad.fa out.fa");
  check_refused(program.run({"verify", "bad.fa", "out.fa", "r.json"}), 65,
                "of a run that failed: bad.fa:2");
}

}  // namespace
}  // namespace accord::testing
