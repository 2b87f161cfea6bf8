// SPDX-License-Identifier: Apache-2.0
#include "accord/app/options.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "support/scratch.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

using Arguments = std::vector<std::string>;

/// The text of the usage error that the arguments give; it always comes with a hint.
std::string refusal(const Arguments& arguments) {
  const Error error = error_of([&] { parse_options(arguments); });
  CHECK(error.kind() == ErrorKind::usage);
  CHECK_FALSE(error.hint().empty());
  return error.what();
}

}  // namespace

TEST_CASE("options: a file alone is aligned with the defaults") {
  for (const Arguments& arguments : {Arguments{"in.fa"}, Arguments{"align", "in.fa"}}) {
    const Options options = parse_options(arguments);
    CHECK(options.command == Command::align);
    CHECK(options.input == "in.fa");
    CHECK(options.output == "-");
    CHECK(options.format == AlignmentFormat::fasta);
    CHECK_FALSE(options.type.has_value());
    CHECK(options.mode == "default");
    CHECK(options.device == "auto");
    CHECK(options.threads == 0);
    CHECK(options.tree == TreeMethod::upgma);
    CHECK(options.tree_out.empty());
    CHECK(options.dist_out.empty());
    CHECK(options.report.empty());
    CHECK_FALSE(options.consistency.has_value());
    CHECK_FALSE(options.refine.has_value());
    CHECK(options.verbosity == Verbosity::normal);
  }
}

TEST_CASE("options: every option of align, in both spellings, anywhere on the line") {
  const Options options = parse_options({"--out=out.fa",
                                         "-f",
                                         "clustal",
                                         "--type",
                                         "rna",
                                         "in.fa",
                                         "-m",
                                         "accurate",
                                         "-d",
                                         "gpu0",
                                         "-j",
                                         "3",
                                         "--tree=nj",
                                         "--tree-out",
                                         "t.nwk",
                                         "--dist-out",
                                         "d.phy",
                                         "--consistency",
                                         "0",
                                         "--refine",
                                         "7",
                                         "--report",
                                         "r.json",
                                         "-v"});
  CHECK(options.input == "in.fa");
  CHECK(options.output == "out.fa");
  CHECK(options.format == AlignmentFormat::clustal);
  CHECK(options.type == ResidueType::rna);
  CHECK(options.mode == "accurate");
  CHECK(options.device == "gpu0");
  CHECK(options.threads == 3);
  CHECK(options.tree == TreeMethod::neighbor_joining);
  CHECK(options.tree_out == "t.nwk");
  CHECK(options.dist_out == "d.phy");
  CHECK(options.consistency == 0);
  CHECK(options.refine == 7);
  CHECK(options.report == "r.json");
  CHECK(options.verbosity == Verbosity::verbose);
  CHECK(parse_options({"-q", "-"}).verbosity == Verbosity::quiet);
  CHECK(parse_options({"-q", "-"}).input == "-");
}

TEST_CASE("options: any other tree is a file") {
  const Options options = parse_options({"in.fa", "--tree", "guide.nwk"});
  CHECK(options.tree == TreeMethod::file);
  CHECK(options.tree_file == "guide.nwk");
}

TEST_CASE("options: the format follows the suffix of the output unless it is given") {
  CHECK(parse_options({"a", "-o", "x.clw"}).format == AlignmentFormat::clustal);
  CHECK(parse_options({"a", "-o", "x.clustal"}).format == AlignmentFormat::clustal);
  CHECK(parse_options({"a", "-o", "x.fa"}).format == AlignmentFormat::fasta);
  CHECK(parse_options({"a", "-o", "x.clw", "-f", "fasta"}).format == AlignmentFormat::fasta);
}

TEST_CASE("options: the other commands") {
  const Options score = parse_options({"score", "test.fa", "ref.xml"});
  CHECK(score.command == Command::score);
  CHECK(score.test == "test.fa");
  CHECK(score.reference == "ref.xml");
  CHECK(parse_options({"devices"}).command == Command::devices);
  CHECK(parse_options({"--version"}).command == Command::version);
  for (const Arguments& arguments :
       {Arguments{"--help"}, Arguments{"-h"}, Arguments{"help"}, Arguments{"align", "--help"},
        Arguments{"score", "-h"}, Arguments{"in.fa", "--help"}}) {
    const Options help = parse_options(arguments);
    CHECK(help.command == Command::help);
    CHECK(help.help.find("usage: accord") != std::string::npos);
  }
}

TEST_CASE("options: a file with the name of a command needs the command before it") {
  CHECK(parse_options({"align", "score"}).input == "score");
  CHECK(parse_options({"./devices"}).input == "./devices");
}

TEST_CASE("options: what makes no sense is refused with a hint") {
  CHECK(refusal({}).find("no input") != std::string::npos);
  CHECK(refusal({"align"}).find("no input") != std::string::npos);
  CHECK(refusal({"a.fa", "b.fa"}).find("'b.fa'") != std::string::npos);
  CHECK(refusal({"score", "a.fa"}).find("two files") != std::string::npos);
  CHECK(refusal({"score", "a", "b", "c"}).find("'c'") != std::string::npos);
  CHECK(refusal({"devices", "a"}).find("'a'") != std::string::npos);
  CHECK(refusal({"a.fa", "--wrong"}).find("--wrong") != std::string::npos);
  CHECK(refusal({"a.fa", "--consist", "1"}).find("--consist") != std::string::npos);
  CHECK(refusal({"a.fa", "-f", "pdf"}).find("pdf") != std::string::npos);
  CHECK(refusal({"a.fa", "-t", "lipid"}).find("lipid") != std::string::npos);
  CHECK(refusal({"a.fa", "-j", "-2"}).find("-2") != std::string::npos);
  CHECK(refusal({"a.fa", "-j", "two"}).find("two") != std::string::npos);
  CHECK(refusal({"a.fa", "--refine", "-1"}).find("--refine") != std::string::npos);
  CHECK(refusal({"a.fa", "--consistency", "1.5"}).find("1.5") != std::string::npos);
  CHECK(refusal({"a.fa", "-o"}).find("--out") != std::string::npos);
  CHECK(refusal({"a.fa", "-o", "x", "-o", "y"}).find("--out") != std::string::npos);
}
