// SPDX-License-Identifier: Apache-2.0
// The program as its user meets it: commands, options, where results go.
#include <doctest/doctest.h>
#include <zlib.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cli/program.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

/// What the program prints for the example family with these options; it must succeed.
std::string aligned(const Program& program, std::vector<std::string> options = {}) {
  options.insert(options.begin(), example_path());
  const Outcome outcome = program.run(options);
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err.empty());
  return outcome.out;
}

std::string gzip_copy(const ScratchDirectory& directory, const std::string& from) {
  const std::string path = directory.path("packed");
  const std::string bytes = file_bytes(from);
  const gzFile file = gzopen(path.c_str(), "wb");
  gzwrite(file, bytes.data(), static_cast<unsigned>(bytes.size()));
  gzclose(file);
  return path;
}

}  // namespace

TEST_CASE("cli: --version is one line") {
  const Outcome outcome = Program().run({"--version"});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.out == "accord " ACCORD_VERSION "\n");
  CHECK(outcome.err.empty());
}

namespace {

/// The lines of a text, each with its end.
std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = text.find('\n', at);
    REQUIRE(end != std::string::npos);
    lines.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return lines;
}

/// The names of the commands, as the completion for bash has them.
std::vector<std::string> command_names(const Program& program) {
  const std::string script = program.run({"help", "completion-bash"}).out;
  const std::string before = "compgen -W '";
  std::string words = script.substr(script.find(before + "help ") + before.size());
  std::istringstream stream(words.substr(0, words.find('\'')));
  std::vector<std::string> names;
  for (std::string name; stream >> name;)
    if (name != "help") names.push_back(name);
  return names;
}

}  // namespace

TEST_CASE("cli: --help is one screen on stdout; the commands have their own") {
  const Program program;
  const Outcome outcome = program.run({"--help"});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.err.empty());
  CHECK(outcome.out.starts_with("accord aligns families of protein, RNA or DNA sequences"));
  for (const char* word : {"usage: accord", "--version", "--out", "--format", "--type", "--device",
                           "--threads", "--tree", "--html", "'accord help examples'"}) {
    CAPTURE(word);
    CHECK(outcome.out.find(word) != std::string::npos);
  }
  const std::vector<std::string> lines = lines_of(outcome.out);
  for (const std::string& line : lines) CHECK(line.size() <= 80);
  CHECK(lines.size() <= 40);
  const std::vector<std::string> names = command_names(program);
  CHECK(names.size() >= 16);
  for (const std::string& name : names) {
    CAPTURE(name);
    const auto is_its_line = [&](const std::string& line) {
      return (line + " ").starts_with("  " + name + " ") || line.starts_with("  [" + name + "] ");
    };
    CHECK(std::count_if(lines.begin(), lines.end(), is_its_line) == 1);
  }
  CHECK(program.run({"help"}).out == outcome.out);
  CHECK(program.run({"in.fa", "-h"}).out == outcome.out);
  const std::string align = program.run({"align", "-h"}).out;
  for (const char* word : {"--tree-out", "--dist-out", "--consistency", "--refine", "--report",
                           "--verbose", "--quiet"}) {
    CAPTURE(word);
    CHECK(align.find(word) != std::string::npos);
  }
  CHECK(program.run({"help", "align"}).out == align);
  CHECK(program.run({"help", "method"}).out.find("--refine") != std::string::npos);
}

TEST_CASE("cli: help examples has a line for each task") {
  const std::vector<std::string> lines = lines_of(Program().run({"help", "examples"}).out);
  REQUIRE(lines.size() >= 11);
  CHECK(lines.front() == "examples:");
  for (std::size_t k = 1; k < lines.size(); ++k) {
    CAPTURE(lines[k]);
    CHECK(lines[k].starts_with("  accord "));
    CHECK(lines[k].find(" # ") == 42);
    CHECK(lines[k].size() <= 80);
  }
}

