// SPDX-License-Identifier: Apache-2.0
#include "accord/cli/suggestions.hpp"

#include <doctest/doctest.h>

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
