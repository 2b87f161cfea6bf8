// SPDX-License-Identifier: Apache-2.0
// Trees and distances as other programs write them.
#include <doctest/doctest.h>

#include <algorithm>

#include "cli/program.hpp"

using namespace accord;
using namespace accord::testing;

TEST_CASE("trees: negative lengths, NEXUS, double quotes and the labels of MAFFT") {
  const Program program;
  program.directory().write("a.fa",
                            ">a x\nACGTACGTAC\n>b\nACGAACGTAC\n>c\nACGAACTTAC\n>d\nACCAACTTAG\n");
  const auto likelihood = [&](const std::string& tree, const char* fit) {
    program.directory().write("t", tree);
    return program.run(
        {"likelihood", "a.fa", "--tree", "t", "--model", "JC", "--fit", fit, "--tree-out", "o"});
  };
  const Outcome plain = likelihood("((a:0.1,b:0):0.05,(c:0.1,d:0.2):0.1);", "none");
  REQUIRE(plain.exit_code == 0);
  CHECK(file_bytes(program.directory().path("o")) == "((a:0.1,b:0):0.05,(c:0.1,d:0.2):0.1);\n");
  const Outcome negative = likelihood("((a:0.1,b:-0.1):0.05,(c:0.1,d:0.2):0.1);", "none");
  CHECK(negative.out == plain.out);
  CHECK(has(negative.err, "1 branch length is negative and taken for 0"));
  CHECK(likelihood("((a:0.1,b:-0.1):0.05,(c:0.1,d:0.2):0.1);", "all").exit_code == 0);
  for (const char* text : {"#NEXUS\nbegin trees;\ntranslate 1 a, 2 b, 3 c, 4 d;\ntree x = [&U] "
                           "((1:0.1,2:0):0.05,(3:0.1,4:0.2):0.1);\nend;\n",
                           "((\"a\":0.1,\"b\":0):0.05,(\"c\":0.1,\"d\":0.2):0.1);",
                           "(\n(\n1_a_x:0.1,\n2_b:0):0.05,\n(\n3_c:0.1,\n4_d:0.2):0.1);\n"}) {
    CAPTURE(text);
    CHECK(likelihood(text, "none").out == plain.out);
    program.directory().write("t", text);
    CHECK(program.run({"a.fa", "--tree", "t", "-q"}).exit_code == 0);
  }
}

TEST_CASE("trees: distances of any size, and the tables that accord writes") {
  const Program program;
  const auto tree = [&](const std::string& text, const char* method) {
    program.directory().write("d", text);
    const Outcome outcome = program.run({"tree", "--from-distances", "d", "--method", method});
    CAPTURE(outcome.err);
    CHECK(outcome.exit_code == 0);
    return outcome.out;
  };
  for (const char* method : {"upgma", "nj"}) {
    CAPTURE(method);
    const std::string expected = tree("3\na 0 0.2 0.4\nb 0.2 0 0.4\nc 0.4 0.4 0\n", method);
    if (method == std::string("upgma")) CHECK(expected == "(c:0.2,(b:0.1,a:0.1):0.1);\n");
    CHECK(tree("name\ta\tb\tc\na\t0\t0.2\t0.4\nb\t0.2\t0\t0.4\nc\t0.4\t0.4\t0\n", method) ==
          expected);
    CHECK(tree("name,a,b,c\r\na,0,0.2,0.4\r\nb,0.2,0,0.4\r\nc,0.4,0.4,0\r\n", method) == expected);
    CHECK(has(tree("3\na 0 512 1024\nb 512 0 1024\nc 1024 1024 0\n", method), "b:256"));
    CHECK(tree("3\nabc 0 64 128\nb 64 0 128\nc 128 128 0\n", method) ==
          tree("name,abc,b,c\nabc,0,64,128\nb,64,0,128\nc,128,128,0\n", method));
  }
  CHECK(has(tree("name,\"x, y\",\"a \"\"b\"\"\"\n\"x, y\",0,0.2\n\"a \"\"b\"\"\",0.2,0\n", "upgma"),
            "('x, y':0.1,'a \"b\"':0.1)"));
  program.directory().write("a.fa", ">a\nACGTACGT\n>b\nACGAACGT\n>c\nACCAACGA\n");
  for (const char* format : {"phylip", "phylip-lower", "tsv", "csv"}) {
    CAPTURE(format);
    CHECK(program.run({"dist", "--aligned", "a.fa", "-f", format, "-o", "m"}).exit_code == 0);
    CHECK(program.run({"tree", "--from-distances", "m"}).out ==
          "(c:0.15625,(b:0.0625,a:0.0625):0.09375);\n");
  }
  CHECK(tree("\xef\xbb\xbfname, x y ,b\r\nx y,0, 0.2\r\n b ,0.2,0", "upgma") ==
        "('x y':0.1,b:0.1);\n");
  CHECK(tree("2\nHomo sapie 0 0.2\nHomo erect 0.2 0\n", "upgma") ==
        "('Homo sapie':0.1,'Homo erect':0.1);\n");
  CHECK(tree("2\nHomo sapie\nHomo erect 0.2\n", "upgma") ==
        "('Homo sapie':0.1,'Homo erect':0.1);\n");
  program.directory().write("cut", "name\ta\tb\na\t0\t1\n");
  CHECK(has(program.run({"tree", "--from-distances", "cut"}).err, "2 names and 1 rows"));
}

