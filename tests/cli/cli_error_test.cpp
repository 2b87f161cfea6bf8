// SPDX-License-Identifier: Apache-2.0
// Bad input: one clear line and a hint on stderr, the exit code that scripts know, nothing on
// stdout, no output file.
#include <doctest/doctest.h>

#include <algorithm>

#include "cli/program.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

/// Runs the program, which must fail as the head of this file says, and returns the error line
/// without its prefix.
std::string failure(const Program& program, const std::vector<std::string>& arguments,
                    int exit_code, const std::string& input = "/dev/null") {
  CAPTURE(arguments.size());
  std::vector<std::string> before = program.directory().names();
  const Outcome outcome = program.run(arguments, input);
  std::vector<std::string> after = program.directory().names();
  std::sort(before.begin(), before.end());
  std::sort(after.begin(), after.end());
  CHECK(after == before);
  CHECK(outcome.exit_code == exit_code);
  CHECK(outcome.out.empty());
  const std::string prefix = "accord: error: ";
  CHECK(outcome.err.starts_with(prefix));
  const std::size_t end = outcome.err.find('\n');
  REQUIRE(end != std::string::npos);
  const std::string rest = outcome.err.substr(end + 1);
  CHECK(rest.starts_with("  hint: "));
  CHECK(std::count(rest.begin(), rest.end(), '\n') == 1);
  CHECK(outcome.err.find("accord: ", prefix.size()) == std::string::npos);  // said once
  return outcome.err.substr(prefix.size(), end - prefix.size());
}

/// The same for the alignment of a text in the file "in.fa", with an output file asked for.
std::string failure_of_text(const std::string& text, std::vector<std::string> options = {}) {
  const Program program;
  program.directory().write("in.fa", text);
  options.insert(options.begin(), {"in.fa", "-o", "out.fa"});
  return failure(program, options, 65);
}

const std::string kGood = ">a\nMKVLAAGIVG\n>b\nMKVLAGIVG\n>c\nMKLAAGIG\n";

}  // namespace

TEST_CASE("errors: files that cannot be read") {
  const Program program;
  CHECK(failure(program, {"none.fa", "-o", "out.fa"}, 66).find("none.fa") != std::string::npos);
  CHECK(failure(program, {"/", "-o", "out.fa"}, 66).find("/") != std::string::npos);
  program.directory().write("in.fa", kGood);
  CHECK(failure(program, {"in.fa", "--tree", "none.nwk"}, 66).find("none.nwk") !=
        std::string::npos);
  program.directory().write("test.fa", ">a\nAC-\n>b\nACD\n");
  CHECK(failure(program, {"score", "test.fa", "none.fa"}, 66).find("none.fa") != std::string::npos);
}

TEST_CASE("errors: a directory as input") {
  const Program program;
  CHECK(program.shell("mkdir plain 'two words' outdir").exit_code == 0);
  program.directory().write("in.fa", kGood);
  const auto hint = [&](const std::vector<std::string>& arguments) {
    CHECK(failure(program, arguments, 66).starts_with("cannot read "));
    const std::string text = program.run(arguments).err;
    return text.substr(text.find("  hint: "));
  };
  const std::string batch = "  hint: to align every FASTA file in it: accord batch ";
  CHECK(hint({"plain", "-o", "out.fa"}) == batch + "plain -O OUT\n");
  CHECK(hint({"align", "--in", "two words"}) == batch + "'two words' -O OUT\n");
  CHECK(hint({"in.fa", "plain"}) == batch + "plain -O OUT\n");
  CHECK(hint({"check", "plain"}) == "  hint: name the files in it\n");
  CHECK(hint({"in.fa", "--tree", "./plain"}) == "  hint: name a file in it\n");
  CHECK(failure(program, {"in.fa", "-o", "outdir"}, 73).starts_with("cannot create outdir"));
  CHECK(program.run({"in.fa", "-o", "outdir"}).err.ends_with("  hint: name a file in it\n"));
}

TEST_CASE("errors: what is not FASTA") {
  CHECK(failure_of_text("").starts_with("in.fa: "));
  CHECK(failure_of_text("\n\n").starts_with("in.fa: "));
  CHECK(failure_of_text("hello\n").starts_with("in.fa:1: not FASTA"));
  CHECK(failure_of_text("\nMKV\n>a\nMKV\n").starts_with("in.fa:2: not FASTA"));
  CHECK(failure_of_text("\x1f\x8b").starts_with("in.fa: "));
  CHECK(failure_of_text(std::string("\x7f"
                                    "ELF\0\1",
                                    6))
            .starts_with("in.fa:1: "));
  const Program program;
  CHECK(failure(program, {"-"}, 65).starts_with("stdin: "));
}

TEST_CASE("errors: characters that cannot stand in a sequence, with file and line") {
  CHECK(failure_of_text(">a\nMKV\n>sp|P1|X\nMKV\nMK7V\n") ==
        "in.fa:5: '7' is not a sequence character (in sequence \"sp|P1|X\")");
  CHECK(failure_of_text(">a\r\nMK!\r\n").starts_with("in.fa:2: '!'"));
  CHECK(failure_of_text(">a\nMK\xc3\xa4\n").starts_with("in.fa:2: byte 0xC3"));
}

TEST_CASE("errors: guide trees that do not fit") {
  const Program program;
  program.directory().write("in.fa", kGood);
  const auto with_tree = [&](const std::string& newick) {
    program.directory().write("tree.nwk", newick);
    return failure(program, {"in.fa", "--tree", "tree.nwk", "-o", "out.fa"}, 65);
  };
  for (const char* newick : {"(a,b);", "((a,b),d);", "((a,b),(c,d));", "((a,b),a);", "((a,b),c", "",
                             "a b c", "((a,b),c);x"}) {
    CAPTURE(newick);
    CHECK(with_tree(newick).starts_with("tree.nwk"));
  }
}

