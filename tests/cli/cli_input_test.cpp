// SPDX-License-Identifier: Apache-2.0
// What is read: several inputs, gaps that are refused, characters that are left out, mixed types.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <regex>

#include "cli/program.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

const std::string kA = ">a\nMKVLAAGIVGLLWC\n", kB = ">b\nMKVLAGIVGLWC\n", kC = ">c\nMKLAAGIGLLW\n";

/// The first line on stderr of a run that must be refused as bad input with a hint.
std::string refusal(const Outcome& outcome) {
  CHECK(outcome.exit_code == 65);
  CHECK(outcome.out.empty());
  CHECK(outcome.err.find("\n  hint: ") != std::string::npos);
  return outcome.err.substr(0, outcome.err.find('\n'));
}

}  // namespace

TEST_CASE("input: several files are one family, in the order of the line, with -i or without") {
  const Program program;
  const std::string whole = program.directory().write("whole.fa", kA + kB + kC);
  program.directory().write("a.fa", kA);
  program.directory().write("bc.fa", kB + kC);
  const std::string expected = program.run({"whole.fa"}).out;
  CHECK(is_alignment(parse_rows(expected)));
  for (const std::vector<std::string>& line : {std::vector<std::string>{"a.fa", "bc.fa"},
                                               {"-i", "a.fa", "-i", "bc.fa"},
                                               {"--in=a.fa", "align", "bc.fa"},
                                               {"align", "-i", "a.fa", "bc.fa"},
                                               {"a.fa", "-i", "bc.fa"},
                                               {"-i", "whole.fa"}}) {
    CAPTURE(line.front());
    const Outcome outcome = program.run(line);
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.err.empty());
    CHECK(outcome.out == expected);
  }
  CHECK(program.shell("$accord a.fa - <bc.fa").out == expected);
  CHECK(program.run({"tree", "a.fa", "bc.fa"}).out == program.run({"tree", "whole.fa"}).out);
  CHECK(program.run({"dist", "-i", "a.fa", "bc.fa"}).out == program.run({"dist", whole}).out);
  CHECK(program.run({"check", "a.fa", "bc.fa"}).out.find("sequences  3\n") != std::string::npos);
  CHECK(program.run({"batch", "-i", ".", "-O", "out"}).exit_code == 0);
}

TEST_CASE("input: formats of several files may differ; messages name the file, or all of them") {
  const Program program;
  program.directory().write("a.fa", kA);
  program.directory().write("b.aln", "CLUSTAL W\n\na MKVLA-GIVGLWC\n");
  const Outcome outcome = program.run({"a.fa", "b.aln"});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err.find("warning: b.aln: 1 gap character removed") != std::string::npos);
  CHECK(outcome.err.find("warning: a.fa, b.aln: 1 name belongs to more than one sequence") !=
        std::string::npos);
  program.directory().write("bad.fa", ">x\nMK7\n");
  CHECK(refusal(program.run({"a.fa", "bad.fa"})).find("bad.fa:2: '7'") != std::string::npos);
  CHECK(program.run({"a.fa", "none.fa"}).exit_code == 66);
}

TEST_CASE("input: a file that is named twice, a second matrix are refused") {
  const Program program;
  program.directory().write("a.fa", kA);
  program.directory().write("d.phy", "2\na 0 1\nb 1 0\n");
  for (const std::vector<std::string>& line : {std::vector<std::string>{"a.fa", "-i", "a.fa"},
                                               {"-", "-"},
                                               {"tree", "--from-distances", "d.phy", "a.fa"},
                                               {"confidence", "a.fa", "d.phy"},
                                               {"batch", "-i", "a.fa", "-i", "a.fa", "-O", "out"},
                                               {"a.fa", "--gaps", "keep"}}) {
    CAPTURE(line.front());
    const Outcome outcome = program.run(line);
    CHECK(outcome.exit_code == 2);
    CHECK(outcome.err.find("\n  hint: ") != std::string::npos);
  }
}

TEST_CASE("input: --gaps error refuses what --gaps remove takes out") {
  const Program program;
  program.directory().write("in.fa", ">a one\nMK-VLA\n>b\nMKVLA\n>c\n.MK-VLA\n");
  CHECK(refusal(program.run({"in.fa", "--gaps", "error", "-o", "out.fa"})) ==
        "accord: error: in.fa: 3 gap characters in 2 sequences: \"a\", \"c\"");
  CHECK(program.directory().names() == std::vector<std::string>{"in.fa"});
  const Outcome removed = program.run({"in.fa", "--gaps", "remove"});
  CHECK(removed.exit_code == 0);
  CHECK(removed.err.find("3 gap characters removed from 2 sequences") != std::string::npos);
  CHECK(program.run({"tree", "in.fa", "--gaps=error"}).exit_code == 65);
  program.directory().write("good.fa", kA + kB + kC);
  CHECK(program.run({"good.fa", "--gaps", "error"}).exit_code == 0);
}

