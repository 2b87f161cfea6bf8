// SPDX-License-Identifier: Apache-2.0
// `accord ensemble` as a user calls it.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "cli/program.hpp"
#include "support/paths.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

/// An alignment of an EFA text.
struct EfaPart {
  std::string name, fasta;
};

std::vector<EfaPart> parts_of(const std::string& efa) {
  std::vector<EfaPart> parts;
  std::istringstream lines(efa);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('<')) {
      parts.push_back({line.substr(1), ""});
    } else {
      parts.back().fasta += line + "\n";
    }
  }
  return parts;
}

std::vector<std::vector<std::string>> table_of(const std::string& text) {
  std::vector<std::vector<std::string>> rows;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    rows.emplace_back();
    std::istringstream fields(line);
    for (std::string field; std::getline(fields, field, '\t');) rows.back().push_back(field);
  }
  return rows;
}

std::string bytes(const Program& program, const std::string& name) {
  return file_bytes(program.directory().path(name));
}

}  // namespace

TEST_CASE("ensemble: EFA, whose first replicate is the alignment of align") {
  const Program program;
  const Outcome made = program.run({"ensemble", "-n", "5", example_path()});
  CAPTURE(made.err);
  REQUIRE(made.exit_code == 0);
  const std::vector<EfaPart> parts = parts_of(made.out);
  REQUIRE(parts.size() == 5);
  const std::vector<std::string> names = {"p0.t0", "p0.t1", "p1.t0", "p1.t1", "p2.t0"};
  const std::string aligned = program.run({"align", example_path()}).out;
  CHECK(parts[0].fasta == aligned);
  bool differs = false;
  for (std::size_t k = 0; k < parts.size(); ++k) {
    CHECK(parts[k].name == names[k]);
    CHECK(is_alignment(parse_rows(parts[k].fasta)));
    CHECK(degapped(parse_rows(parts[k].fasta)) == degapped(parse_rows(aligned)));
    differs = differs || parts[k].fasta != aligned;
  }
  CHECK(differs);
}

TEST_CASE("ensemble: the same bytes for any threads and order of the input; other seeds differ") {
  const Program program;
  const std::vector<std::string> call = {"ensemble", "-n", "6"};
  const auto run = [&](std::vector<std::string> more) {
    std::vector<std::string> line = call;
    line.insert(line.end(), more.begin(), more.end());
    const Outcome made = program.run(line);
    REQUIRE(made.exit_code == 0);
    return made.out;
  };
  const std::string one = run({example_path(), "--threads", "1"});
  CHECK(one == run({example_path(), "--threads", "3"}));
  CHECK(one != run({example_path(), "--seed", "4"}));
  const FastaRows rows = parse_rows(program.run({"align", example_path()}).out);
  std::string reversed;
  for (std::size_t k = rows.size(); k-- > 0;) {
    reversed += ">" + rows[k].first + "\n" + degapped({rows[k]})[0].second + "\n";
  }
  program.directory().write("reversed.fa", reversed);
  const std::vector<EfaPart> straight = parts_of(one), turned = parts_of(run({"reversed.fa"}));
  REQUIRE(straight.size() == turned.size());
  for (std::size_t k = 0; k < straight.size(); ++k) {
    FastaRows expected = parse_rows(straight[k].fasta);
    std::reverse(expected.begin(), expected.end());
    CHECK(parse_rows(turned[k].fasta) == expected);
  }
}

