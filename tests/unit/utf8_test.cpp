// SPDX-License-Identifier: Apache-2.0
#include "io/files/utf8.hpp"

#include <doctest/doctest.h>

using namespace accord;

TEST_CASE("utf8: well-formed texts, and those that are none") {
  for (const char* text : {"", "abc", "M\xc3\xbcller", "\xe6\x97\xa5\xe6\x9c\xac",
                           "\xf0\x9f\xa7\xac", "\xed\x9f\xbf", "\xf4\x8f\xbf\xbf"}) {
    CAPTURE(text);
    CHECK(is_utf8(text));
    CHECK(as_utf8(text) == text);
  }
  // A lone byte, a cut one, longer than needed, a surrogate, beyond the last code point.
  for (const char* text : {"M\xfcller", "\xe6\x97", "\x80", "\xc0\xaf", "\xe0\x80\xaf",
                           "\xed\xa0\x80", "\xf4\x90\x80\x80", "\xf5\x80\x80\x80"}) {
    CHECK_FALSE(is_utf8(text));
    CHECK(is_utf8(as_utf8(text)));
  }
  CHECK(as_utf8("M\xfcller") == "M\xc3\xbcller");
}

TEST_CASE("utf8: characters are counted as readers do") {
  CHECK(display_width("abc") == 3);
  CHECK(display_width("\xe6\x97\xa5\xe6\x9c\xac") == 2);
  CHECK(display_width("M\xfcller") == 6);
}
