// SPDX-License-Identifier: Apache-2.0
// Formats and confidence as a user meets them; Biopython reads what accord writes.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdlib>
#include <nlohmann/json.hpp>

#include "accord/files/packing.hpp"
#include "cli/program.hpp"
#include "support/paths.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

/// The Python that has Biopython, if any: $ACCORD_BIOPYTHON, else python3.
std::string python() {
  const char* chosen = std::getenv("ACCORD_BIOPYTHON");
  return chosen == nullptr ? "python3" : chosen;
}

const std::string kReader = source_dir() + "/tests/cli/read_with_biopython.py";

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

TEST_CASE("formats: Biopython reads every format back to the same alignment") {
  const Program program;
  if (program.shell(python() + " " + kReader + " version").exit_code != 0) {
    MESSAGE("skipped: no Biopython (python3-biopython, or ACCORD_BIOPYTHON=/path/to/python)");
    return;
  }
  std::string fasta = ">sp|P1|X one\nMKvLAAGIVG\n>b/2-9\nMKVLAGIV\n>c\nMKLAAGIGWW\n";
  for (int k = 0; k < 20; ++k) {
    fasta += ">s" + std::to_string(k) + "\n" + std::string(static_cast<std::size_t>(70 + k), 'A') +
             "WC" + std::string(static_cast<std::size_t>(80 - k), 'K') + "\n";
  }
  program.directory().write("in.fa", fasta);
  REQUIRE(program
              .run({"in.fa", "-o", "a.fa", "-o", "a.clw", "-o", "a.sto", "-o", "a.phy", "-o",
                    "a.strict", "-f", "phylip-strict", "-o", "a.msf", "-o", "a.nex"})
              .exit_code == 0);
  const std::string expected = program.shell(python() + " " + kReader + " fasta a.fa").out;
  CHECK(std::count(expected.begin(), expected.end(), '\n') == 23);
  const std::vector<std::pair<std::string, std::string>> files = {{"clustal", "a.clw"},
                                                                  {"phylip-relaxed", "a.phy"},
                                                                  {"phylip-sequential", "a.strict"},
                                                                  {"phylip", "a.strict"},
                                                                  {"msf", "a.msf"},
                                                                  {"nexus", "a.nex"}};
  for (const auto& [format, file] : files) {
    const std::string shown = format;
    CAPTURE(shown);
    const Outcome read = program.shell(python() + " " + kReader + " " + format + " " + file);
    CHECK(read.err == "");
    CHECK(read.out == expected);
  }
  const Outcome stockholm = program.shell(python() + " " + kReader + " stockholm a.sto");
  CHECK(stockholm.out.starts_with(expected));
  const std::vector<std::string> lines = lines_of(stockholm.out);
  REQUIRE(lines.size() >= 46);
  for (std::size_t r = 0; r < 23; ++r) {
    const std::string row = lines[r].substr(lines[r].find('\t') + 1);
    const std::string codes = lines[23 + r].substr(3);
    REQUIRE(codes.size() == row.size());
    for (std::size_t c = 0; c < row.size(); ++c) CHECK((row[c] == '-') == (codes[c] == '.'));
  }
}

TEST_CASE("formats: Easel reads every format that it knows back to the same alignment") {
  const Program program;
  const std::string reader = source_dir() + "/tests/cli/read_with_pyhmmer.py ";
  if (program.shell(python() + " " + reader + "version").exit_code != 0) {
    MESSAGE("skipped: no pyhmmer (pip install pyhmmer, or ACCORD_BIOPYTHON=/path/to/python)");
    return;
  }
  REQUIRE(program
              .run({example_path(), "-o", "a.fa", "-o", "a.clw", "-o", "a.sto", "-o", "a.phy", "-o",
                    "a.strict", "-f", "phylip-strict", "-o", "a.a2m", "-q"})
              .exit_code == 0);
  const std::string expected = program.shell(python() + " " + reader + "afa a.fa").out;
  CHECK(std::count(expected.begin(), expected.end(), '\n') == 8);
  const std::vector<std::pair<std::string, std::string>> files = {
      {"clustallike", "a.clw"}, {"stockholm", "a.sto"}, {"phylips", "a.strict"}};
  for (const auto& [format, file] : files) {
    CAPTURE(file);
    CHECK(program.shell(python() + " " + reader + format + " " + file).out == expected);
  }
  // Easel's A2M has match columns in upper case, as ours, and inserts in lower case.
  std::string marked = program.shell(python() + " " + reader + "a2m a.a2m").out;
  CHECK(std::count(marked.begin(), marked.end(), '\n') == 8);
}

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
