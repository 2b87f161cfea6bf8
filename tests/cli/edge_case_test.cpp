// SPDX-License-Identifier: Apache-2.0
// Small odd inputs, one a row: what other aligners crashed on, changed, or lost. Every row must
// come back letter by letter, or be refused with file, line and a hint; never anything between.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>

#include "cli/program.hpp"
#include "io/files/packing.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

/// An input and what becomes of it.
struct EdgeCase {
  const char* what;
  std::string input;
  int exit_code;
  const char* message;  ///< part of the first line on stderr; "" if nothing must stand there
  FastaRows rows;       ///< the records that must come back, gaps taken out
};

const std::string kA = "MKVLAAGIVGLLWC", kB = "MKVLAGIVGLWC", kC = "MKLAAGIGLLW";
const FastaRows kThree = {{"a", kA}, {"b", kB}, {"c", kC}};

std::string fasta(const FastaRows& records, const std::string& line_end = "\n") {
  std::string text;
  for (const auto& [header, letters] : records) {
    text += ">" + header + line_end + letters + line_end;
  }
  return text;
}

std::string with(const std::string& middle) { return fasta({{"a", kA}, {"b", middle}, {"c", kC}}); }

EdgeCase kept(const char* what, const FastaRows& records, const char* message = "") {
  return {what, fasta(records), 0, message, records};
}

EdgeCase read(const char* what, const std::string& text, const FastaRows& records = kThree,
              const char* message = "") {
  return {what, text, 0, message, records};
}

EdgeCase refused(const char* what, const std::string& text, const char* message) {
  return {what, text, 65, message, {}};
}

/// The inputs of the eighteen files that nine aligners were tried on, as far as they are inputs.
std::vector<EdgeCase> known_cases() {
  return {
      kept("lower case", {{"a", "mkvlaagivg"}, {"b", "MKVlagIVG"}, {"c", "mklAAGig"}}),
      kept("B Z X U O J", {{"a", kA + "BZXUOJ"}, {"b", kB + "bzxuoj"}, {"c", kC}}),
      kept("* inside and at the end", {{"a", "MKV*LAAG*"}, {"b", kB + "*"}, {"c", kC}}),
      refused("digits in a sequence", with("MKV12LA"), "in.fa:4: '1' is not a sequence character"),
      refused("punctuation in a sequence", with("MKV!LA"), "in.fa:4: '!' is not a sequence"),
      kept("duplicate names", {{"a", kA}, {"a", kB}, {"c", kC}}, "belongs to more than one"),
      kept("one empty sequence", {{"a", kA}, {"b", ""}, {"c", kC}}, "without residues"),
      kept("one sequence", {{"a", kA}}),
      refused("an empty file", "", "in.fa: there are no sequences"),
      kept("a sequence of X alone", {{"a", kA}, {"b", std::string(12, 'X')}, {"c", kC}},
           "1 sequence has no known residue"),
      read("gzip", pack(Packing::gzip, fasta(kThree))),
      kept("long names with |", {{"sp|P12345|" + std::string(200, 'N') + " one", kA},
                                 {"tr|Q1|x", kB},
                                 {"gi|1|ref|NP_1.1|", kC}}),
      read("CRLF", fasta(kThree, "\r\n")),
      read("gaps", ">a\nMKVL--AAGIVGLLWC\n>b\n..MKVLAGIVGLWC--\n>c\nMKLAAGIGLLW\n", kThree,
           "gap characters removed"),
  };
}

