// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include "app/cli/help.hpp"

using namespace accord;

TEST_CASE("suggestions: the nearest word, if it is near") {
  const std::vector<std::string> words = {"align", "batch", "tree", "dist", "threads"};
  CHECK(meant_word("alignn", words) == "align");
  CHECK(meant_word("lagin", words) == "align");
  CHECK(meant_word("tere", words) == "tree");
  CHECK(meant_word("thread", words) == "threads");
  CHECK(meant_word("align", words).empty());
  CHECK(meant_word("in.fa", words).empty());
  CHECK(meant_word("t", words).empty());
  CHECK(meant_word("trio", words).empty());
}

TEST_CASE("suggestions: a word of the list within a longer one") {
  const std::vector<std::string> words = {"o", "out", "html", "tree", "format", "in-format"};
  CHECK(contained_word("output", words) == "out");
  CHECK(contained_word("guide-tree", words) == "tree");
  CHECK(contained_word("out-format", words) == "format");
  CHECK(contained_word("html-out", words) == "html");
  CHECK(contained_word("street", words).empty());
  CHECK(contained_word("own", words).empty());
}
