// SPDX-License-Identifier: Apache-2.0
// Families at the edge: every letter of every record comes back, in the order of the input.
#include <doctest/doctest.h>

#include <algorithm>

#include "cli/program.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

/// Aligns a FASTA text in three ways and checks that the rows are the records with gaps; returns
/// the rows of the last one.
FastaRows check_family(const std::string& fasta, const FastaRows& records) {
  const Program program;
  program.directory().write("in.fa", fasta);
  FastaRows rows;
  for (const std::vector<std::string>& options :
       {std::vector<std::string>{"-f", "fasta"},
        {"--tree", "nj"},
        {"--tree-out", "t.nwk", "--dist-out", "d.phy", "--report", "r.json"}}) {
    CAPTURE(options[1]);
    std::vector<std::string> arguments = {"in.fa", "-q"};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Outcome outcome = program.run(arguments);
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.err == "");
    rows = parse_rows(outcome.out);
    CHECK(is_alignment(rows));
    CHECK(degapped(rows) == records);
  }
  const Outcome clustal = program.run({"in.fa", "-q", "-f", "clustal"});
  CHECK(clustal.exit_code == 0);
  CHECK(clustal.out.starts_with("CLUSTAL accord "));
  return rows;
}

/// The same for records that are written as they are.
FastaRows check_records(const FastaRows& records) {
  std::string fasta;
  for (const auto& [header, letters] : records) fasta += ">" + header + "\n" + letters + "\n";
  return check_family(fasta, records);
}

const std::string kProtein = "MKVLAAGIVGLLWCDEFRHNPQSTY";

}  // namespace

TEST_CASE("families: one sequence comes back as it is") {
  CHECK(check_records({{"only one", kProtein}})[0].second == kProtein);
  check_records({{"w", "W"}});
}

TEST_CASE("families: two sequences") {
  check_records({{"a", kProtein}, {"b", kProtein.substr(5)}});
  check_records({{"a", "W"}, {"b", "K"}});
}

TEST_CASE("families: duplicate names, identical sequences") {
  check_records({{"a", kProtein}, {"a", kProtein.substr(3)}, {"a", kProtein}});
  const FastaRows rows = check_records(FastaRows(7, {"same", kProtein}));
  for (const auto& row : rows) CHECK(row.second == kProtein);
}

TEST_CASE("families: records without residues") {
  check_records({{"a", kProtein}, {"none", ""}, {"b", kProtein.substr(2)}});
  check_records({{"none", ""}, {"a", kProtein}});
  check_records({{"", kProtein}, {"b", "MK"}});
}

TEST_CASE("families: nothing but empty records") {
  const Program program;
  for (const char* text : {">a\n", ">a\n>b\n", ">a\n>b\n\n>c\n"}) {
    program.directory().write("in.fa", text);
    const Outcome outcome = program.run({"in.fa", "-q"});
    CHECK(outcome.exit_code == 0);
    CHECK(parse_rows(outcome.out) == parse_rows(text));
  }
}

TEST_CASE("families: all X, one residue, and both beside ordinary sequences") {
  check_records({{"x", "XXXXXXXXXX"}, {"y", "XXXXXX"}, {"z", "XXX"}});
  check_records({{"a", kProtein}, {"x", std::string(40, 'X')}, {"w", "W"}, {"b", kProtein}});
  check_records({{"1", "A"}, {"2", "C"}, {"3", "D"}, {"4", "A"}});
  check_records({{"n", std::string(30, 'N')}, {"a", "ACGTACGTACGTTTGA"}, {"b", "ACGTACGTTTGA"}});
}

TEST_CASE("families: lower case, unusual letters and '*' stay") {
  check_records({{"a", "MKvlAAgivGLLWCDEFRHNPQSTY*"},
                 {"b", "mkvlaagivgllwcdefrhnpqsty"},
                 {"c", "MKBZXUOJ*LWCDEFbzxuojRHNPQ"},
                 {"d", "********"}});
  check_records({{"a", "ACGTRYSWKMBDHVNacgtryswkmbdhvn"}, {"b", "ACGUacguNNNNACGU"}});
}

TEST_CASE("families: line ends, blanks, gaps and a missing last line end") {
  const FastaRows records = {{"a x", "MKVLAAGIVG"}, {"b", "MKVLAGIVG"}, {"c", "MKLAAGIG"}};
  check_family(">a x\r\nMKVLA\r\nAGIVG\r\n>b\r\nMKVLAGIVG\r\n>c\r\nMKLAAGIG\r\n", records);
  check_family(">a x\rMKVLA\rAGIVG\r>b\rMKVLAGIVG\r>c\rMKLAAGIG", records);
  check_family("\n>a x\nMKVLA AGIVG\n\n>b\n  MKVLAGIVG\n>c\nMKLA\tAGIG", records);
  check_family(">a x\nMKVLAAGIVG\n>b\nMKVL-AGIVG\n>c\nMK.LAAGI-G\n", records);
}

TEST_CASE("families: names with any characters stay whole") {
  check_records({{"sp|P1|X_Y some text >here", kProtein},
                 {"'quoted', (with) [all]: of;them", kProtein.substr(4)},
                 {std::string(300, 'n'), kProtein.substr(8)}});
}

TEST_CASE("families: very different lengths") {
  std::string longer;
  for (int k = 0; k < 200; ++k) longer += kProtein.substr(static_cast<std::size_t>(k) % 7);
  check_records({{"short", "MKV"}, {"long", longer}, {"middle", kProtein}});
}

TEST_CASE("families: many copies of one residue") {
  check_records({{"a", std::string(500, 'W')}, {"b", std::string(300, 'W')}, {"c", "WWW"}});
}

TEST_CASE("families: the order of the records only orders the rows") {
  FastaRows records = parse_rows(file_bytes(example_path()));
  FastaRows expected = check_records(records);
  std::reverse(records.begin(), records.end());
  FastaRows reversed = check_records(records);
  std::sort(expected.begin(), expected.end());
  std::sort(reversed.begin(), reversed.end());
  CHECK(reversed == expected);
}
