// SPDX-License-Identifier: Apache-2.0
// Options in the hints of the library: every one is there, and each interface has its own words.
#include <doctest/doctest.h>

#include <filesystem>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include "accord/api/api.hpp"
#include "app/all_commands.hpp"
#include "app/cli/messages.hpp"
#include "base/text.hpp"
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
  const bool has_phylogeny = options.contains("spr");
  if (!has_phylogeny)
    options.insert("fit");  // a hint of io/trees/newick about trees of likelihoods
  static const std::regex kPlaceholder(R"(\{([a-z][a-z-]*)(=[^{}]*)?\})"), kOption("--[a-z]"),
      kCommandLine("'accord [^']*'");
  std::size_t found = 0;
  const fs::path source = fs::path(source_dir()) / "src";
  for (const auto& entry : fs::recursive_directory_iterator(source)) {
    const std::string path = entry.path().string();
    if (!path.ends_with(".cpp") && !path.ends_with(".hpp")) continue;
    const auto is_in = [&](const char* folder) {
      return path.starts_with((source / folder / "").string());
    };
    if (is_in("phylogeny") && !has_phylogeny) continue;
    const bool is_program = is_in("app") || is_in("bench") || is_in("phylogeny/app");
    if (is_program) continue;  // it has dashes
    CAPTURE(path);
    for (const std::string& text : literals_of(path)) {
      CAPTURE(text);
      CHECK_FALSE(std::regex_search(std::regex_replace(text, kCommandLine, ""), kOption));
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
  for (const char* plain : {"", "nothing", "open {", "shut }", "{}", "K80{2.5}", "{A} and {b c}"}) {
    CHECK(command_line_hint(plain) == plain);
  }
}

TEST_CASE("option words: those of the C++ interface, and of Python, are its own") {
  api::Options options;
  options.memory = 1 << 20;
  const std::string letters(30000, 'W');
  CHECK(error_of([&] {
          api::align({{"a", letters}, {"b", letters}}, options);
        })
            .hint()
            .ends_with("raise memory"));
  options.memory = 0;
  options.letters = api::Letters::dna;
  options.parameters = source_dir() + "/datasets/parameters/protein.json";
  CHECK(error_of([&] {
          api::align({{"a", "ACGT"}, {"b", "ACT"}}, options);
        }).hint() == "take a parameter set for such sequences, or say with type what they are");
  const ScratchDirectory scratch;
  const std::string odd = scratch.write("odd.fa", ">a\nMK7\n");
  CHECK(error_of([&] { api::align_files({odd}); }).hint().find("; lenient leaves others out") !=
        std::string::npos);
  CHECK(error_of([&] { api::align_files({scratch.write("gaps.fa", "a\n")}); }).hint().find('{') ==
        std::string::npos);
}