TEST_CASE("cli: bash completes commands, options and the topics of help") {
  const Program program;
  const auto completed = [&](const std::string& words) {
    return program
        .shell("source <($accord help completion-bash); COMP_WORDS=(" + words +
               "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _accord 2>/dev/null; "
               "echo \"${COMPREPLY[*]}\"")
        .out;
  };
  CHECK(completed("accord conf") == "confidence\n");
  CHECK(completed("accord fam.fa --htm") == "--html\n");
  CHECK(completed("accord batch dir --out") == "--out-dir\n");
  CHECK(completed("accord help ex") == "examples exit\n");
  const std::string topics = completed("accord help ''");
  const std::string refused = program.run({"help", "no such topic"}).err;
  std::string listed = refused.substr(refused.find("use ") + 4);
  listed.erase(std::remove(listed.begin(), listed.end(), ','), listed.end());
  CHECK(topics == listed);
}

TEST_CASE("cli: devices lists the host") {
  const Outcome outcome = Program().run({"devices"});
  CHECK(outcome.exit_code == 0);
  CHECK(outcome.out.find("none") != std::string::npos);
  CHECK(outcome.out.find("host") != std::string::npos);
}

TEST_CASE("cli: a file, standard input, gzip and the word align give the same alignment") {
  const Program program;
  const std::string expected = aligned(program);
  const FastaRows rows = parse_rows(expected);
  CHECK(is_alignment(rows));
  CHECK(degapped(rows) == parse_rows(file_bytes(example_path())));
  const std::string packed = gzip_copy(program.directory(), example_path());
  CHECK(program.run({"-"}, example_path()).out == expected);
  CHECK(program.run({packed}).out == expected);
  CHECK(program.run({"-"}, packed).out == expected);
  CHECK(program.run({"align", example_path()}).out == expected);
  CHECK(program.run({"-o", "-", example_path()}).out == expected);
}

TEST_CASE("cli: -o writes the file and nothing else") {
  const Program program;
  const std::string expected = aligned(program);
  for (int k = 0; k < 2; ++k) {  // a new file, then over the old one
    CHECK(aligned(program, {"-o", "out.fa"}).empty());
    CHECK(file_bytes(program.directory().path("out.fa")) == expected);
    CHECK(program.directory().names() == std::vector<std::string>{"out.fa"});
  }
}

TEST_CASE("cli: CLUSTAL by option and by suffix, with the header that Biopython reads") {
  const Program program;
  const std::string clustal = aligned(program, {"-f", "clustal"});
  CHECK(clustal.starts_with("CLUSTAL accord " ACCORD_VERSION
                            " multiple sequence alignment\n\n\nseq1 "));
  aligned(program, {"-o", "out.clw"});
  CHECK(file_bytes(program.directory().path("out.clw")) == clustal);
  program.directory().write("fasta", aligned(program));
  const Outcome score = program.run({"score", "out.clw", "fasta"});
  CHECK(score.out.find("\n1.000000\t1.000000\t") != std::string::npos);
}

TEST_CASE("cli: the guide tree that is written gives the same alignment when it is read") {
  const Program program;
  for (const char* method : {"upgma", "nj"}) {
    CAPTURE(method);
    const std::string expected = aligned(program, {"--tree", method, "--tree-out", "tree.nwk"});
    const std::string tree = file_bytes(program.directory().path("tree.nwk"));
    CHECK(tree.ends_with(";\n"));
    CHECK(std::count(tree.begin(), tree.end(), ',') == 7);
    CHECK(aligned(program, {"--tree", "tree.nwk"}) == expected);
  }
}

TEST_CASE("cli: --dist-out is a PHYLIP matrix") {
  const Program program;
  aligned(program, {"--dist-out", "dist.phy"});
  const std::string text = file_bytes(program.directory().path("dist.phy"));
  CHECK(std::count(text.begin(), text.end(), '\n') == 9);
  CHECK(std::stoi(text) == 8);
  CHECK(text.find("\nseq1 ") != std::string::npos);
}

