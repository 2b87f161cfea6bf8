// SPDX-License-Identifier: Apache-2.0
#include "io/files/utf8.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "io/files/text_input.hpp"

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

TEST_CASE("utf8: messages show names in UTF-8 and in Latin-1, and no control character") {
  CHECK(printable("Epichlo\xc3\xab") == "Epichlo\xc3\xab");
  CHECK(printable("Epichlo\xeb") == "Epichlo\xc3\xab");
  CHECK(printable("\xe6\x97\xa5\xeb") == "\xe6\x97\xa5\xc3\xab");
  CHECK(printable("a\x1b[2Jb\x7f\n") == "a\\x1B[2Jb\\x7F\\x0A");
  CHECK(printable("\xc2\x85 \x85") == "\\x85 \\x85");  // also controls
  CHECK(printable("\xe2\x80\xae"
                  "abc") == "\\u202Eabc");  // from right to left
  CHECK(printable(std::string_view("a\0b", 3)) == "a\\x00b");
}

TEST_CASE("utf8: a name is cut between characters") {
  const std::string long_name = std::string(39, 'a') + "\xc3\xab" + "b";
  CHECK(quote(long_name) == '"' + std::string(39, 'a') + "...\"");
  CHECK(quote(std::string(38, 'a') + "\xc3\xab") == '"' + std::string(38, 'a') + "\xc3\xab\"");
  CHECK(quote(std::string(40, '\xeb') + "x").size() == 2 + 80 + 3);
  CHECK(first_characters("\xc3\xab\xc3\xab", 3) == "\xc3\xab");
}