std::vector<EdgeCase> fasta_cases() {
  return {
      read("CR alone as line end", fasta(kThree, "\r")),
      read("no line end at the end", fasta(kThree).substr(0, fasta(kThree).size() - 1)),
      read("blank lines", "\n\n>a\n" + kA + "\n\n\n>b\n\n" + kB + "\n>c\n" + kC + "\n\n"),
      read("a byte order mark", "\xef\xbb\xbf" + fasta(kThree)),
      read("comments above", "; made by hand\n;;\n" + fasta(kThree)),
      read("blanks and tabs in sequences",
           ">a\n MKVLA AGIVG\tLLWC \n>b\n" + kB + "\n>c\n" + kC + "\n"),
      read("lines of one letter", ">a\nM\nK\nV\nLAAGIVGLLWC\n>b\n" + kB + "\n>c\n" + kC),
      read("blanks after >", fasta({{" a", kA}, {"  b b", kB}, {"\tc", kC}}),
           {{"a", kA}, {"b b", kB}, {"c", kC}}),
      kept("no names", {{"", kA}, {"", kB}, {"", kC}}, "without a name"),
      kept("bytes above 127 in names",
           {{"\xc3\xa4 \xe2\x82\xac", kA}, {"\xff\xfe", kB}, {"c", kC}}),
      kept("names like options and paths", {{"--help", kA}, {"../x", kB}, {"$(ls)`ls`", kC}}),
      kept("Newick's punctuation in names", {{"a(b,c):1;", kA}, {"'q'", kB}, {"[c]", kC}}),
      kept("a name of 10,000 characters", {{std::string(10'000, 'n'), kA}, {"b", kB}}),
      kept("only residues of length 1", {{"a", "M"}, {"b", "W"}, {"c", "M"}}),
      kept("one long and many short", {{"a", std::string(600, 'M')}, {"b", "MK"}, {"c", "W"}}),
      kept("identical sequences", {{"a", kA}, {"b", kA}, {"c", kA}, {"d", kA}}),
      kept("identical records", {{"a", kA}, {"a", kA}}, "belongs to more than one"),
      kept("nothing in common", {{"a", "AAAAAAAA"}, {"b", "WWWWWWWW"}, {"c", "PPPPPPPP"}}),
      kept("one letter repeated", {{"a", std::string(300, 'A')}, {"b", std::string(200, 'A')}}),
      kept("short repeats", {{"a", "GSGSGSGSGSGSGS"}, {"b", "GSGSGSGS"}, {"c", "SGSGSG"}}),
      kept("two empty sequences", {{"a", ""}, {"b", ""}}, "without residues"),
      kept("one empty sequence alone", {{"a", ""}}, "without residues"),
      kept("* alone", {{"a", "*"}, {"b", "***"}, {"c", kC}}, "2 sequences have no known residue"),
      kept("DNA with every IUPAC letter",
           {{"a", "ACGTRYSWKMBDHVNACGTACGTACGTACGTACGTACGTACGT"},
            {"b", "ACGTACGTACGTACGTACGTACGTACGTACGT"}},
           "taken for dna"),
      kept("RNA", {{"a", "ACGUACGUUUGACGU"}, {"b", "ACGUACGUGACGU"}, {"c", "ACGACGUUUGACGU"}}),
      kept("U and T together", {{"a", "ACGTACGUUUGACGU"}, {"b", "ACGUACGTGACGT"}}),
      kept("a protein that looks like DNA", {{"a", "GATTACAGATTACA"}, {"b", "GATACAGATACA"}}),
      refused("a DNA and a protein", fasta({{"a", "ACGTACGTACGTACGT"}, {"b", kA}}),
              "in.fa: \"a\" has the letters of nucleotides"),
      kept("lower-case x and n", {{"a", "xxxxMKVLnnnn"}, {"b", "nnnn"}}),
      refused("only blank lines", "\n \n\t\n", "in.fa: there are no sequences"),
      refused("only a comment", "; nothing\n", "in.fa: there are no sequences"),
      refused("text above the first >", "MKVL\n>a\nMKV\n", "in.fa:1: not FASTA"),
      refused("> inside a line", with("MKV>LA"), "in.fa:4: '>' is not a sequence character"),
      refused("a NUL byte", with(std::string("MK\0V", 4)), "in.fa:4: byte 0x00"),
      refused("a byte above 127 in a sequence", with("MK\xc3\xa4V"), "in.fa:4: byte 0xC3"),
      read("? for unknown", with("MK?V"), {{"a", kA}, {"b", "MK?V"}, {"c", kC}}),
      read("~ for a gap in FASTA", with("MK~V"), {{"a", kA}, {"b", "MKV"}, {"c", kC}},
           "1 gap character removed"),
      refused("UTF-16", std::string("\xff\xfe>\0a\0\n\0", 8), "in.fa: the text is UTF-16"),
      refused("a program",
              std::string("\x7f"
                          "ELF\2\1\1\0\0",
                          9),
              "in.fa:1: not FASTA"),
      refused("HTML, as a failed download leaves it", "<!DOCTYPE html>\n<html></html>\n",
              "in.fa:1: not FASTA"),
      refused("GenBank without its end", "LOCUS       NM_1  10 bp\nORIGIN\n",
              "in.fa: record \"NM_1\" has no '//' at its end"),
      read("FASTQ", "@r1\nACGT\n+\nIIII\n@r2\nACT\n+\n@@@\n", {{"r1", "ACGT"}, {"r2", "ACT"}}),
      refused("FASTQ that is cut off", "@r1\nACGT\n+\nII\n", "in.fa:4: sequence \"r1\" has 4"),
      refused("MEGA", "#mega\n!Title x;\n#a\nACGT\n", "in.fa:1: a file of MEGA"),
  };
}

std::vector<EdgeCase> packed_and_other_cases() {
  const std::string packed = pack(Packing::gzip, fasta(kThree));
  std::string corrupt = packed;
  corrupt[corrupt.size() / 2] = static_cast<char>(corrupt[corrupt.size() / 2] ^ 0x55);
  const char* gaps = "gap character";
  return {
      read("gzip in two members", pack(Packing::gzip, fasta({kThree[0]})) +
                                      pack(Packing::gzip, fasta({kThree[1], kThree[2]}))),
      read("gzip padded with zeros", packed + std::string(512, '\0')),
      refused("gzip cut off", packed.substr(0, packed.size() - 9), "in.fa: the gzip data end"),
      refused("gzip that is damaged", corrupt, "in.fa: "),
      refused("gzip with rubbish behind", packed + "rubbish", "in.fa: "),
      refused("an empty file in gzip", pack(Packing::gzip, ""), "in.fa: there are no sequences"),
      refused("the magic bytes alone", "\x1f\x8b", "in.fa: the gzip data end"),
      read("CLUSTAL",
           "CLUSTAL W\n\na MKVLAAGIVGLLWC\nb MKVLA-GIVGL-WC\nc MKLAAGIGLLW---\n"
           "  **\n",
           kThree, gaps),
      read("Stockholm",
           "# STOCKHOLM 1.0\na MKVLAAGIVGLLWC\nb MKVLA.GIVGL.WC\nc MKLAAGIGLLW...\n//\n", kThree,
           gaps),
      read("PHYLIP", "3 14\na MKVLAAGIVGLLWC\nb MKVLA-GIVGL-WC\nc MKLAAGIGLLW---\n", kThree, gaps),
      read("MSF",
           "MSF: 14\nName: a\nName: b\nName: c\n//\na MKVLAAGIVGLLWC\nb MKVLA.GIVGL.WC\n"
           "c MKLAAGIGLLW~~~\n",
           kThree, gaps),
      refused("CLUSTAL without rows", "CLUSTAL W (1.83)\n\n", "in.fa: there are no rows"),
      refused("Stockholm without rows", "# STOCKHOLM 1.0\n//\n", "in.fa: there are no rows"),
      refused("PHYLIP that is too short", "3 14\na MKVLAAGIVGLLWC\n",
              "in.fa: the first line says 3"),
      refused("PHYLIP of a huge size", "99999999 99999999\na MK\n", "in.fa: the first line says"),
      refused("NEXUS without labels that is cut off",
              "#NEXUS\nbegin taxa;\ntaxlabels a b;\nend;\nbegin data;\nformat nolabels "
              "interleave;\nmatrix\nMKV\nMKI\n",
              "NEXUS: the matrix is never closed by ';'"),
      refused("SELEX with tabs", "#=ID x\na\tMKV\nbb\tMKV\n",
              "in.fa:3: a tab among the columns of row \"bb\""),
      refused("MSF without a header", "MSF: 3 ..\n//\na MKV\n", "in.fa:3: row \"a\" has no"),
  };
}

void check_case(const EdgeCase& edge) {
  CAPTURE(edge.what);
  const Program program;
  program.directory().write("in.fa", edge.input);
  const Outcome outcome = program.run({"in.fa", "-o", "out.fa", "-d", "none"});
  CHECK(outcome.exit_code == edge.exit_code);
  CHECK(outcome.out.empty());
  if (*edge.message == '\0') CHECK(outcome.err == "");
  const std::string first = outcome.err.substr(0, outcome.err.find('\n'));
  CAPTURE(first);
  CHECK(first.find(edge.message) != std::string::npos);
  const bool is_written = program.directory().names().size() == 2;
  CHECK(is_written == (edge.exit_code == 0));
  if (edge.exit_code != 0) {
    CHECK(outcome.err.starts_with("accord: error: "));
    CHECK(outcome.err.find("\n  hint: ") != std::string::npos);
  }
  if (!is_written) return;
  const FastaRows rows = parse_rows(file_bytes(program.directory().path("out.fa")));
  CHECK(degapped(rows) == edge.rows);
  for (const auto& row : rows) CHECK(row.second.size() == rows[0].second.size());
}

}  // namespace

TEST_CASE("edge cases: the files that nine aligners were tried on") {
  for (const EdgeCase& edge : known_cases()) check_case(edge);
}

TEST_CASE("edge cases: FASTA") {
  for (const EdgeCase& edge : fasta_cases()) check_case(edge);
}

TEST_CASE("edge cases: packed files and other formats") {
  for (const EdgeCase& edge : packed_and_other_cases()) check_case(edge);
}

TEST_CASE("edge cases: where the output goes") {
  const Program program;
  program.directory().write("in.fa", fasta(kThree));
  CHECK(program.run({"in.fa", "-o", "/dev/full"}).exit_code == 74);
  program.directory().write("out.fa", "old");
  CHECK(program.run({"in.fa", "-o", "out.fa"}).exit_code == 0);
  const std::string text = file_bytes(program.directory().path("out.fa"));
  CHECK(degapped(parse_rows(text)) == kThree);
  CHECK(program.run({"in.fa", "-o", "-"}).out == text);
  CHECK(program.run({"in.fa"}).out == text);
  CHECK_FALSE(std::filesystem::exists(program.directory().path("-")));
}
