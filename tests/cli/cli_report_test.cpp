// SPDX-License-Identifier: Apache-2.0
// Reports: their files, checksums and parameters. That they fit the schema is tested by
// tests/harness/test_reports.py.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "app/cli/help.hpp"
#include "cli/program.hpp"
#include "io/files/sha256.hpp"
#include "support/paths.hpp"

using namespace accord;
using namespace accord::testing;
using nlohmann::json;

namespace {

json report_of(const Program& program) {
  return json::parse(file_bytes(program.directory().path("r.json")));
}

json run_with_report(const Program& program, std::vector<std::string> options) {
  options.insert(options.end(), {"--report", "r.json"});
  REQUIRE(program.run(options).exit_code == 0);
  return report_of(program);
}

}  // namespace

TEST_CASE("report: every file of a run is in it") {
  const Program program;
  program.directory().write("one.fa", ">a\nMKV\n");
  const json report = run_with_report(
      program, {"one.fa",     example_path(),  "-o",         "a.sto.gz",  "-o",           "a.phy",
                "-f",         "phylip-strict", "--tree-out", "a.nwk",     "--dist-out",   "a.dist",
                "--html",     "a.html",        "--multiqc",  "a_mqc.tsv", "--confidence", "a.tsv",
                "--name-map", "a.names",       "--memory",   "4G"});
  CHECK(report["memory"]["budget_bytes"] == std::size_t{4} << 30);
  CHECK(report["input"]["files"].size() == 2);
  CHECK(report["input"]["type_detected"] == true);
  CHECK(report["compute"]["devices"].size() == 1);
  std::map<std::string, int> kinds;
  for (const json& file : report["output"]["files"]) ++kinds[file["kind"]];
  CHECK(kinds == std::map<std::string, int>{{"alignment", 2},
                                            {"confidence", 1},
                                            {"distances", 1},
                                            {"html", 1},
                                            {"multiqc", 1},
                                            {"name-map", 1},
                                            {"report", 1},
                                            {"tree", 1}});
}

TEST_CASE("report: the files of add") {
  const Program program;
  program.directory().write("a.fa", ">a\nMKV-LAAG\n>b\nMKVILAAG\n");
  program.directory().write("b.fa", ">c\nMKVLAAG\n>d\nMKVPPPLAAG\n");
  for (const char* path : {"-", "o.sto"}) {
    const json added = run_with_report(program, {"add", "a.fa", "b.fa", "-o", path});
    CHECK(added["output"]["path"] == path);
    CHECK(added["input"]["files"][1]["sha256"] ==
          sha256(file_bytes(program.directory().path("b.fa"))));
  }
  const json kept = run_with_report(program, {"add", "a.fa", "b.fa", "-o", "o.a2m", "-q",
                                              "--keep-columns", "--left-out", "l.tsv"});
  CHECK(kept["output"]["files"][0]["kind"] == "left-out");
}

TEST_CASE("report: checksums are those of the bytes that were read and written") {
  const Program program;
  program.directory().write("in.fa", ">a\nMKVLAAGIVG\n>b\nMKVLAGIVG\n>c\nMKLAAGIG\n");
  program.shell("gzip -kn in.fa");
  const json report = run_with_report(
      program, {"in.fa.gz", "-o", "a.sto.gz", "--tree-out", "a.nwk", "--html", "a.html"});
  std::size_t checked = 0;
  const auto check_file = [&](const json& file) {
    const std::string bytes = file_bytes(program.directory().path(file["path"]));
    CHECK(file["bytes"] == bytes.size());
    CHECK(file["sha256"] == sha256(bytes));
    ++checked;
  };
  for (const json& file : report["input"]["files"]) check_file(file);
  for (const json& file : report["output"]["files"]) {
    if (file["kind"] == "report") {
      CHECK(file["sha256"].is_null());
    } else {
      check_file(file);
    }
  }
  CHECK(checked == 4);
  if (program.shell("command -v sha256sum").exit_code == 0) {
    const std::string line = program.shell("$accord in.fa --wrap 0 | sha256sum").out;
    CHECK(report["output"]["result_sha256"] == line.substr(0, 64));
  }
}

