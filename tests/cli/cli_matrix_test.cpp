// SPDX-License-Identifier: Apache-2.0
// `--matrix` and `--gap-costs` as a user calls them.
#include <doctest/doctest.h>

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/program.hpp"
#include "support/paths.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

const std::string kAminoAcids = "ARNDCQEGHILKMFPSTWYV";

/// The letters of another alphabet of twenty, three of which stand for several amino acids in
/// proteins.
const std::string kOthers = "BJZARNDCQEGHILKMFPST";

std::string relabelled(std::string text) {
  for (char& c : text) {
    const std::size_t at = kAminoAcids.find(c);
    if (at != std::string::npos) c = kOthers[at];
  }
  return text;
}

std::string matrix_path() { return source_dir() + "/datasets/substitution/blosum62.txt"; }

/// The example's sequences, of lengths that differ: their order does not rest on letters.
FastaRows family() {
  FastaRows rows = parse_rows(file_bytes(example_path()));
  std::ranges::sort(rows, {}, [](const auto& row) { return row.second.size(); });
  for (std::size_t k = 1; k < rows.size(); ++k) {
    if (rows[k].second.size() <= rows[k - 1].second.size()) {
      rows[k].second += std::string(rows[k - 1].second.size() + 1 - rows[k].second.size(), 'K');
    }
  }
  return rows;
}

std::string fasta(const FastaRows& rows, bool in_others = false) {
  std::string text;
  for (const auto& [name, letters] : rows) {
    text += ">" + name + "\n" + (in_others ? relabelled(letters) : letters) + "\n";
  }
  return text;
}

/// The amino acids of BLOSUM62, under the letters of the other alphabet.
std::string other_matrix() {
  std::string text;
  std::istringstream lines(file_bytes(matrix_path()));
  for (std::string line; std::getline(lines, line);) {
    if (line.empty() || line[0] == '#') continue;
    std::istringstream words(line);
    std::vector<std::string> cells{std::istream_iterator<std::string>(words), {}};
    if (text.empty()) {
      for (std::size_t k = 0; k < 20; ++k) text += " " + relabelled(cells[k]);
    } else if (kAminoAcids.find(cells[0][0]) != std::string::npos) {
      text += "\n" + relabelled(cells[0]);
      for (std::size_t k = 1; k <= 20; ++k) text += " " + cells[k];
    }
  }
  return text + "\n";
}

}  // namespace

TEST_CASE("--matrix: BLOSUM62 aligns the example nearly as well, and the report names it") {
  const Program program;
  const Outcome made = program.run({example_path(), "--matrix", matrix_path(), "-d", "none", "-o",
                                    "o.fa", "--report", "r.json"});
  CAPTURE(made.err);
  REQUIRE(made.exit_code == 0);
  const auto report = nlohmann::json::parse(file_bytes(program.directory().path("r.json")));
  CHECK(report["parameters"]["parameter_set"] == "protein+blosum62");
  const Outcome score =
      program.run({"score", "o.fa", source_dir() + "/datasets/example.true.fa", "-f", "json"});
  CHECK(nlohmann::json::parse(score.out)["SP"] > 0.8);
}

TEST_CASE("--matrix: another alphabet is aligned by its own scores") {
  const Program program;
  program.directory().write("proteins.fa", fasta(family()));
  program.directory().write("others.fa", fasta(family(), true));
  program.directory().write("others.mat", other_matrix());
  const std::vector<std::string> rest = {"-d", "none", "-q", "-t", "protein", "--matrix"};
  const auto aligned = [&](const std::string& input, const std::string& matrix) {
    std::vector<std::string> line = {input};
    line.insert(line.end(), rest.begin(), rest.end());
    line.push_back(matrix);
    const Outcome outcome = program.run(line);
    CAPTURE(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    return parse_rows(outcome.out);
  };
  FastaRows proteins = aligned("proteins.fa", matrix_path());
  const FastaRows others = aligned("others.fa", "others.mat");
  REQUIRE(is_alignment(proteins));
  CHECK(proteins != aligned("others.fa", matrix_path()));
  for (auto& [name, letters] : proteins) letters = relabelled(letters);
  CHECK(proteins == others);
}

TEST_CASE("--matrix and --gap-costs: what makes no sense gets one line") {
  const Program program;
  program.directory().write("in.fa", ">a\nMKVLAAGIVGLC\n>b\nMKVLAGIVGLC\n");
  program.directory().write("dna.fa", ">a\nACGTACGTTACG\n>b\nACGTACGTACG\n");
  program.directory().write("no.mat", "A E\nA 1 2\n");
  const std::string matrix = matrix_path();
  check_refused(program.run({"in.fa", "--matrix", "no.mat"}), 65, "no.mat:2: not symmetric");
  check_refused(program.run({"in.fa", "--gap-costs", "11,1"}), 2, "gap costs need a matrix");
  check_refused(program.run({"in.fa", "--matrix", matrix, "--gap-costs", "11"}), 2,
                "not two numbers");
  check_refused(program.run({"in.fa", "--matrix", matrix, "--mode", "local"}), 2,
                "uses its own scores");
  check_refused(program.run({"dna.fa", "--matrix", matrix}), 65,
                "the matrix blosum62 has scores of protein letters");
  const Outcome dear = program.run({"in.fa", "--matrix", matrix, "--gap-costs", "30,5"});
  CHECK(dear.exit_code == 0);
  CHECK(is_alignment(parse_rows(dear.out)));
}