TEST_CASE("input: --lenient leaves out what cannot stand in a sequence, and says so") {
  const Program program;
  program.directory().write("in.fa", ">a\n1 MKVLA 10\n>b\nMK/V!LA\xc3\xa4\n>c\nMKVLA\n");
  CHECK(refusal(program.run({"in.fa"})).find("in.fa:2: '1' is not") != std::string::npos);
  CHECK(program.run({"in.fa"}).err.find("--lenient") != std::string::npos);
  const Outcome outcome = program.run({"in.fa", "--lenient", "--report", "r.json"});
  CHECK(outcome.exit_code == 0);
  CHECK(degapped(parse_rows(outcome.out)) ==
        FastaRows{{"a", "MKVLA"}, {"b", "MKVLA"}, {"c", "MKVLA"}});
  CHECK(outcome.err.find(
            "warning: in.fa: 7 characters left out: '!', '/', '0', '1', byte 0xA4, ...") !=
        std::string::npos);
  CHECK(outcome.err.find("  hint: ") != std::string::npos);
  const auto report = nlohmann::json::parse(file_bytes(program.directory().path("r.json")));
  CHECK(report["warnings"].size() == 1);
  program.directory().write("text.fa", "no FASTA at all\n");
  CHECK(refusal(program.run({"text.fa", "--lenient"})).find("text.fa:1: not FASTA") !=
        std::string::npos);
}

TEST_CASE("input: --lenient keeps the columns of an alignment") {
  const Program program;
  const std::vector<std::pair<const char*, std::string>> files = {
      {"a.clw", "CLUSTAL W\n\na MKVLA 5\nb MK!LA 5\n"},
      {"a.sto", "# STOCKHOLM 1.0\na MKVLA\nb MK!LA\n//\n"},
      {"a.phy", "2 5\na MKVLA\nb MK!LA\n"},
      {"a.msf", "MSF: 5\nName: a\nName: b\n//\na MKVLA\nb MK!LA\n"}};
  for (const auto& [name, text] : files) {
    const std::string file = name;
    CAPTURE(file);
    program.directory().write(name, text);
    CHECK(refusal(program.run({name})).find("\"!\" cannot stand") != std::string::npos);
    CHECK(degapped(parse_rows(program.run({name, "--lenient", "-q"}).out)) ==
          FastaRows{{"a", "MKVLA"}, {"b", "MKLA"}});
    const Outcome shown = program.run({"confidence", name, "--lenient", "-f", "fasta"});
    CHECK(shown.out == ">a\nMKVLA\n>b\nMK-LA\n");
    CHECK(shown.err.find("1 character read as gaps: '!'") != std::string::npos);
  }
}

TEST_CASE("input: nucleotides and proteins in one family are refused, unless a type is named") {
  const Program program;
  const std::string dna = ">d\nACGTACGGTCATTACGA\n", rna = ">r\nACGUACGGUCAUUACGA\n";
  program.directory().write("mixed.fa", dna + kA + kB);
  CHECK(refusal(program.run({"mixed.fa", "-o", "out.fa"})) ==
        "accord: error: mixed.fa: \"d\" has the letters of nucleotides, \"a\" those of a protein");
  CHECK(program.run({"mixed.fa"}).err.find("--type") != std::string::npos);
  for (const char* type : {"protein", "dna"}) {
    CHECK(program.run({"mixed.fa", "--type", type}).exit_code == 0);
  }
  program.directory().write("d.fa", dna);
  program.directory().write("a.fa", kA);
  CHECK(refusal(program.run({"a.fa", "d.fa"})).find("a.fa, d.fa: \"d\"") != std::string::npos);
  program.shell("mkdir in; cp mixed.fa in");
  CHECK(program.run({"batch", "in", "-O", "out"}).exit_code == 4);
  program.directory().write("bases.fa", dna + rna);
  CHECK(program.run({"bases.fa"}).exit_code == 0);
}

TEST_CASE("messages: names in UTF-8 and Latin-1 are readable, control characters are escaped") {
  const Program program;
  program.directory().write("utf8.fa", ">Epichlo\xc3\xab\nMK7\n");
  program.directory().write("latin1.fa", ">Epichlo\xeb\nMK7\n");
  program.directory().write("control.fa", ">a\x1b[2Jb\nMK7\n");
  CHECK(has(program.run({"utf8.fa"}).err, "(in sequence \"Epichlo\xc3\xab\")"));
  CHECK(has(program.run({"latin1.fa"}).err, "(in sequence \"Epichlo\xc3\xab\")"));
  CHECK(has(program.run({"control.fa"}).err, "(in sequence \"a\\x1B[2Jb\")"));
  // Warnings, and names of files, too.
  program.directory().write("Epichlo\xc3\xab.fa", ">Epichlo\xeb\nXXX\n>b\nMKV\n");
  CHECK(has(program.run({"Epichlo\xc3\xab.fa", "-d", "none"}).err,
            "warning: Epichlo\xc3\xab.fa: 1 sequence has no known residue: \"Epichlo\xc3\xab\""));
}

TEST_CASE("messages: one and many, bytes and more") {
  const Program program;
  program.directory().write("two.fa", ">a\nMKVL\n>b\nMKIL\n");
  const std::string said = program.run({"check", "two.fa", "-d", "none"}).out;
  CHECK(std::regex_search(said, std::regex("\noutput +about [0-9]+ bytes as FASTA")));
  CHECK(has(program.run({"check", example_path(), "-d", "none"}).out, "about 929 bytes as FASTA"));
  const std::string steps = program.run({"two.fa", "-d", "none", "-v", "-o", "out.fa"}).err;
  CHECK(has(steps, "  1 pair, "));
  CHECK(has(steps, "  2 leaves"));
  CHECK(std::regex_search(steps, std::regex("peak memory [0-9.]+ (MiB|GiB)\n")));
}
