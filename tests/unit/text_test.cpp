// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"

#include <doctest/doctest.h>

using namespace accord;

TEST_CASE("text: printf to a string of any length") {
  CHECK(formatted("%s %.2f %d%%", "x", 0.125, 7) == "x 0.12 7%");
  CHECK(formatted("%s", std::string(1000, 'a').c_str()) == std::string(1000, 'a'));
  CHECK(formatted("%s", "").empty());
}

TEST_CASE("text: a number with its noun") {
  CHECK(counted(1, "row") == "1 row");
  CHECK(counted(0, "row") == "0 rows");
  CHECK(counted(1, "row is", "rows are") == "1 row is");
  CHECK(counted(20, "row is", "rows are") == "20 rows are");
}

TEST_CASE("text: the parts between separators, one more than there are separators") {
  using Parts = std::vector<std::string_view>;
  CHECK(split("a,bc,", ',') == Parts{"a", "bc", ""});
  CHECK(split("", ',') == Parts{""});
  CHECK(split("a b", ',') == Parts{"a b"});
}

TEST_CASE("text: small letters for capital ones") {
  CHECK(lower_case("aBZ-9\xc3\x84") == "abz-9\xc3\x84");
}

TEST_CASE("text: a number of bytes in the largest unit that it fills") {
  CHECK(format_bytes(1) == "1 byte");
  CHECK(format_bytes(833) == "833 bytes");
  CHECK(format_bytes(1024) == "1 KiB");
  CHECK(format_bytes(1025) == "2 KiB");
  CHECK(format_bytes(1024 * 1024 - 1) == "1 MiB");
  CHECK(format_bytes(14.5 * 1024 * 1024) == "15 MiB");
  CHECK(format_bytes(3.2 * 1024 * 1024 * 1024) == "3.2 GiB");
  CHECK(format_bytes(0) == "0 bytes");
}
