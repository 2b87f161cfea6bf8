// SPDX-License-Identifier: Apache-2.0
// Formats and confidence as a user meets them; what others read of them is in tests/python.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/program.hpp"
#include "io/files/packing.hpp"
#include "support/paths.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

}  // namespace

TEST_CASE("formats: several outputs at once, packed or not, are the same as one by one") {
  const Program program;
  CHECK(program
            .run({example_path(), "-o", "a.fa", "-o", "b.sto.gz", "-o", "c", "-f", "phylip", "-o",
                  "-", "-f", "clustal"})
            .out == program.run({example_path(), "-f", "clustal"}).out);
  const auto bytes = [&](const char* name) { return file_bytes(program.directory().path(name)); };
  CHECK(bytes("a.fa") == program.run({example_path()}).out);
  CHECK(unpack(Packing::gzip, bytes("b.sto.gz"), "b") ==
        program.run({example_path(), "-f", "stockholm"}).out);
  CHECK(bytes("c") == program.run({example_path(), "-f", "phylip"}).out);
  CHECK(program.run({example_path(), "-f", "fasta", "-f", "msf"}).exit_code == 2);
  CHECK(program.run({example_path(), "-f", "msf", "-o", "x.fa"}).exit_code == 0);
  CHECK(bytes("x.fa") == program.run({example_path(), "-f", "msf"}).out);
}

TEST_CASE("formats: every format that is written and can be read gives the same alignment again") {
  const Program program;
  const std::string expected = program.run({example_path()}).out;
  for (const char* name : {"a.fa", "a.clw", "a.sto", "a.phy", "a.msf", "a.msf.gz"}) {
    CAPTURE(name);
    CHECK(program.run({example_path(), "-o", name}).exit_code == 0);
    const Outcome again = program.run({name});
    CHECK(again.out == expected);
    CHECK(again.err.find("gap characters removed") != std::string::npos);
  }
  CHECK(program.run({"a.phy", "--in-format", "fasta"}).exit_code == 65);
  CHECK(program.run({"a.phy", "--in-format", "phylip", "-q"}).out == expected);
}

TEST_CASE("formats: --wrap, --case and --order") {
  const Program program;
  const FastaRows rows = parse_rows(program.run({example_path()}).out);
  const std::string whole = program.run({example_path(), "--wrap", "0"}).out;
  CHECK(lines_of(whole).size() == 2 * rows.size());
  CHECK(parse_rows(whole) == rows);
  CHECK(lines_of(program.run({example_path(), "--wrap", "7"}).out)[1].size() == 7);
  program.directory().write("low.fa", ">a\nmkvLAW\n>b\nMKvlaw\n");
  CHECK(program.run({"low.fa", "--case", "upper"}).out == ">a\nMKVLAW\n>b\nMKVLAW\n");
  CHECK(program.run({"low.fa", "--case", "keep"}).out == ">a\nmkvLAW\n>b\nMKvlaw\n");
  FastaRows ordered =
      parse_rows(program.run({example_path(), "--order", "tree", "--tree-out", "t.nwk"}).out);
  const std::string tree = file_bytes(program.directory().path("t.nwk"));
  std::size_t last = 0;
  for (const auto& [header, row] : ordered) {
    const std::size_t at = std::min(tree.find("(" + header + ":"), tree.find("," + header + ":"));
    CHECK(at > last);
    last = at;
  }
  FastaRows sorted = rows;
  std::sort(sorted.begin(), sorted.end());
  std::sort(ordered.begin(), ordered.end());
  CHECK(ordered == sorted);
}

TEST_CASE("confidence: with the alignment, of the same alignment read again, and in the report") {
  const Program program;
  REQUIRE(
      program.run({example_path(), "-o", "a.sto", "--confidence", "a.tsv", "--report", "a.json"})
          .exit_code == 0);
  const std::string table = file_bytes(program.directory().path("a.tsv"));
  const std::vector<std::string> lines = lines_of(table);
  CHECK(lines[0] == "level\tcolumn\tsequence\tresidue\tletter\tpairs\tconfidence");
  double sum = 0, pairs = 0;
  for (const std::string& line : lines) {
    if (!line.starts_with("column\t")) continue;
    const std::size_t last = line.rfind('\t'), before = line.rfind('\t', last - 1);
    const double count = std::stod(line.substr(before + 1));
    if (count == 0) {
      CHECK(line.ends_with("\tNA"));
      continue;
    }
    const double value = std::stod(line.substr(last + 1));
    CHECK(value >= 0);
    CHECK(value <= 1);
    sum += count * value;
    pairs += count;
  }
  const auto report = nlohmann::json::parse(file_bytes(program.directory().path("a.json")));
  CHECK(report["confidence"]["pairs"] == pairs);
  CHECK(report["confidence"]["mean"].get<double>() == doctest::Approx(sum / pairs).epsilon(1e-3));
  CHECK(report["output"]["files"][0]["format"] == "stockholm");
  for (const char* format : {"a.fa", "a.clw", "a.msf"}) {
    CAPTURE(format);
    REQUIRE(program.run({"a.sto", "-q", "-o", format}).exit_code == 0);
    CHECK(program.run({"confidence", format}).out == table);
  }
  CHECK(program.run({"confidence", "a.sto", "-f", "stockholm"}).out ==
        file_bytes(program.directory().path("a.sto")));
  CHECK(program.run({"confidence", example_path()}).exit_code == 65);
}

TEST_CASE("confidence: weights of columns are 100 times the confidence in the table") {
  const Program program;
  const std::string path = source_dir() + "/datasets/example.true.fa";
  const Outcome run = program.run({"confidence", path, "--weights", "w.txt"});
  REQUIRE(run.exit_code == 0);
  CHECK(run.out.empty());
  CHECK(run.err.empty());
  std::istringstream weights(file_bytes(program.directory().path("w.txt")));
  std::size_t columns = 0, alone = 0;
  for (const std::string& line : lines_of(program.run({"confidence", path}).out)) {
    if (!line.starts_with("column\t")) continue;
    int weight = 0;
    REQUIRE(static_cast<bool>(weights >> weight));
    const std::string confidence = line.substr(line.rfind('\t') + 1);
    if (confidence == "NA") {
      CHECK(weight == 1);
      ++alone;
    } else {
      CHECK(std::abs(weight - std::max(1.0, 100 * std::stod(confidence))) < 0.51);
    }
    ++columns;
  }
  CHECK(columns == 109);
  CHECK(alone > 0);
  std::string rest;
  CHECK(!static_cast<bool>(weights >> rest));
}

TEST_CASE("confidence: weights are those of the columns that are written") {
  const Program program;
  program.directory().write("a.fa", ">a\nMK-V\n>b\nMK-V\n");
  const Outcome run = program.run({"confidence", "a.fa", "--weights", "-"});
  CHECK(run.exit_code == 0);
  CHECK(std::ranges::count(run.out, '\n') == 3);
  CHECK(has(run.err, "1 column of gaps alone has no weight"));
  CHECK(has(run.err, "the alignment that --out writes"));
  const Outcome both = program.run(
      {"confidence", "a.fa", "-o", "o.fa", "--weights", "w.txt", "--confidence", "t.tsv"});
  CHECK(both.exit_code == 0);
  CHECK(file_bytes(program.directory().path("w.txt")) == run.out);
  CHECK(file_bytes(program.directory().path("o.fa")) == ">a\nMKV\n>b\nMKV\n");
  check_refused(program.run({"confidence", "a.fa", "--weights", "a.fa"}), 2, "a.fa");
}