TEST_CASE("report: equal parameters and results are seen by their checksums") {
  const Program program;
  const json first = run_with_report(program, {example_path(), "-o", "a.fa", "-j", "1"});
  const json again = run_with_report(
      program, {example_path(), "-o", "b.clw", "-j", "2", "--order", "tree", "--case", "upper"});
  CHECK(first["parameters_sha256"] == again["parameters_sha256"]);
  CHECK(first["output"]["result_sha256"] == again["output"]["result_sha256"]);
  for (const std::vector<std::string>& options :
       {std::vector<std::string>{"--refine", "3"}, {"--tree", "nj"}, {"--type", "dna"}}) {
    std::vector<std::string> line = {example_path(), "-o", "a.fa"};
    line.insert(line.end(), options.begin(), options.end());
    CHECK(run_with_report(program, line)["parameters_sha256"] != first["parameters_sha256"]);
  }
  REQUIRE(program.run({example_path(), "-o", "a.fa", "--tree-out", "t.nwk"}).exit_code == 0);
  const json along = run_with_report(program, {example_path(), "--tree", "t.nwk", "-o", "a.fa"});
  CHECK(along["parameters"]["tree"] == "file");
  CHECK(along["parameters"]["tree_sha256"] ==
        sha256(file_bytes(program.directory().path("t.nwk"))));
  CHECK(along["output"]["result_sha256"] == first["output"]["result_sha256"]);
}

TEST_CASE("report: that of a batch, with failed and complete families") {
  const Program program;
  program.shell("mkdir in");
  program.directory().write("in/good.fa", ">a\nMKVLAAGIVG\n>b\nMKVLAGIVG\n");
  program.directory().write("in/bad.fa", ">a\nMK7\n");
  const std::vector<std::string> line = {"batch",    "in",     "-O",      "out",
                                         "--report", "r.json", "--resume"};
  CHECK(program.run(line).exit_code == 4);
  const json first = report_of(program);
  CHECK(first["exit_code"] == 4);
  const auto good = std::find_if(first["families"].begin(), first["families"].end(),
                                 [](const json& family) { return family["id"] == "good"; });
  REQUIRE(good != first["families"].end());
  CHECK((*good)["status"] == "aligned");
  CHECK((*good)["input_sha256"] == sha256(file_bytes(program.directory().path("in/good.fa"))));
  CHECK((*good)["output_sha256"] == sha256(file_bytes(program.directory().path("out/good.afa"))));
  program.shell("rm in/bad.fa");
  CHECK(program.run(line).exit_code == 0);
  CHECK(report_of(program)["families"][0]["status"] == "complete");
}

TEST_CASE("report: help prints every field, and the schema itself") {
  const Program program;
  const std::string help = program.run({"help", "report"}).out;
  for (const char* field :
       {"  input.files[].sha256  (string)", "  output.files[].kind  (string)",
        "  compute.devices[].driver  (string or null)", "  memory.peak_bytes  (integer)",
        "  warnings  (list of string)", "  families[].status  (string)"}) {
    CAPTURE(field);
    CHECK(help.find(field) != std::string::npos);
  }
  CHECK(program.run({"help", "report-schema"}).out == report_schema());
}

TEST_CASE("names: phylip-strict has different names, those that fit as they are, and a map") {
  const Program program;
  std::string fasta =
      ">abcdefghijK one two\nMKV\n>abcdefghijL\nMKV\n>abcdefghij\nMKV\n>abcdefgh_1\n"
      "MKV\n>a(b)\nMKV\n>a_b_\nMKV\n";
  for (int k = 0; k < 12; ++k) fasta += ">sequence_number_" + std::to_string(k) + "\nMKV\n";
  program.directory().write("in.fa", fasta);
  const Outcome outcome =
      program.run({"in.fa", "-o", "a.phy", "-f", "phylip-strict", "--name-map", "map.tsv"});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err.find("15 names were changed to fit 10 characters") != std::string::npos);
  CHECK(outcome.err.find("hint: --name-map FILE") != std::string::npos);
  CHECK(outcome.err.size() < 300);
  const std::string map = file_bytes(program.directory().path("map.tsv"));
  CHECK(
      map.starts_with("name\theader\twithout_blanks\n"
                      "abcdefgh_2\tabcdefghijK one two\tabcdefghijK\n"
                      "abcdefgh_3\tabcdefghijL\tabcdefghijL\n"
                      "abcdefghij\tabcdefghij\tabcdefghij\n"
                      "abcdefgh_1\tabcdefgh_1\tabcdefgh_1\na_b__1\ta(b)\ta(b)\n"
                      "a_b_\ta_b_\ta_b_\nsequence_n\tsequence_number_0\tsequence_number_0\n"
                      "sequence_1\t"));
  CHECK(map.find("\nsequenc_10\tsequence_number_10\tsequence_number_10\n") != std::string::npos);
  std::vector<std::string> names;
  const std::string phylip = file_bytes(program.directory().path("a.phy"));
  for (std::size_t at = phylip.find('\n') + 1; at < phylip.size();) {
    names.push_back(phylip.substr(at, 10));
    at = phylip.find('\n', at) + 1;
  }
  CHECK(names.size() == 18);
  std::sort(names.begin(), names.end());
  CHECK(std::unique(names.begin(), names.end()) == names.end());
}
