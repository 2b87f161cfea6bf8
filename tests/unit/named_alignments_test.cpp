// SPDX-License-Identifier: Apache-2.0
// Several alignments in one text, and the choice of one.
#include "io/formats/named_alignments.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "accord/base/error.hpp"

using namespace accord;

namespace {

std::string message(const std::string& text, const std::string& name) {
  try {
    text_of_alignment(text, "in", name);
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::bad_input);
    return error.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("several alignments: the replicates of EFA") {
  const std::string text = "<a\n>x\nM\n<b\n>x\nK\n<b\n>x\nV\n<c\n>x\nL\n";
  CHECK(alignments_in(text).size() == 4);
  const LabelledText found = text_of_alignment(text, "in", "a");
  CHECK(found.label == "in:a");
  CHECK(found.text == "\n>x\nM\n");
  CHECK(text_of_alignment(text, "in", "3").text == "\n>x\nV\n");
  CHECK(text_of_alignment("<a\n>x\nM\n", "in", "").text == "\n>x\nM\n");
  CHECK(message(text, "") == "in: a file with 4 alignments (a, b, b, ...)");
  CHECK(message(text, "b").ends_with("several are named \"b\""));
  for (const char* name : {"d", "0", "5", "2x", "-1", "99999999999999999999"}) {
    CHECK(message(text, name).ends_with("none is named \"" + std::string(name) + "\""));
  }
}

TEST_CASE("several alignments: Stockholm, named by ID, AC or number") {
  const std::string head = "# STOCKHOLM 1.0\n", rows = "a MK\n#=GF ID late\nb MK\n//\n";
  const std::string first = head + "#=GF AC PF1.2\n#=GF ID one\n" + rows + "\n";
  const std::string second = head + "#=GF AC PF2\r\n" + rows;
  const std::string third = head + rows;
  const std::string text = first + second + third;
  const std::vector<NamedAlignment> found = alignments_in(text);
  REQUIRE(found.size() == 3);
  CHECK(found[0].name == "one");
  CHECK(found[0].text == first);
  CHECK(found[1].name == "PF2");
  CHECK(found[1].text == second);
  CHECK(found[2].name == "3");
  CHECK(found[2].text == third);
  CHECK(text_of_alignment(text, "in", "2").label == "in:PF2");
  CHECK(message(text, "") == "in: a file with 3 alignments (one, PF2, 3)");
}

TEST_CASE("several alignments: a text with one stays as it is") {
  for (const std::string text :
       {"", "\n", "<", "<a\n", ">a\nMKV\n", "<macsim>\n>a\n", "# STOCKHOLM 1.0\na MK\n//\n",
        "# STOCKHOLM 1.0\n#=GF CC ## STOCKHOLM\na MK\n//\n", ">a\nMK\n# STOCKHOLM 1.0\n"}) {
    CAPTURE(text);
    CHECK(alignments_in(text).empty());
    CHECK(text_of_alignment(text, "in", "").text == text);
    CHECK(message(text, "a") == "in: one alignment, not several in one file");
  }
}