TEST_CASE("cli: --report is JSON with what the run was and took") {
  const Program program;
  aligned(program, {"--report", "run.json", "-o", "out.fa", "-j", "2", "-d", "none"});
  const auto report = nlohmann::json::parse(file_bytes(program.directory().path("run.json")));
  CHECK(report["accord_version"] == ACCORD_VERSION);
  CHECK(report["input"]["path"] == example_path());
  CHECK(report["input"]["sequences"] == 8);
  CHECK(report["input"]["type"] == "protein");
  CHECK(report["input"]["longest"] == 99);
  CHECK(report["input"]["shortest"] == 87);
  CHECK(report["parameters"]["parameter_set"] == "protein");
  CHECK(report["parameters"]["tree"] == "upgma");
  CHECK(report["compute"]["threads"] == 2);
  CHECK(report["compute"]["devices"][0]["id"] == "none");
  CHECK(report["output"]["path"] == "out.fa");
  CHECK(report["output"]["columns"] ==
        parse_rows(file_bytes(program.directory().path("out.fa")))[0].second.size());
  CHECK(report["posteriors"]["cells"] > 0);
  CHECK(report["posteriors"]["bytes"] > 0);
  std::vector<std::string> stages;
  for (const auto& stage : report["stages"]) {
    stages.push_back(stage["name"]);
    CHECK(stage["wall_s"] >= 0);
  }
  CHECK(stages == std::vector<std::string>{"posteriors", "tree", "consistency", "align", "refine",
                                           "confidence"});
  CHECK(report["total"]["wall_s"] > 0);
  CHECK(report["total"]["cpu_s"] > 0);
  CHECK(report["memory"]["peak_bytes"] > 1'000'000);
  CHECK(report["warnings"].empty());
}

TEST_CASE("cli: the report keeps warnings, and bytes that are not UTF-8 do not break it") {
  const Program program;
  program.directory().write("in\xff.fa", ">a\xe9\nAC-DW\n>a\xe9\nACDW\n");
  const Outcome outcome = program.run({"in\xff.fa", "--report", "run.json"});
  CHECK(outcome.exit_code == 0);
  const auto report = nlohmann::json::parse(file_bytes(program.directory().path("run.json")));
  CHECK(report["warnings"].size() == 3);  // gaps, a shared name, and what it becomes
}

TEST_CASE("cli: stages can be left out, and another tree works") {
  const Program program;
  const FastaRows input = parse_rows(file_bytes(example_path()));
  for (const std::vector<std::string>& options :
       {std::vector<std::string>{"--consistency", "0", "--refine", "0"},
        {"--consistency", "1"},
        {"--refine", "30"},
        {"--tree", "nj"},
        {"--type", "protein"},
        {"-t", "dna"},
        {"--device=none"}}) {
    CAPTURE(options[1 % options.size()]);
    const FastaRows rows = parse_rows(aligned(program, options));
    CHECK(is_alignment(rows));
    CHECK(degapped(rows) == input);
  }
}

TEST_CASE("cli: the number of threads changes nothing") {
  const Program program;
  const std::string expected = aligned(program, {"-j", "1"});
  CHECK(aligned(program, {"-j", "2"}) == expected);
  CHECK(aligned(program, {"-j", "9"}) == expected);
  CHECK(aligned(program, {"-j", "0"}) == expected);
}

TEST_CASE("cli: -v talks on stderr only; -q says nothing at all") {
  const Program program;
  const Outcome verbose = program.run({example_path(), "-v"});
  CHECK(verbose.exit_code == 0);
  CHECK(verbose.out == aligned(program));
  for (const char* word : {"8 sequences", "protein", "device ", "posteriors ", "tree ",
                           "consistency ", "align ", "refine ", "total "}) {
    CAPTURE(word);
    CHECK(verbose.err.find(word) != std::string::npos);
  }
  program.directory().write("odd.fa", ">a\nAC-DW\n>a\nACDW\n");
  CHECK(program.run({"odd.fa"}).err.starts_with("accord: warning: odd.fa: "));
  CHECK(program.run({"odd.fa", "-q"}).err.empty());
}

TEST_CASE("cli: pipes, process substitution and redirected descriptors") {
  const Program program;
  const std::string expected = aligned(program);
  program.directory().write("in.fa", file_bytes(example_path()));
  CHECK(program.shell("cat in.fa | $accord - | cat").out == expected);
  CHECK(program.shell("$accord <(cat in.fa)").out == expected);
  CHECK(program.shell("$accord in.fa -o >(cat >&2); wait $!").err == expected);
  CHECK(program.shell("$accord /dev/fd/3 3<in.fa").out == expected);
  CHECK(program.shell("$accord in.fa -o /dev/fd/4 4>got; cat got").out == expected);
  CHECK(program.shell("$accord in.fa -o /dev/stdout | cat").out == expected);
  CHECK(program.shell("mkfifo pipe; $accord in.fa -o pipe & cat pipe; wait $!").out == expected);
  CHECK(program.shell("echo first >log; $accord in.fa >>log; cat log").out == "first\n" + expected);
  CHECK(program.shell("$accord in.fa -v 2>/dev/null").out == expected);
}

