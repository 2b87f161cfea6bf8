// SPDX-License-Identifier: Apache-2.0
// Numbers of options that no machine could serve are refused with the largest that may be given.
#include <doctest/doctest.h>

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/all_commands.hpp"
#include "cli/program.hpp"
#include "support/paths.hpp"

namespace accord::testing {
namespace {

const std::string kTwo = ">a\nMKVLAAGIVG\n>b\nMKVLAGIVG\n";

/// Options whose number is a limit or a seed, so that any number is right.
const std::set<std::string> kAnyNumber = {"max-seqs", "max-length", "wrap", "seed"};

}  // namespace

TEST_CASE("cli bounds: every option that takes a number has a bound") {
  const Program program;
  program.directory().write("in.fa", kTwo);
  program.directory().write("genes.fa", ">a\nATGAAAGTTCTGGCTGCT\n>b\nATGAAAGTTCTGGCTGCA\n");
  std::size_t bounded = 0;
  for (const Command& command : all_commands()) {
    for (const OptionSpec& option : command.options) {
      if (option.value != "N" || kAnyNumber.contains(option.name)) continue;
      CAPTURE(command.name);
      CAPTURE(option.name);
      ++bounded;
      for (const char* number : {"2147483647", "99999999999999999999", "-1", "1e3", "0x10", ""}) {
        const bool is_of_codons = option.name == "code";
        std::vector<std::string> line = {command.name, is_of_codons ? "genes.fa" : "in.fa",
                                         "--" + option.name, number};
        if (command.name == "batch") line.insert(line.end(), {"-O", "out"});
        if (command.name == "likelihood") {
          line.emplace_back(is_of_codons ? "--model=GY" : "--nni");
        }
        if (command.name == "tree" && option.name == "spr") line.emplace_back("--ml");
        const Outcome outcome = program.run(line);
        CHECK(outcome.exit_code == 2);
        CHECK(has(outcome.err, "accord: error: "));
        CHECK(has(outcome.err, "hint: "));
      }
    }
  }
  CHECK(bounded > 20);
}

TEST_CASE("cli bounds: the largest numbers are taken") {
  const Program program;
  program.directory().write("in.fa", kTwo);
  const std::string expected = program.run({"in.fa", "-d", "none"}).out;
  for (const auto& [option, number] :
       std::vector<std::pair<std::string, std::string>>{{"--refine", "100000"},
                                                        {"--intermediates", "1000000"},
                                                        {"--backbone", "1000000"},
                                                        {"--max-seqs", "2147483647"},
                                                        {"--max-length", "2147483647"},
                                                        {"--threads", "1024"},
                                                        {"--consistency", "10"},
                                                        {"--memory", "1T"},
                                                        {"--time-limit", "1000d"}}) {
    CAPTURE(option);
    const Outcome outcome = program.run({"in.fa", "-d", "none", option, number});
    CHECK(outcome.exit_code == 0);
    CHECK(outcome.out == expected);
  }
  for (const auto& [option, number] :
       std::vector<std::pair<std::string, std::string>>{{"--refine", "100001"},
                                                        {"--intermediates", "1000001"},
                                                        {"--backbone", "1000001"},
                                                        {"--threads", "1025"},
                                                        {"--consistency", "11"}}) {
    const Outcome outcome = program.run({"in.fa", "-d", "none", option, number});
    check_refused(outcome, 2, option + " " + number + ": too large");
    CHECK(has(outcome.err, std::to_string(std::stol(number) - 1) + " or less"));
  }
  CHECK(program.shell("ACCORD_THREADS=1025 $accord in.fa -d none").exit_code == 2);
  // Variables of other programs are only upper bounds.
  CHECK(program.shell("OMP_NUM_THREADS=99999999999999999999 $accord in.fa -d none").out ==
        expected);
  for (const char* size : {"1e400", "99999999999G", "nan", "inf", "-1G", "9223372036854775808T"}) {
    check_refused(program.run({"in.fa", "-d", "none", "--memory", size}), 2, "not a size");
  }
  for (const char* costs : {"inf,inf", "1e300,1e300", "nan,1", "11,1000001"}) {
    const std::string matrix = source_dir() + "/datasets/substitution/blosum62.txt";
    check_refused(program.run({"in.fa", "--matrix", matrix, "--gap-costs", costs}), 2,
                  "no costs of gaps");
  }
}

TEST_CASE("cli bounds: a shard of a billion takes no more memory than its families") {
  const Program program;
  program.directory().write("in.fa", kTwo);
  program.directory().write("list", "a\tin.fa\nb\tin.fa\n");
  const auto run = [&](const std::string& shard) {
    return program.shell("ulimit -v 4000000; $accord batch list -q -d none -j 1 -O out --shard " +
                         shard);
  };
  check_refused(run("1/1000000000"), 2, "--shard 1/1000000000: too many parts");
  CHECK(program.shell("ls -A out").out.empty());
  CHECK(run("3/1000000").exit_code == 0);
  CHECK(program.shell("ls out").out.empty());
  CHECK(run("1/1000000").exit_code == 0);
  CHECK(run("2/1000000").exit_code == 0);
  CHECK(program.shell("ls out").out == "a.afa\nb.afa\n");
  program.directory().write("list", "a\tin.fa\t\tinf\nb\tin.fa\n");
  check_refused(run("1/2"), 65, "is no number of cells");
}

}  // namespace accord::testing
