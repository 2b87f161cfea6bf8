// SPDX-License-Identifier: Apache-2.0
// `accord likelihood` as a user calls it.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <tuple>
#include <vector>

#include "cli/program.hpp"
#include "support/paths.hpp"
#include "support/scratch.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

/// The value of a line of a table; empty if there is none.
std::string value_of(const std::string& table, const std::string& name) {
  const std::size_t at = table.find("\n" + name + "\t");
  if (at == std::string::npos) return {};
  const std::size_t begin = at + name.size() + 2;
  return table.substr(begin, table.find('\n', begin) - begin);
}

const std::string& primates() {
  static const std::string path = source_dir() + "/datasets/primates.fa";
  return path;
}

}  // namespace

TEST_CASE("accord likelihood: values, sites and the tree of a fit") {
  const ScratchDirectory directory;
  const std::string tree = directory.write("t.nwk", "((human:0.1,chimp:0.1):0.1,gorilla:0.2);\n");
  const Outcome fixed = Program().run({"likelihood", primates(), "--tree", tree, "--model", "JC",
                                       "--fit", "none", "--sites", directory.path("s.tsv")});
  CHECK(fixed.exit_code == 0);
  CHECK(std::stod(value_of(fixed.out, "log_likelihood")) == doctest::Approx(-1574.63623));
  CHECK(value_of(fixed.out, "patterns") == "20");
  const std::string sites = file_bytes(directory.path("s.tsv"));
  CHECK(std::count(sites.begin(), sites.end(), '\n') == 769);
  const Outcome fitted = Program().run({"likelihood", primates(), "--tree", tree, "--model", "JC",
                                        "--fit", "lengths", "--tree-out", directory.path("f.nwk")});
  CHECK(std::stod(value_of(fitted.out, "log_likelihood")) > -1574.6);
  const Outcome again = Program().run({"likelihood", primates(), "--tree", directory.path("f.nwk"),
                                       "--model", "JC", "--fit", "none"});
  CHECK(std::stod(value_of(again.out, "log_likelihood")) ==
        doctest::Approx(std::stod(value_of(fitted.out, "log_likelihood"))).epsilon(1e-9));
}

TEST_CASE("accord likelihood: single precision") {
  const ScratchDirectory directory;
  const std::string tree = directory.write("t.nwk", "((human:0.1,chimp:0.1):0.1,gorilla:0.2);\n");
  const std::vector<std::string> common = {"likelihood", primates(), "--tree",      tree,
                                           "--model",    "JC",       "--precision", "single"};
  const auto with = [&](std::vector<std::string> more) {
    more.insert(more.begin(), common.begin(), common.end());
    return Program().run(more);
  };
  const Outcome fixed = with({"--fit", "none"});
  const double found = std::stod(value_of(fixed.out, "log_likelihood"));
  CHECK(std::abs(found + 1574.63623) < 768 * 5 * 6 * 0x1p-24);
  CHECK(std::stod(value_of(with({"--fit", "lengths"}).out, "log_likelihood")) > -1574.6);
  CHECK(with({"--nni"}).err.find("interchanges need double precision") != std::string::npos);
  const Outcome other =
      Program().run({"likelihood", primates(), "--model", "K80", "--precision", "single"});
  CHECK(other.err.find("kappa cannot be fitted") != std::string::npos);
}

TEST_CASE("accord likelihood: neighbour joining and the usual model without options") {
  const Outcome outcome = Program().run({"likelihood", primates()});
  CHECK(outcome.exit_code == 0);
  CHECK(value_of(outcome.out, "model") == "GTR+G4");
  CHECK(std::stod(value_of(outcome.out, "log_likelihood")) > -1500);
  CHECK(!value_of(outcome.out, "alpha").empty());
}

TEST_CASE("accord likelihood: a search that does not fit the memory is refused at once") {
  const std::string alignment = source_dir() + "/datasets/simulated/moderate_12.true.fa";
  const Outcome refused =
      Program().run({"likelihood", alignment, "--nni", "--memory", "1M", "--threads", "2"});
  CHECK(refused.exit_code == 137);
  CHECK(refused.out.empty());
  CHECK(refused.err.find("12 sequences with") != std::string::npos);
  CHECK(refused.err.find("raise --memory") != std::string::npos);
  CHECK(Program().run({"tree", alignment, "--ml", "--aligned", "--memory", "1M"}).exit_code == 137);
  CHECK(Program().run({"likelihood", alignment, "--nni", "--memory", "40M"}).exit_code == 0);
}

TEST_CASE("accord likelihood: what does not fit is said") {
  const ScratchDirectory directory;
  const auto refused = [&](const std::string& tree, const std::vector<std::string>& options) {
    std::vector<std::string> arguments = {"likelihood", primates(), "--tree",
                                          directory.write("t.nwk", tree)};
    arguments.insert(arguments.end(), options.begin(), options.end());
    const Outcome outcome = Program().run(arguments);
    CHECK(outcome.exit_code != 0);
    CHECK(outcome.out.empty());
    return outcome.err;
  };
  const auto contains = [](const std::string& text, const std::string& part) {
    CAPTURE(text);
    CHECK(text.find(part) != std::string::npos);
  };
  contains(refused("(human:1,chimp:1);", {}), "1 of 3 sequences is not in the tree");
  contains(refused("((human:1,chimp:1):1,orang:1);", {}), "\"orang\" is not among the sequences");
  contains(refused("((human:1,chimp):1,gorilla:1);", {"--fit", "none", "--model", "JC"}),
           "leaf \"chimp\" has no branch length");
  contains(refused("((human:0,chimp:0):0,gorilla:0);", {"--fit", "none", "--model", "JC"}),
           "is impossible on the tree");
  contains(refused("((human,chimp),gorilla);", {"--model", "LG"}), "model LG is for proteins");
  contains(refused("((human,chimp),gorilla);", {"--model", "LG+X"}), "\"+X\" is unknown");
  contains(refused("((human:1,chimp:1):1,gorilla:1);", {"--fit", "none", "--model", "HKY"}),
           "kappa has no value");
  contains(refused("((human,chimp),gorilla);", {"--model", "GY94"}), "stop codon");
}

