// SPDX-License-Identifier: Apache-2.0
// Options in the hints of the library: every one is there, and each interface has its own words.
#include "base/option_words.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "accord/api/api.hpp"
#include "app/cli/command.hpp"
#include "app/cli/messages.hpp"
#include "support/paths.hpp"
#include "support/scratch.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

namespace fs = std::filesystem;

/// The literals of a C++ file, those that stand side by side as one.
std::vector<std::string> literals_of(const std::string& path) {
  static const std::regex kQuoteMark(R"('\\?"')"), kComment(R"((^|\s)//[^\n]*)"),
      kParts("\"[ \t\n]+\""), kLiteral(R"x("((?:[^"\\\n]|\\.)*)")x");
  std::string text = std::regex_replace(file_bytes(path), kQuoteMark, "0");
  text = std::regex_replace(std::regex_replace(text, kComment, "$1"), kParts, "");
  std::vector<std::string> literals;
  for (std::sregex_iterator at(text.begin(), text.end(), kLiteral), end; at != end; ++at) {
    literals.push_back((*at)[1]);
  }
  return literals;
}

}  // namespace

TEST_CASE("option words: the library names options of the table, in braces alone") {
  std::set<std::string> options;
  for (const Command& command : all_commands()) {
    for (const OptionSpec& option : command.options) options.insert(option.name);
  }
  static const std::regex kPlaceholder(R"(\{([a-z][a-z-]*)(=[^{}]*)?\})"), kOption("--[a-z]");
  std::size_t found = 0;
  const fs::path source = fs::path(source_dir()) / "src";
  for (const auto& entry : fs::recursive_directory_iterator(source)) {
    const std::string path = entry.path().string();
    if (!path.ends_with(".cpp") && !path.ends_with(".hpp")) continue;
    CAPTURE(path);
    for (const std::string& text : literals_of(path)) {
      CAPTURE(text);
      if (!path.starts_with((source / "app").string())) {
        CHECK_FALSE(std::regex_search(text, kOption));
      }
      for (std::sregex_iterator at(text.begin(), text.end(), kPlaceholder), end; at != end; ++at) {
        CHECK_MESSAGE(options.contains((*at)[1]), (*at)[1].str());
        ++found;
      }
    }
  }
  CHECK(found > 30);
}

TEST_CASE("option words: the command line has dashes") {
  CHECK(command_line_hint("leave out {tree}, or try {large=never}") ==
        "leave out --tree, or try '--large never'");
  CHECK(command_line_hint("{device=none} needs none") == "'--device none' needs none");
  for (const char* plain : {"", "nothing", "open {", "shut }"}) {
    CHECK(command_line_hint(plain) == plain);
  }
}

TEST_CASE("option words: those of the C++ interface, and of Python, are its own") {
  const auto hint_of = [](const std::string& letters, api::Options options) {
    return error_of([&] { api::align({{"a", letters}, {"b", letters}}, options); }).hint();
  };
  api::Options little;
  little.memory = 1 << 20;
  CHECK(hint_of(std::string(30000, 'W'), little).ends_with("raise memory"));
  const Error mixed = error_of([] {
    api::align({{"a", std::string(40, 'A') + std::string(40, 'C')},
                {"b", "MKWLLIFEPQRSTVMKWLLIFEPQRSTV"}});
  });
  CHECK(mixed.hint() == "align them apart, or say what they all are with type");
}
