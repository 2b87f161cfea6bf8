// SPDX-License-Identifier: Apache-2.0
#include "base/checked_size.hpp"

#include <doctest/doctest.h>

using namespace accord;

TEST_CASE("checked size: a size that no object can have is refused") {
  CHECK(checked_size(0) == 0);
  CHECK(checked_size(PTRDIFF_MAX) == std::size_t{PTRDIFF_MAX});
  CHECK_THROWS_AS(checked_size(std::uint64_t{PTRDIFF_MAX} + 1), std::bad_alloc);
  CHECK_THROWS_AS(checked_size(UINT64_MAX), std::bad_alloc);
}