TEST_CASE("accord likelihood: --prune leaves out what has no partner, and says so") {
  const Program program;
  program.directory().write("t.nwk", "(((human:0.1,chimp:0.1):0.1,orang:0.3):0.1,gorilla:0.2);\n");
  program.directory().write("less.nwk", "((human:0.1,chimp:0.1):0.2,gorilla:0.2);\n");
  const auto value = [&](const std::vector<std::string>& options) {
    std::vector<std::string> line = {"likelihood", primates(), "--model", "JC", "--fit", "none"};
    line.insert(line.end(), options.begin(), options.end());
    return program.run(line);
  };
  const Outcome refused = value({"--tree", "t.nwk"});
  CHECK(refused.exit_code == 65);
  CHECK(refused.err.find("hint: --prune leaves such leaves out") != std::string::npos);
  const Outcome pruned = value({"--tree", "t.nwk", "--prune"});
  CHECK(pruned.err.find("left out: 1: \"orang\"") != std::string::npos);
  CHECK(pruned.out == value({"--tree", "less.nwk"}).out);
  CHECK(value({"--tree", "less.nwk", "--prune"}).err.empty());
  // Rows without a leaf.
  program.directory().write("two.nwk", "(human:0.1,chimp:0.1);\n");
  const Outcome missing = value({"--tree", "two.nwk"});
  CHECK(missing.exit_code == 65);
  CHECK(missing.err.find("--prune") != std::string::npos);
  const Outcome rows = value({"--tree", "two.nwk", "--prune"});
  CHECK(rows.exit_code == 0);
  CHECK(rows.err.find("1 row without a leaf in two.nwk left out: \"gorilla\"") !=
        std::string::npos);
  // The guide tree of an alignment.
  const Outcome guide = program.run({primates(), "--tree", "t.nwk"});
  CHECK(guide.exit_code == 65);
  const Outcome guided = program.run({primates(), "--tree", "t.nwk", "--prune"});
  CHECK(guided.exit_code == 0);
  CHECK(guided.err.find("\"orang\"") != std::string::npos);
  CHECK(guided.out == program.run({primates(), "--tree", "less.nwk"}).out);
  CHECK(program.run({primates(), "--prune"}).exit_code == 2);
}

TEST_CASE("accord tree and likelihood: a row of which nothing is known has no place in a tree") {
  const Program program;
  program.directory().write("a.fa",
                            ">a\nACGTACGTAC\n>b\nACGTACGAAC\n>c\nAGGTACGTTC\n>d\n----------\n"
                            ">e\nNNNNNN--NN\n");
  for (const std::string line : {"tree a.fa --ml --aligned", "likelihood a.fa",
                                 "likelihood a.fa --fit lengths --model JC"}) {
    CAPTURE(line);
    const Outcome refused = program.shell("$accord " + line);
    CHECK(refused.exit_code == 65);
    CHECK(refused.out.empty());
    CHECK(refused.err.find("a.fa: 2 rows without a known residue") != std::string::npos);
    CHECK(refused.err.find("\"d\", \"e\"") != std::string::npos);
    const Outcome pruned = program.shell("$accord " + line + " --prune");
    CHECK(pruned.exit_code == 0);
    CHECK(pruned.err.find("left out: \"d\", \"e\"") != std::string::npos);
  }
  const Outcome tree = program.shell("$accord tree a.fa --ml --aligned --prune -q");
  CHECK(tree.out.find('d') == std::string::npos);
  // Rows that never meet are said.
  program.directory().write("b.fa", ">a\nACGTACGTAC\n>b\nACGTA-----\n>c\n-----CGTTC\n");
  const Outcome apart = program.shell("$accord tree b.fa --ml --aligned");
  CHECK(apart.exit_code == 0);
  CHECK(apart.err.find("1 pair of rows shares no column in which both are known, such as \"b\" "
                       "and \"c\"") != std::string::npos);
}

TEST_CASE("accord likelihood: a free fit is never worse than one with parameters given") {
  const auto total = [&](const std::string& file, const std::string& model) {
    const Outcome outcome = Program().run({"likelihood", file, "--model", model});
    CAPTURE(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    return std::stod(value_of(outcome.out, "log_likelihood"));
  };
  constexpr double kRounding = 2e-3;  // of fits that end when a step gains little
  CHECK(total(primates(), "K80+I+G4") >= -1325.714);
  const std::string other = source_dir() + "/datasets/simulated/moderate_12.true.fa";
  for (const auto& [file, free, restricted] :
       std::vector<std::tuple<std::string, std::string, std::vector<std::string>>>{
           {primates(),
            "K80+I+G4",
            {"K80{200}+I+G4", "K80{2}+I+G4", "K80+I", "K80+G4", "K80", "K80+I+G4{0.5}",
             "K80+I{0.5}+G4", "K80+I{0.5}+G4{1}", "JC+I+G4"}},
           {primates(), "HKY+I+G4", {"HKY{200}+I+G4", "HKY+I", "HKY+G4", "HKY+I{0.3}+G4"}},
           {other, "LG+I+G4", {"LG", "LG+I", "LG+G4", "LG+I{0.1}+G4", "LG+I+G4{1}"}}}) {
    const double best = total(file, free);
    for (const std::string& model : restricted) {
      CAPTURE(model);
      CHECK(best >= total(file, model) - kRounding);
    }
  }
}
