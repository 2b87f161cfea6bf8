// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <string>
#include <vector>

#include "io/families/input_files.hpp"
#include "support/scratch.hpp"

using namespace accord;
using namespace accord::testing;

TEST_CASE("structures: a file whose name has a colon is one file, and no chain of another") {
  const ScratchDirectory work;
  work.write("f:g", "");
  const std::vector<InputFile> files = files_of_inputs({work.path("f:g")});
  REQUIRE(files.size() == 1);
  CHECK(files[0].path == work.path("f:g"));
  CHECK(files[0].chains.empty());
}