TEST_CASE("cli: score against FASTA, MSF and BAliBASE XML") {
  const Program program;
  const ScratchDirectory& directory = program.directory();
  directory.write("test.fa", ">a\nACDE-F\n>b\nAC-EGF\n");
  directory.write("all.fa", ">b\nACE-GF\n>a\nACDE-F\n");
  directory.write("core.fa", ">a\nACde-F\n>b\nACe-gF\n");
  directory.write(
      "ref.msf",
      "PileUp\n\n MSF: 6 Type: P Check: 2694 ..\n\n Name: a Len: 6 Check: 1329 Weight: 1.0\n"
      " Name: b Len: 6 Check: 1365 Weight: 1.0\n\n//\n\na  ACDE.F\nb  ACE.GF\n");
  directory.write("ref.xml",
                  "<?xml version=\"1.0\"?>\n<macsim><alignment>"
                  "<sequence><seq-name>a</seq-name><seq-data>ACDE-F</seq-data></sequence>"
                  "<sequence><seq-name>b</seq-name><seq-data>ACE-GF</seq-data></sequence>"
                  "<column-score><colsco-name>coreblock</colsco-name>"
                  "<colsco-data>1 1 1 0 0 0</colsco-data></column-score></alignment></macsim>\n");
  const std::string header = "SP\tTC\tpairs_correct\tpairs\tcolumns_correct\tcolumns\n";
  const auto score = [&](const char* reference) {
    const Outcome outcome = program.run({"score", "test.fa", reference});
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.err.empty());
    return outcome.out;
  };
  CHECK(score("test.fa") == header + "1.000000\t1.000000\t4\t4\t4\t4\n");
  CHECK(score("all.fa") == header + "0.750000\t0.750000\t3\t4\t3\t4\n");
  CHECK(score("core.fa") == header + "1.000000\t1.000000\t3\t3\t3\t3\n");
  CHECK(score("ref.msf") == header + "0.750000\t0.750000\t3\t4\t3\t4\n");
  CHECK(score("ref.xml") == header + "0.666667\t0.666667\t2\t3\t2\t3\n");
}

TEST_CASE("cli: score by column, as tsv, csv and json") {
  const Program program;
  program.directory().write("test.fa", ">b extra\nAC-EGF.\n>w\nWW--WWW\n>a\nACDE-F-\n");
  program.directory().write("ref.fa", ">a\nAC-de-F\n>b\nAC-e-gF\n");
  const auto score = [&](std::vector<std::string> options) {
    options.insert(options.begin(), {"score", "test.fa", "ref.fa"});
    const Outcome outcome = program.run(options);
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.err.empty());
    return outcome.out;
  };
  const std::string columns = "1 2 1 1 1\n2 2 1 1 1\n7 2 1 1 1\n";
  const auto separated = [](std::string text, char separator) {
    std::replace(text.begin(), text.end(), ' ', separator);
    return text;
  };
  const std::string header = "column residues pairs_correct pairs correct\n";
  CHECK(score({"--per-column"}) == separated(header + columns, '\t'));
  CHECK(score({"--per-column", "-f", "csv"}) == separated(header + columns, ','));
  CHECK(score({"--format=csv"}) ==
        "SP,TC,pairs_correct,pairs,columns_correct,columns\n1.000000,1.000000,3,3,3,3\n");
  const nlohmann::json whole = nlohmann::json::parse(score({"-f", "json"}));
  CHECK(whole["SP"] == 1.0);
  CHECK(whole["columns"] == 3);
  CHECK(whole["test"] == "test.fa");
  CHECK_FALSE(whole.contains("per_column"));
  const nlohmann::json detailed = nlohmann::json::parse(score({"-f", "json", "--per-column"}));
  REQUIRE(detailed["per_column"].size() == 3);
  CHECK(detailed["per_column"][2]["column"] == 7);
  CHECK(detailed["per_column"][2]["correct"] == true);
  const Outcome refused = program.run({"score", "test.fa", "ref.fa", "-f", "fasta"});
  CHECK(refused.exit_code == 2);
  CHECK(refused.err.find("tsv, csv or json") != std::string::npos);
  CHECK(program.run({"help", "score"}).out.find("BB20002") != std::string::npos);
}
