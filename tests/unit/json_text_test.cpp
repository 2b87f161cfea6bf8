// SPDX-License-Identifier: Apache-2.0
#include "io/files/json_text.hpp"

#include <doctest/doctest.h>

#include <string>

#include "accord/base/error.hpp"
#include "support/scratch.hpp"

using namespace accord;
using accord::testing::error_of;

namespace {

std::string complaint(const std::string& text) {
  const Error error = error_of([&] { parse_json(text, "a.json", "a hint"); });
  CHECK(error.kind() == ErrorKind::bad_input);
  CHECK(error.hint() == "a hint");
  return error.what();
}

std::string repeated(const std::string& part, int count) {
  std::string text;
  for (int k = 0; k < count; ++k) text += part;
  return text;
}

}  // namespace

TEST_CASE("json text: what is no JSON is named with its line, in no words of the library") {
  CHECK(complaint("") == "a.json:1: not valid JSON");
  CHECK(complaint("{\n\"a\": 1,\n}") == "a.json:3: not valid JSON");
  CHECK(complaint("[1e999]") == "a.json: a number that is too large");
  CHECK(complaint("[\"\xff\"]") == "a.json:1: not valid JSON");
}

TEST_CASE("json text: neither depth nor width of a text takes the program") {
  for (const std::string open : {"[", "{\"a\":", "[{\"]\":"}) {
    CHECK(complaint("[\n" + repeated(open, 300'000)) == "a.json:2: JSON that is nested too deep");
  }
  CHECK(parse_json(repeated("[", 100) + repeated("]", 100), "a.json", "").is_array());
  CHECK(complaint(repeated("[", 101) + repeated("]", 101)) ==
        "a.json:1: JSON that is nested too deep");
  // Brackets and colons in a text are letters.
  const std::string letters = repeated("[{:\\\"", 20'000);
  CHECK(parse_json("[\"" + letters + "\"]", "a.json", "").size() == 1);
  std::string wide;
  for (int k = 0; k < 10'000; ++k) wide += "\"" + std::to_string(k) + "\":1,";
  CHECK(parse_json("{" + wide.substr(0, wide.size() - 1) + "}", "a.json", "").size() == 10'000);
  CHECK(complaint("{" + wide + "\"x\":1}") == "a.json:1: a JSON object with too many entries");
  // Lists of many objects are not wide.
  CHECK(parse_json("[" + repeated("{\"a\":1},", 20'000) + "{}]", "a.json", "").size() == 20'001);
}

TEST_CASE("json text: what a value lacks is said in a few words") {
  const nlohmann::ordered_json json = {{"a", 1}};
  const auto problem = [](const auto& read) {
    try {
      read();
    } catch (const nlohmann::ordered_json::exception& error) {
      return json_problem(error);
    }
    return std::string("none");
  };
  CHECK(problem([&] { json.at("it's"); }) == "'it's' is missing");
  CHECK(problem([&] { json.at("a").get<std::string>(); }) ==
        "an entry has another type than it should have");
  CHECK(problem([&] { json.at("a").at("b"); }) == "an entry has another type than it should have");
}