TEST_CASE("trees: what a given tree says of its nodes is kept with them") {
  const Program program;
  program.directory().write("a.fa",
                            ">a\nACGTACGTAC\n>b\nACGTACGTCC\n>c\nACGAACGTAC\n>d\nACGAACGTCC\n"
                            ">e\nACGAACTTCC\n");
  const auto fitted = [&](const std::string& tree, std::vector<std::string> options) {
    program.directory().write("t", tree);
    options.insert(options.begin(), {"likelihood", "a.fa", "--tree", "t", "--model", "JC", "-o",
                                     "table", "--tree-out", "o"});
    const Outcome outcome = program.run(options);
    REQUIRE(outcome.exit_code == 0);
    return std::pair(file_bytes(program.directory().path("o")), outcome.err);
  };
  for (const std::string tree :
       {"((a:0.1,b:0.1)95:0.1,(c:0.1,d:0.1)'my clade':0.2,e:0.1)root;\n",
        "((d:0.1,(b:0.1,a:0.1)'it''s'[&x=1]:0.1)[90]:0.1[c],(c:0.1[l],e:0.1):0.2)r:0.5;\n",
        "[&R]((a:0.1,b:0.1)0.9/95:0.1,(c:0.1,d:0.1,e:0.1)x:0.2);\n",
        "(a:0.1,b[&y]:0.1,(c:0.1,d:0.1)50:0.1,e:0.1);\n"}) {
    CAPTURE(tree);
    const auto [same, warnings] = fitted(tree, {"--fit", "none"});
    CHECK(same == tree);
    CHECK(warnings.empty());
  }
  // Fitting leaves the shape as it is, and the three branches at the root.
  const auto [lengths, nothing] =
      fitted("((a:0.1,b:0.1)95:0.1,(c:0.1,d:0.1)x:0.1,e:0.1)r;\n", {"--fit", "lengths"});
  CHECK(lengths.starts_with("((a:"));
  CHECK(has(lengths, ")95:"));
  CHECK(has(lengths, ")x:"));
  CHECK(has(lengths, ")r;"));
  CHECK(std::count(lengths.begin(), lengths.end(), '(') == 3);
  CHECK(nothing.empty());
  // Where nodes go, or have their support, that is said.
  const auto [other, lost] = fitted("((a:0.1,e:0.1)95:0.1,(c:0.1,d:0.1)x:0.1,b:0.1);\n", {"--nni"});
  CHECK(!has(other, ")95"));
  CHECK(has(lost, "t: the labels and comments of "));
  const auto [supported, replaced] =
      fitted("((a:0.1,b:0.1)95:0.1,(c:0.1,d:0.1)x:0.1,e[n]:0.1);\n", {"--support", "abayes"});
  CHECK(!has(supported, "95:"));
  CHECK(has(supported, "e[n]:"));
  CHECK(has(replaced, "t: the labels and comments of 2 nodes are left out"));
  const auto [single, gone] = fitted("(((a:0.1,b:0.1)95:0.1)9:0.1,(c:0.1,d:0.1):0.1,e:0.1);\n", {});
  CHECK(has(single, ")95:"));
  CHECK(has(gone, "t: the labels and comments of 1 node are left out"));
  // NEXUS says beside the tree whether it has a root; a clade that --prune removes has a label.
  CHECK(fitted("#NEXUS\nbegin trees;\n tree t = [&R] ((a:0.1,b:0.1):0.1,(c:0.1,d:0.1,e:0.1):0.2);\n"
               "end;\n",
               {"--fit", "none"})
            .first == "[&R]((a:0.1,b:0.1):0.1,(c:0.1,d:0.1,e:0.1):0.2);\n");
  const auto [pruned, of_pruned] =
      fitted("((a:0.1,b:0.1)95:0.1,((c:0.1,d:0.1):0.1,(f:1,g:1)77:1):0.1,e:0.1);\n", {"--prune"});
  CHECK(has(pruned, ")95:"));
  CHECK(has(of_pruned, "t: the labels and comments of 1 node are left out"));
  // The guide tree of an alignment, and a branch that fitting adds.
  program.directory().write("t", "((a:1,b:1)95:1,(c:1,d:1)'x y':1,e:1)r;\n");
  REQUIRE(program.run({"a.fa", "--tree", "t", "--tree-out", "o"}).exit_code == 0);
  CHECK(file_bytes(program.directory().path("o")) == "((a:1,b:1)95:1,(c:1,d:1)'x y':1,e:1)r;\n");
  program.directory().write("a.fa",
                            ">a\nACGTACGTACGGTACCA\n>b\nACGTACGTACGGTACGA\n>c\n"
                            "ACGAACGTACCCTACGA\n>d\nTCGAACTTCCCCTTCCA\n>e\nTCGAACTTCCGCTTCGA\n");
  CHECK(has(fitted("((a:1,b:1,c:1)95:1,(d:1,e:1):1);", {"--fit", "lengths"}).second,
            "t: 1 branch is added where nodes have more than two children"));
}