TEST_CASE("errors: devices that are not there") {
  const Program program;
  program.directory().write("in.fa", kGood);
  for (const char* device : {"99", "gpu99", "no such device"}) {
    CAPTURE(device);
    CHECK(failure(program, {"in.fa", "-o", "out.fa", "--device", device}, 69).find(device) !=
          std::string::npos);
  }
}

TEST_CASE("errors: outputs that cannot be created, before any work") {
  const Program program;
  program.directory().write("in.fa", kGood);
  for (const char* option : {"-o", "--tree-out", "--dist-out", "--report"}) {
    for (const char* path : {"none/out", "in.fa/out", ".", "/dev/fd/77"}) {
      CAPTURE(option);
      CAPTURE(path);
      CHECK(failure(program, {"in.fa", option, path}, 73).find(path) != std::string::npos);
    }
  }
}

TEST_CASE("errors: a full disk") {
  const Program program;
  program.directory().write("in.fa", kGood);
  CHECK(failure(program, {"in.fa", "-o", "/dev/full"}, 74).find("/dev/full") != std::string::npos);
  CHECK(program.shell("$accord in.fa >/dev/full").exit_code == 74);
  CHECK(program.shell("$accord --version >/dev/full").exit_code == 74);
  CHECK(program.shell("$accord score in.fa in.fa >/dev/full").exit_code != 0);
  CHECK(program.run({"in.fa", "-o", "out.fa", "--report", "/dev/full"}).exit_code == 74);
}

TEST_CASE("errors: a reader that goes away, closed standard streams") {
  const Program program;
  program.directory().write("in.fa", kGood);
  const Outcome closed = program.shell("$accord in.fa >&-");
  CHECK((closed.exit_code == 73 || closed.exit_code == 74));
  CHECK(closed.err.starts_with("accord: error: "));
  CHECK(program.shell("$accord - <&-").exit_code == 66);
  CHECK(program.shell("$accord in.fa -o out.fa 2>&-").exit_code == 0);
  const Outcome broken = program.shell("$accord in.fa | true; echo ${PIPESTATUS[0]}");
  CHECK((broken.out == "0\n" || broken.out == "141\n" || broken.out == "74\n"));
}

TEST_CASE("errors: alignments that cannot be scored") {
  const Program program;
  program.directory().write("test.fa", ">a\nAC-\n>b\nACD\n");
  program.directory().write("other.fa", ">a\nAC-\n>c\nACD\n");
  program.directory().write("letters.fa", ">a\nAW-\n>b\nACD\n");
  program.directory().write("ragged.fa", ">a\nAC\n>b\nACD\n");
  CHECK(failure(program, {"score", "test.fa", "other.fa"}, 65).find("\"c\"") != std::string::npos);
  CHECK(failure(program, {"score", "test.fa", "letters.fa"}, 65).find("\"a\"") !=
        std::string::npos);
  CHECK(failure(program, {"score", "test.fa", "ragged.fa"}, 65).find("not aligned") !=
        std::string::npos);
  CHECK(failure(program, {"score", "ragged.fa", "test.fa"}, 65).find("not aligned") !=
        std::string::npos);
}

TEST_CASE("errors: words of the environment, suffixes and models in letters of either case") {
  const Program program;
  program.directory().write("in.fa", ">a\nMKV\n>b\nMKL\n");
  CHECK(program.shell("$accord likelihood in.fa --model lg >/dev/null").exit_code == 0);
  CHECK(program.shell("ACCORD_DEVICE=None $accord in.fa >/dev/null").exit_code == 0);
  CHECK(program.shell("$accord dist in.fa -o D.TSV; head -1 D.TSV").out == "name\ta\tb\n");
}

TEST_CASE("errors: a command line that makes no sense") {
  const Program program;
  program.directory().write("in.fa", kGood);
  CHECK(failure(program, {"in.fa", "-o", "out.fa", "-x"}, 2) == "accord align has no option '-x'");
}

TEST_CASE("errors: hints are about the file that is wrong") {
  const Program program;
  program.directory().write("in.fa", ">a\nMKV\n>b\nMKL\n");
  program.directory().write("bad", "nothing that is known\n");
  program.directory().write("t.nwk", "((a,b)\n");
  for (const std::string line :
       {"bad", "stats bad", "convert bad", "likelihood bad", "add bad in.fa", "dist bad --aligned",
        "tree bad --from-distances"}) {
    CAPTURE(line);
    const Outcome outcome = program.shell("$accord " + line);
    CHECK(outcome.exit_code == 65);
    CHECK(outcome.err.find("Newick") == std::string::npos);
  }
  const Outcome tree = program.run({"in.fa", "--tree", "t.nwk"});
  CHECK(tree.exit_code == 65);
  CHECK(tree.err.find("Newick") != std::string::npos);
  CHECK(tree.err.find("sequences are read") == std::string::npos);
}

TEST_CASE("help: the defaults of the refinement are those of the parameters") {
  const Program program;
  const std::string parameters = program.run({"help", "parameters-protein"}).out;
  const std::size_t at = parameters.find("\"iterations\": ") + 14;
  const std::string iterations = parameters.substr(at, parameters.find_first_of(",\n", at) - at);
  std::string help = program.run({"help", "method"}).out;
  help = help.substr(help.find("--refine"));
  CHECK(help.find("(" + iterations + ")") < help.find("(2)"));
}
