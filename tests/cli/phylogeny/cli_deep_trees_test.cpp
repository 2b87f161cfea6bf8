// SPDX-License-Identifier: Apache-2.0
// Trees that are chains of all their leaves, read, fitted, improved and written with a small stack:
// whatever called itself for each node would overflow it, and take a caller's process along.
#include <doctest/doctest.h>

#include <string>

#include "cli/program.hpp"

namespace accord::testing {
namespace {

/// A tree ((((s0,s1),s2),s3),...) with lengths.
std::string comb(int leaves) {
  std::string text(static_cast<std::size_t>(leaves - 1), '(');
  text += "s0:0.1";
  for (int k = 1; k < leaves; ++k) {
    text += ",s" + std::to_string(k) + ":0.1)" + (k + 1 < leaves ? ":0.01" : ";\n");
  }
  return text;
}

/// Aligned rows of its leaves, of `columns` columns.
std::string rows(int leaves, int columns) {
  std::string text;
  for (int k = 0; k < leaves; ++k) {
    text += ">s" + std::to_string(k) + "\n";
    for (int c = 0; c < columns; ++c) text += "ACGT"[(k * (c + 3) / 7 + c) % 4];
    text += '\n';
  }
  return text;
}

const std::string kSmallStack = "ulimit -s 256; export ACCORD_DEVICE=none; ";

}  // namespace

TEST_CASE("deep trees: a chain of 60,000 leaves is read, fitted and written") {
  const Program program;
  program.directory().write("rows.fa", rows(60'000, 4));
  program.directory().write("comb.nwk", comb(60'000));
  program.directory().write("comb.nex",
                            "#NEXUS\nbegin trees;\ntree t = " + comb(60'000) + "end;\n");
  for (const char* words :
       {"comb.nwk --fit none", "comb.nex --fit none", "comb.nwk --fit lengths"}) {
    CAPTURE(words);
    const Outcome fitted =
        program.shell(kSmallStack +
                      "$accord likelihood rows.fa --model JC -q --tree-out out.nwk "
                      "--tree " +
                      words);
    CHECK_MESSAGE(fitted.exit_code == 0, fitted.err);
    CHECK(has(fitted.out, "log_likelihood"));
    CHECK(program.shell("tr -cd '(' <out.nwk | wc -c").out == "59999\n");
  }
  // The tree of an alignment of fewer sequences.
  program.directory().write("few.fa", ">s0\nACGT\n>s59999\nACGA\n>s7\nACCT\n");
  CHECK(program
            .shell(kSmallStack + "$accord likelihood few.fa --model JC -q --prune --fit none "
                                 "--tree comb.nwk")
            .exit_code == 0);
}

TEST_CASE("deep trees: interchanges along a chain of 3,000 leaves") {
  const Program program;
  program.directory().write("rows.fa", rows(3'000, 4));
  program.directory().write("comb.nwk", comb(3'000));
  const Outcome improved = program.shell(
      "ulimit -s 128; $accord likelihood rows.fa --model JC -q -d none --tree comb.nwk "
      "--fit lengths --nni --tree-out out.nwk");
  CHECK_MESSAGE(improved.exit_code == 0, improved.err);
  CHECK(program.shell("tr -cd '(' <out.nwk | wc -c").out == "2999\n");
}

TEST_CASE("deep trees: an alignment along a chain, its tree and its page") {
  const Program program;
  program.directory().write("in.fa", rows(800, 12));
  program.directory().write("comb.nwk", comb(800));
  const Outcome aligned = program.shell(
      "ulimit -s 128; $accord in.fa -q -d none --tree comb.nwk --large never --consistency 0 "
      "--refine 1 -o out.fa --order tree --tree-out out.nwk --html out.html");
  CHECK_MESSAGE(aligned.exit_code == 0, aligned.err);
  CHECK(program.shell("tr -cd '(' <out.nwk | wc -c").out == "799\n");
  CHECK(program.shell("ulimit -s 128; $accord trim out.fa -q -d none -o /dev/null --html t.html")
            .exit_code == 0);
  CHECK(program.shell("ulimit -s 128; $accord dist -q -d none --aligned out.fa -o /dev/null")
            .exit_code == 0);
}

}  // namespace accord::testing
