// SPDX-License-Identifier: Apache-2.0
// The C++ interface; tests/install compiles its example, tests/python compares with the program.
#include "accord/api/api.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "base/log.hpp"
#include "support/paths.hpp"
#include "support/scratch.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

const std::vector<api::Sequence> kFamily = {
    {"a first", "MKVLAAGIVGLPTWERNDKK"}, {"b", "MKVLAGIVGPTWERNDK"}, {"c", "MRVLAAGLVGLPTYERDKK"}};

/// How often devices are looked for while `body` runs: once whenever some are opened.
template <class Body>
std::size_t openings(const Body& body) {
  std::size_t count = 0;
  set_log_sink([&](LogLevel, const std::string& text, const std::string&) {
    if (text.starts_with("listing ")) ++count;
  });
  body();
  set_log_sink({});
  return count;
}

const std::string kExample = source_dir() + "/datasets/example.fa";

}  // namespace

TEST_CASE("api: an alignment has rows, tree, report and, if asked for, the confidence") {
  api::Options options;
  options.confidence = true;
  const api::Alignment alignment = api::align(kFamily, options);
  CHECK(alignment.letters == api::Letters::protein);
  CHECK(alignment.tree.ends_with(";\n"));
  const std::size_t columns = alignment.rows.at(0).letters.size();
  REQUIRE(alignment.column_confidence.size() == columns);
  REQUIRE(alignment.residue_confidence.size() == 3 * columns);
  for (std::size_t k = 0; k < 3; ++k) {
    CHECK(alignment.rows[k].name == kFamily[k].name);
    for (std::size_t c = 0; c < columns; ++c) {
      const bool is_gap = alignment.rows[k].letters[c] == '-';
      CHECK(std::isnan(alignment.residue_confidence[k * columns + c]) == is_gap);
    }
  }
  const auto report = nlohmann::json::parse(alignment.report);
  CHECK(report["confidence"]["mean"] == alignment.mean_confidence);
  CHECK(report["output"]["path"].is_null());
  CHECK(report["output"]["columns"] == columns);
  const api::Alignment without = api::align(kFamily);
  CHECK(without.column_confidence.empty());
  CHECK(without.residue_confidence.empty());
}

TEST_CASE("api: an alignment is written in any format, also after a caller changed it") {
  api::Alignment alignment = api::align(kFamily);
  CHECK(api::format(alignment, "fasta").starts_with(">a first\n"));
  CHECK(api::format(alignment, "clustal").starts_with("CLUSTAL"));
  CHECK_THROWS_AS(api::format(alignment, "pir"), const Error&);  // read only
  CHECK_THROWS_AS(api::format(alignment, "html"), const Error&);
  alignment.rows.pop_back();
  CHECK(api::format(alignment, "fasta").find(">c") == std::string::npos);
  alignment.rows[0].letters += 'K';
  CHECK_THROWS_AS(api::format(alignment, "fasta"), const Error&);
}

TEST_CASE("api: files are read as the program reads them") {
  const api::Alignment alignment = api::align_files({kExample});
  const auto files = nlohmann::json::parse(alignment.report)["input"]["files"];
  REQUIRE(files.size() == 1);
  CHECK(files[0]["path"] == kExample);
  try {
    api::align_files({kExample + ".missing"});
    FAIL("a missing file was read");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::no_input);
  }
}

TEST_CASE("api: warnings belong to the call that made them") {
  const std::size_t before = logged_warnings().size();
  const std::vector<api::Sequence> twice = {{"a", "MKVLAAGIV"}, {"a", "MKVLAGIV"}};
  std::vector<std::size_t> warnings(4);
  std::vector<std::thread> threads;
  for (std::size_t k = 0; k < warnings.size(); ++k) {
    threads.emplace_back(
        [&, k] { warnings[k] = api::align(k % 2 == 0 ? twice : kFamily).warnings.size(); });
  }
  for (std::thread& thread : threads) thread.join();
  CHECK(warnings == std::vector<std::size_t>{1, 0, 1, 0});
  CHECK(logged_warnings().size() == before);
  CHECK(api::align(twice).warnings.at(0).text.find("a_2") != std::string::npos);
}

TEST_CASE("api: what progress throws ends the call; too large a family is refused") {
  struct Enough {};
  api::Options options;
  std::atomic<int> reported{0};
  options.progress = [&](const std::string& stage, double done) {
    CHECK(!stage.empty());
    CHECK(done >= 0);
    CHECK(done <= 1);
    if (++reported == 3) throw Enough{};
  };
  CHECK_THROWS_AS(api::align(kFamily, options), const Enough&);
  options.progress = {};
  options.memory = 1 << 20;
  const std::string letters(30000, 'A');
  try {
    api::align({{"x", letters}, {"y", letters + "W"}}, options);
    FAIL("a family was aligned in too little memory");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::out_of_memory);
    CHECK(!error.hint().empty());
  }
}

TEST_CASE("api: calls at the same time share a device that is open") {
  const api::Alignment expected = api::align(kFamily);
  api::Options options;
  options.device = "auto";
  CHECK(openings([&] {
          for (int k = 0; k < 2; ++k) api::align(kFamily, options);
        }) == 2);
  const std::size_t opened = openings([&] {
    options.open_device = api::OpenDevice(options.device, 2);
    CHECK(options.open_device->warnings().empty());
    std::vector<std::thread> threads;
    std::vector<api::Alignment> made(4);
    for (std::size_t k = 0; k < made.size(); ++k) {
      threads.emplace_back([&, k] { made[k] = api::align(kFamily, options); });
    }
    for (std::thread& thread : threads) thread.join();
    for (const api::Alignment& alignment : made) {
      CHECK(api::format(alignment, "fasta") == api::format(expected, "fasta"));
      const auto report = nlohmann::json::parse(alignment.report);
      CHECK(report["compute"]["faults"]["faults"] == 0);
    }
  });
  CHECK(opened == 1);
  api::Options crowded;
  crowded.threads = 1025;
  for (const Error& refused : {error_of([&] { api::align(kFamily, crowded); }),
                               error_of([] { api::OpenDevice("none", 1025); })}) {
    CHECK(refused.kind() == ErrorKind::usage);
    CHECK(std::string(refused.what()) == "threads 1025: too large");
    CHECK(refused.hint() == "use 1024 or less");
  }
  const Error error = error_of([] { api::OpenDevice("no such device"); });
  CHECK(error.kind() == ErrorKind::device_unavailable);
}

TEST_CASE("api: what progress throws ends its own call, and no other on the device") {
  struct Enough {};
  api::Options options, ended;
  options.open_device = ended.open_device = api::OpenDevice("none");
  ended.progress = [](const std::string&, double) { throw Enough{}; };
  CHECK_THROWS_AS(api::align(kFamily, ended), const Enough&);
  CHECK(api::format(api::align(kFamily, options), "fasta") ==
        api::format(api::align(kFamily), "fasta"));
}
