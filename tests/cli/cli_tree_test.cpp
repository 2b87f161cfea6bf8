// SPDX-License-Identifier: Apache-2.0
// accord tree and accord dist.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "cli/program.hpp"
#include "support/paths.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

/// The branch lengths of a tree in Newick, the shortest first.
std::vector<double> sorted_lengths(const std::string& newick) {
  std::vector<double> lengths;
  for (std::size_t at = newick.find(':'); at != newick.npos; at = newick.find(':', at + 1)) {
    lengths.push_back(std::stod(newick.substr(at + 1)));
  }
  std::ranges::sort(lengths);
  return lengths;
}

}  // namespace

TEST_CASE("tree: the tree of an alignment, and along it the same alignment") {
  const Program program;
  for (const std::string method : {"upgma", "nj"}) {
    CAPTURE(method);
    const Outcome aligned =
        program.run({example_path(), "--tree", method, "--tree-out", "align.nwk"});
    const Outcome tree = program.run({"tree", example_path(), "--method", method});
    CHECK(tree.exit_code == 0);
    CHECK(tree.err.empty());
    CHECK(tree.out == file_bytes(program.directory().path("align.nwk")));
    program.directory().write("tree.nwk", tree.out);
    CHECK(program.run({"align", example_path(), "--tree", "tree.nwk"}).out == aligned.out);
  }
  CHECK(program.run({"tree", example_path(), "-o", "t.nwk"}).out.empty());
  CHECK(program.run({"tree", example_path(), "--method", "guess"}).exit_code == 2);
}

TEST_CASE("tree: a finished alignment is taken as it is, by its distances") {
  const Program program;
  const std::string alignment = source_dir() + "/datasets/example.aln";
  REQUIRE(program.run({"dist", alignment, "-q", "-f", "tsv", "-o", "d.tsv"}).exit_code == 0);
  for (const char* method : {"upgma", "nj"}) {
    CAPTURE(method);
    const Outcome tree = program.run({"tree", alignment, "--method", method});
    CHECK(tree.exit_code == 0);
    CHECK(has(tree.err, "are an alignment, which is taken as it is"));
    CHECK(std::count(tree.out.begin(), tree.out.end(), ',') == 7);
    const Outcome given = program.run({"tree", alignment, "--aligned", "--method", method});
    CHECK(given.out == tree.out);
    CHECK(given.err.empty());
    CHECK(program.run({"tree", alignment, "--gaps", "remove", "-q", "--method", method}).out ==
          program.run({"tree", example_path(), "--method", method}).out);
    // The numbers of a table are rounded, and its leaves have another order.
    const std::vector<double> lengths = sorted_lengths(tree.out);
    const std::vector<double> joined =
        sorted_lengths(program.run({"tree", "d.tsv", "--from-distances", "--method", method}).out);
    REQUIRE(joined.size() == lengths.size());
    for (std::size_t k = 0; k < lengths.size(); ++k) {
      CHECK(std::abs(joined[k] - lengths[k]) < 1e-4);
    }
  }
  CHECK(program.run({"tree", "d.tsv", "--from-distances", "--aligned"}).exit_code == 2);
  CHECK(program.run({"tree", alignment, example_path(), "--aligned"}).exit_code == 2);
}

TEST_CASE("tree: from distances, with the leaves and the shape of the tree of the sequences") {
  const Program program;
  for (const char* format : {"phylip", "phylip-lower"}) {
    CAPTURE(format);
    REQUIRE(program.run({"dist", example_path(), "-f", format, "-o", "d.phy"}).exit_code == 0);
    const Outcome tree = program.run({"tree", "d.phy", "--from-distances"});
    CHECK(tree.exit_code == 0);
    CHECK(std::count(tree.out.begin(), tree.out.end(), ',') == 7);
    program.directory().write("t.nwk", tree.out);
    CHECK(program.run({example_path(), "--tree", "t.nwk"}).out ==
          program.run({example_path()}).out);
  }
  program.directory().write("four.phy", "4\na\nb 2\nc 4 4\nd 6 6 6\n");
  const std::string upgma = program.run({"tree", "four.phy", "--from-distances"}).out;
  CHECK(upgma.find("(b:1,a:1)") != std::string::npos);
  CHECK(std::count(upgma.begin(), upgma.end(), ',') == 3);
  const Outcome nj = program.run({"tree", "-", "--from-distances", "--method", "nj"},
                                 program.directory().path("four.phy"));
  CHECK(nj.exit_code == 0);
  CHECK(std::count(nj.out.begin(), nj.out.end(), ',') == 3);
  program.directory().write("far.phy", "2\na\nb 33\n");
  CHECK(program.run({"tree", "far.phy", "--from-distances"}).out.find("a:16.5") !=
        std::string::npos);
  CHECK(program.run({"tree", example_path(), "--from-distances"}).exit_code == 65);
}

TEST_CASE("tree: neighbour joining on a device, and when the device is lost") {
  const Program program;
  REQUIRE(program.run({"dist", example_path(), "-o", "d.phy"}).exit_code == 0);
  const Outcome host =
      program.run({"tree", "d.phy", "--from-distances", "--method", "nj", "--device", "none"});
  REQUIRE(host.exit_code == 0);
  const auto on_device = [&](const std::string& faults) {
    return program.shell("ACCORD_SELF_TEST=off ACCORD_OPENCL_FAULT=" + faults +
                         " $accord tree d.phy --from-distances --method nj --device 0");
  };
  const Outcome counted = on_device("count");
  CHECK(counted.out == host.out);
  CHECK(counted.err.find("opencl calls clEnqueueNDRangeKernel") != std::string::npos);
  const Outcome lost = on_device("clEnqueueNDRangeKernel:1+:-36");
  CHECK(lost.exit_code == 0);
  CHECK(lost.out == host.out);
  CHECK(lost.err.find("a device failed") != std::string::npos);
}

TEST_CASE("dist: the formats, by option and by suffix, agree with --dist-out") {
  const Program program;
  program.run({example_path(), "-o", "a.fa", "--dist-out", "a.phy"});
  CHECK(program.run({"dist", example_path()}).out == file_bytes(program.directory().path("a.phy")));
  REQUIRE(program.run({"dist", example_path(), "-o", "d.tsv"}).exit_code == 0);
  CHECK(file_bytes(program.directory().path("d.tsv")) ==
        program.run({"dist", example_path(), "-f", "tsv"}).out);
  const std::string csv = program.run({"dist", example_path(), "-f", "csv"}).out;
  CHECK(std::count(csv.begin(), csv.end(), ',') == 9 * 8);
  CHECK(program.run({"dist", example_path(), "-f", "xml"}).exit_code == 2);
  program.directory().write("one.fa", ">a\nMKV\n");
  CHECK(program.run({"dist", "one.fa"}).out == "1\na          0.000000\n");
  CHECK(program.run({"tree", "one.fa"}).exit_code == 0);
}