TEST_CASE("ensemble: a folder of files, one alignment of all columns, and one replicate") {
  const Program program;
  REQUIRE(program.run({"ensemble", "-n", "3", example_path(), "-o", "all/", "-f", "clustal"})
              .exit_code == 0);
  CHECK(bytes(program, "all/p0.t0.clw") ==
        program.run({"align", example_path(), "-f", "clustal"}).out);
  CHECK(bytes(program, "all/p1.t0.clw").starts_with("CLUSTAL"));
  REQUIRE(program.run({"ensemble", "-n", "3", example_path(), "-o", "all"}).exit_code == 0);
  const Outcome joined = program.run({"ensemble", "-n", "3", example_path(), "--concatenate"});
  REQUIRE(joined.exit_code == 0);
  FastaRows expected = parse_rows(bytes(program, "all/p0.t0.afa"));
  for (const char* name : {"all/p0.t1.afa", "all/p1.t0.afa"}) {
    const FastaRows more = parse_rows(bytes(program, name));
    for (std::size_t r = 0; r < more.size(); ++r) expected[r].second += more[r].second;
  }
  CHECK(parse_rows(joined.out) == expected);
  CHECK(program.run({"ensemble", "-n", "1", "--concatenate", example_path(), "-f", "phylip"}).out ==
        program.run({"align", example_path(), "-f", "phylip"}).out);
}

TEST_CASE("ensemble: tables and report") {
  const Program program;
  const Outcome made =
      program.run({"ensemble", "-n", "4", example_path(), "-o", "e.efa", "--report", "r.json",
                   "--replicates-out", "r.tsv", "--columns-out", "c.tsv", "-v"});
  CAPTURE(made.err);
  REQUIRE(made.exit_code == 0);
  CHECK(made.out == "");
  CHECK(has(made.err, "dispersion 0."));
  const auto report = nlohmann::json::parse(bytes(program, "r.json"));
  const auto& ensemble = report["ensemble"];
  CHECK(report["command"] == "ensemble");
  CHECK(report["output"]["files"][0]["kind"] == "ensemble");
  CHECK(ensemble["seed"] == 1);
  REQUIRE(ensemble["replicates"].size() == 4);
  CHECK(ensemble["replicates"][0]["gap_open"] == 1);
  CHECK(ensemble["replicates"][2]["gap_open"] != 1);

  const auto replicates = table_of(bytes(program, "r.tsv"));
  REQUIRE(replicates.size() == 5);
  double best = 0;
  std::string name;
  for (std::size_t r = 1; r < replicates.size(); ++r) {
    const double agreement = std::stod(replicates[r][2]);
    if (agreement > best) name = replicates[r][0];
    best = std::max(best, agreement);
    CHECK((replicates[r][4] == "yes") == (ensemble["best"] == replicates[r][0]));
  }
  CHECK(ensemble["best"] == name);

  const auto columns = table_of(bytes(program, "c.tsv"));
  CHECK(columns[0] == std::vector<std::string>{"replicate", "column", "residues", "confidence"});
  std::size_t wanted = 1;
  for (const auto& replicate : ensemble["replicates"]) {
    wanted += replicate["columns"].get<std::size_t>();
  }
  CHECK(columns.size() == wanted);
  for (std::size_t k = 1; k < columns.size(); ++k) {
    const double confidence = std::stod(columns[k][3]);
    CHECK(confidence >= 0.25);
    CHECK(confidence <= 1);
  }
}

TEST_CASE("ensemble: a page of all replicates, which the report lists") {
  const Program program;
  const Outcome made = program.run({"ensemble", "-n", "3", example_path(), "-o", "e.efa", "--html",
                                    "p.html", "--report", "r.json"});
  REQUIRE(made.exit_code == 0);
  const std::string page = bytes(program, "p.html");
  CHECK(page.starts_with("<!doctype html>"));
  CHECK(has(page, "\"others\":[{"));
  CHECK(has(page, "(best)"));
  const auto report = nlohmann::json::parse(bytes(program, "r.json"));
  CHECK(report["output"]["files"][1]["kind"] == "html");
  // One replicate has no other one to agree with.
  REQUIRE(program.run({"ensemble", "-n", "1", example_path(), "-o", "e.efa", "--html", "one.html"})
              .exit_code == 0);
  CHECK(has(bytes(program, "one.html"), "\"mean\":null"));
  CHECK_FALSE(has(bytes(program, "one.html"), "\"others\""));
}

