// SPDX-License-Identifier: Apache-2.0
// Ensemble FASTA, and what it is not.
#include "io/formats/efa.hpp"

#include <doctest/doctest.h>

#include <string>

using namespace accord;

TEST_CASE("EFA: the alignments of a text, whatever its line ends") {
  for (const std::string end : {"\n", "\r\n", "\r"}) {
    CAPTURE(end.size());
    const std::string one = ">a <b" + end + "MK-" + end + ">b" + end + "MKV" + end;
    const std::string two = end + ">a" + end + "MK" + end;
    const std::string text = end + "< p0.t0 " + end + one + "<p0.t1" + end + two;
    CHECK(is_efa(text));
    const std::vector<EfaReplicate> replicates = efa_replicates(text);
    REQUIRE(replicates.size() == 2);
    CHECK(replicates[0].name == "p0.t0");
    CHECK(replicates[0].rows == end + one);
    CHECK(replicates[1].name == "p0.t1");
    CHECK(replicates[1].rows == end + two);
  }
}

TEST_CASE("EFA: XML and FASTA are not") {
  for (const char* text : {"", "\n", "<", "<a", "<a\n", "<a\nMKV\n", ">a\nMKV\n",
                           "<?xml version=\"1.0\"?>\n<macsim>\n", "<macsim>\n>a\n",
                           "<macsim\n>\n<alignment>\n", " <a\n>b\nMKV\n"}) {
    CAPTURE(text);
    CHECK_FALSE(is_efa(text));
    CHECK(efa_replicates(text).empty());
  }
}
