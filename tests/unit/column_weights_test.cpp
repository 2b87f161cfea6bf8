// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <limits>

#include "io/formats/confidence_writer.hpp"

using namespace accord;

TEST_CASE("column weights: 100 c, rounded, and never 0") {
  const float nan = std::numeric_limits<float>::quiet_NaN();
  CHECK(column_weights({1.0F, 0.5F, 0.746F, 0.0149F, 0.004F, 0.0F, nan}) ==
        std::vector<int>{100, 50, 75, 1, 1, 1, 1});
  CHECK(column_weights({}).empty());
  CHECK(format_weights({100, 1, 75}) == "100\n1\n75\n");
}
