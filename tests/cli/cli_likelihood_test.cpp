// SPDX-License-Identifier: Apache-2.0
// `accord likelihood` as a user calls it.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
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
  CHECK(with({"--nni"}).err.find("--nni needs double precision") != std::string::npos);
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
  contains(refused("(human:1,chimp:1);", {}), "1 of 3 sequences are not in the tree");
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
