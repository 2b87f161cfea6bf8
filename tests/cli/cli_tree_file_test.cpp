// SPDX-License-Identifier: Apache-2.0
// Trees and distances as other programs write them.
#include <doctest/doctest.h>

#include <algorithm>

#include "cli/program.hpp"

using namespace accord;
using namespace accord::testing;

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
  CHECK(has(program.run({"tree", "--from-distances", "cut"}).err, "2 names and 1 row"));
}

TEST_CASE("trees: what a given guide tree says of its nodes is kept with them") {
  const Program program;
  program.directory().write("a.fa",
                            ">a\nACGTACGTAC\n>b\nACGTACGTCC\n>c\nACGAACGTAC\n>d\nACGAACGTCC\n"
                            ">e\nACGAACTTCC\n");
  program.directory().write("t", "((a:1,b:1)95:1,(c:1,d:1)'x y':1,e:1)r;\n");
  REQUIRE(program.run({"a.fa", "--tree", "t", "--tree-out", "o"}).exit_code == 0);
  CHECK(file_bytes(program.directory().path("o")) == "((a:1,b:1)95:1,(c:1,d:1)'x y':1,e:1)r;\n");
}