TEST_CASE("ensemble: the page of replicates with many residues has some of the rows") {
  const Program program;
  std::string family;
  for (int k = 0; k < 10'001; ++k) family += ">s" + std::to_string(k) + "\nMKVL\n";
  program.directory().write("many.fa", family);
  REQUIRE(program.run({"ensemble", "-n", "2", "many.fa", "-q", "-o", "e.efa", "--html", "p.html"})
              .exit_code == 0);
  const std::string page = bytes(program, "p.html");
  CHECK(has(page, "many.fa: ensemble, 1000 of 10001 sequences"));
  CHECK(has(page, "\"tree\":null"));
  CHECK(has(page, "\"part\":true"));
}

TEST_CASE("ensemble: a guide tree from a file has no noise, so that only the parameters differ") {
  const Program program;
  REQUIRE(program.run({"tree", example_path(), "-o", "t.nwk"}).exit_code == 0);
  const Outcome made = program.run({"ensemble", "-n", "3", example_path(), "--tree", "t.nwk"});
  REQUIRE(made.exit_code == 0);
  const std::vector<EfaPart> parts = parts_of(made.out);
  REQUIRE(parts.size() == 3);
  CHECK(parts[1].name == "p1.t0");
  CHECK(parts[2].name == "p2.t0");
  // A pipe can be read once.
  CHECK(program.shell("$accord ensemble -n 3 " + example_path() + " --tree <(cat t.nwk)").out ==
        made.out);
}

TEST_CASE("ensemble: a large family has its parameters changed") {
  const Program program;
  const std::vector<std::string> large = {"--large", "always", "--backbone", "4"};
  std::vector<std::string> line = {"ensemble", "-n", "2", example_path()};
  std::vector<std::string> align = {"align", example_path()};
  line.insert(line.end(), large.begin(), large.end());
  align.insert(align.end(), large.begin(), large.end());
  const Outcome made = program.run(line);
  CAPTURE(made.err);
  REQUIRE(made.exit_code == 0);
  const std::vector<EfaPart> parts = parts_of(made.out);
  REQUIRE(parts.size() == 2);
  CHECK(parts[0].fasta == program.run(align).out);
  CHECK(parts[1].name == "p1.t0");
}

TEST_CASE("ensemble: -v says what the run of align says, and the table of names is that of align") {
  const Program program;
  program.directory().write("n.fa",
                            ">a b c\nMKVLWAALL\n>a_b\nMKVWAALL\n>d long-name-of-it\nMKAALL\n");
  const std::vector<std::string> lines = {"3 sequences, protein", "device       ", "read  ",
                                          "total "};
  for (const std::string command : {"align", "ensemble"}) {
    CAPTURE(command);
    const Outcome made =
        program.run({command, "n.fa", "-v", "-o", command, "--name-map", command + ".tsv"});
    REQUIRE(made.exit_code == 0);
    for (const std::string& line : lines) CHECK(has(made.err, line));
  }
  CHECK(bytes(program, "ensemble.tsv") == bytes(program, "align.tsv"));
  const Outcome tracked =
      program.run({"ensemble", "-n", "2", example_path(), "-v", "-o", "e.efa", "--track",
                   source_dir() + "/datasets/example.ss3.fa", "--track-matrix", "ss3"});
  CHECK(has(tracked.err, "track        weight "));
}

TEST_CASE("ensemble: a run that fails leaves no folder behind") {
  const Program program;
  program.directory().write("bad.fa", ">a\nMK1\n");
  check_refused(program.run({"ensemble", "bad.fa", "-o", "made/"}), 65, "bad.fa");
  CHECK_FALSE(std::filesystem::exists(program.directory().path("made")));
  check_refused(program.run({"ensemble", example_path(), "--mode", "local", "-o", "made/"}), 2,
                "mode local");
  CHECK_FALSE(std::filesystem::exists(program.directory().path("made")));
  std::filesystem::create_directory(program.directory().path("made"));
  check_refused(program.run({"ensemble", "bad.fa", "-o", "made/"}), 65, "bad.fa");
  CHECK(std::filesystem::exists(program.directory().path("made")));
  CHECK(program
            .run({"ensemble", "-n", "1", example_path(), "-o", "all/", "--replicates-out",
                  "all/r.tsv"})
            .exit_code == 0);
}

TEST_CASE("ensemble: EFA that is read back") {
  const Program program;
  REQUIRE(program.run({"ensemble", "-n", "4", example_path(), "-o", "e.efa"}).exit_code == 0);
  REQUIRE(program.run({"ensemble", "-n", "1", example_path(), "-o", "one.efa"}).exit_code == 0);
  const std::vector<EfaPart> parts = parts_of(bytes(program, "e.efa"));
  for (const EfaPart& part : parts) {
    CHECK(program.run({"convert", "e.efa", "--replicate", part.name}).out == part.fasta);
    program.directory().write(part.name + ".fa", part.fasta);
  }
  CHECK(program.run({"convert", "one.efa"}).out == parts[0].fasta);
  CHECK(program.run({"confidence", "e.efa", "--replicate", "p1.t1"}).out ==
        program.run({"confidence", "p1.t1.fa"}).out);
  check_refused(program.run({"convert", "e.efa"}), 65, "4 alignments (p0.t0, ");
  check_refused(program.run({"convert", "e.efa", "--replicate", "p7.t0"}), 65, "none is named");
  check_refused(program.run({"convert", "p0.t0.fa", "--replicate", "p0.t0"}), 65, "one alignment");
  check_refused(program.run({"align", "e.efa"}), 65, "4 alignments");
  check_refused(program.run({"trim", "e.efa"}), 65, "4 alignments");
  const std::string reference = source_dir() + "/datasets/example.true.fa";
  check_refused(program.run({"score", "e.efa", reference}), 65, "4 alignments");
  CHECK(program.run({"score", "one.efa", reference}).out ==
        program.run({"score", "p0.t0.fa", reference}).out);

  const auto each = table_of(program.run({"compare", "--reference", reference, "e.efa"}).out);
  REQUIRE(each.size() == 6);
  CHECK(each[2][0] == "e.efa:p0.t1");
  for (std::size_t k = 0; k < parts.size(); ++k) {
    auto one =
        table_of(program.run({"compare", "--reference", reference, parts[k].name + ".fa"}).out)[1];
    one[0] = "e.efa:" + parts[k].name;
    CHECK(each[k + 1] == one);
  }
  CHECK(table_of(program.run({"compare", "e.efa"}).out).size() == 5);
}

TEST_CASE("ensemble: options that do not go together are refused") {
  const Program program;
  const std::string in = example_path();
  check_refused(program.run({"ensemble", in, "-n", "0"}), 2, "replicates");
  check_refused(program.run({"ensemble", in, "-n", "1001"}), 2, "too many");
  check_refused(program.run({"ensemble", in, "--mode", "local"}), 2, "mode local");
  check_refused(program.run({"ensemble", in, "-f", "clustal"}), 2, "EFA");
  check_refused(program.run({"ensemble", in, "--concatenate", "-o", "all/"}), 2, "folder");
  check_refused(program.run({"ensemble", in, "-o", "a.phy"}), 2, "EFA, not phylip");
  check_refused(program.run({"ensemble", in, "-o", "a.fa.gz"}), 2, "EFA, not fasta");
  check_refused(program.run({"ensemble", in, "-o", "a.html"}), 2, "a page is not a format");
  check_refused(program.run({"ensemble", in, "-f", "efa", "-o", "all/"}), 2, "in one file");
  CHECK(program.run({"ensemble", "-n", "1", in, "-f", "efa", "-o", "a.phy"}).exit_code == 0);
  CHECK(bytes(program, "a.phy").starts_with("<p0.t0\n"));
  check_refused(program.run({"ensemble", in, "-o", "a.efa", "--report", "a.efa"}), 2,
                "two outputs");
  check_refused(
      program.run({"ensemble", in, "-n", "1", "-o", "all/", "--replicates-out", "all/p0.t0.afa"}),
      2, "two outputs");
}
