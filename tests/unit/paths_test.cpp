// SPDX-License-Identifier: Apache-2.0
#include "base/paths.hpp"

#include <doctest/doctest.h>

#include <algorithm>

#include "accord/base/error.hpp"
#include "io/files/output_file.hpp"
#include "io/files/text_input.hpp"
#include "support/scratch.hpp"

using namespace accord;

namespace {

// Letters of one to four bytes in UTF-8.
const std::string kName = "a\u00e4\u03b1\u65cf\U0001f9ec";

}  // namespace

TEST_CASE("paths: the parts of a path are text") {
  CHECK(joined_path("out/x", kName + ".fa") == "out/x/" + kName + ".fa");
  CHECK(joined_path("", "b.fa") == "b.fa");
  CHECK(joined_path("out/", "b.fa") == "out/b.fa");
  CHECK(parent_path("out/x/" + kName) == "out/x");
  CHECK(parent_path(kName).empty());
  CHECK(file_name("out/" + kName + ".fa") == kName + ".fa");
  CHECK(file_name("out/").empty());
  CHECK(file_stem("out/" + kName + ".b.fa") == kName + ".b");
  CHECK(with_suffix("out.d/" + kName, ".html") == "out.d/" + kName + ".html");
  CHECK(with_suffix("out.d/b.aln", "") == "out.d/b");
  CHECK(relative_path("out/x/" + kName, "out") == "x/" + kName);
  CHECK(relative_path("x/b", "x/y") == "../b");
}

TEST_CASE("paths: a name of any letters is that of the same file for every function") {
  const testing::ScratchDirectory scratch;
  const std::string directory = joined_path(joined_path(scratch.path(""), kName), kName);
  const std::string file = directory + "/b.fa";
  CHECK_FALSE(path_exists(directory));
  CHECK_FALSE(make_directories(directory));
  CHECK(is_directory(directory));
  CHECK(existing_part(directory + "/none/none") == directory);
  write_output(file, "text");
  CHECK(read_bytes(file) == "text");
  CHECK(file_size(file) == 4U);
  CHECK_FALSE(is_directory(file));
  CHECK_FALSE(file_size(file + ".none"));
  CHECK_FALSE(link_target(file));
  CHECK(resolved_path(directory + "/../" + kName + "/b.fa") == resolved_path(file));
  CHECK(file_identity(directory + "/../" + kName + "/b.fa") == file_identity(file));

  const std::string other = directory + "/" + kName + ".fa";
  CHECK_FALSE(rename_path(file, other));
  CHECK_FALSE(make_directories(directory + "/c"));
  std::error_code error;
  std::vector<DirectoryEntry> entries = directory_entries(directory, error);
  std::ranges::sort(entries, {}, &DirectoryEntry::name);
  CHECK_FALSE(error);
  REQUIRE(entries.size() == 2);
  CHECK(entries[0].path == other);
  CHECK(entries[0].name == kName + ".fa");
  CHECK_FALSE(entries[0].is_directory);
  CHECK(entries[1].is_directory);
  CHECK_FALSE(entries[1].is_special);

  remove_path(other);
  CHECK_FALSE(path_exists(other));
  CHECK(directory_entries(other, error).empty());
  CHECK(error);
}

TEST_CASE("paths: bytes that are not UTF-8 are a name, or no file has it") {
  const std::string latin = "a\xe4.fa";
  try {
    const std::string text = text_of_path(path_of_text(latin));  // CHECK would catch the error
    CHECK(text == latin);
    CHECK_FALSE(path_exists(latin));
  } catch (const Error& error) {  // Windows
    CHECK(error.kind() == ErrorKind::no_input);
    CHECK(error.what() == "no file can have the name '" + latin + "', which is not UTF-8");
  }
}
