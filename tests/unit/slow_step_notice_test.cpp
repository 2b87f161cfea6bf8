// SPDX-License-Identifier: Apache-2.0
#include <doctest/doctest.h>

#include <future>
#include <optional>
#include <string>
#include <utility>

#include "run/devices/standstill_watch.hpp"

using namespace accord;

namespace {

/// What is said first.
std::string first_line(std::optional<double> last_seconds) {
  std::promise<std::string> first_line;
  bool has_line = false;
  std::future<std::string> line = first_line.get_future();
  const SlowStepNotice notice("getting gpu0 ready", last_seconds, 1e-3,
                              [&](const std::string& text) {
                                if (!has_line) first_line.set_value(text);
                                has_line = true;
                              });
  return line.get();
}

}  // namespace

TEST_CASE("slow step notice: what takes long is said, and how long it took the last time") {
  // How many seconds these are depends on how busy the machine is.
  for (const auto& [last_seconds, end] :
       {std::pair<std::optional<double>, std::string>{{}, " s, the first time only"},
        {75.2, " s; last time 75 s"}}) {
    const std::string line = first_line(last_seconds), start = "getting gpu0 ready for ";
    CAPTURE(line);
    REQUIRE(line.size() > start.size() + end.size());
    CHECK(line.starts_with(start));
    CHECK(line.ends_with(end));
    const std::string seconds = line.substr(start.size(), line.size() - start.size() - end.size());
    CHECK(seconds.find_first_not_of("0123456789") == seconds.npos);
  }
}

TEST_CASE("slow step notice: what ends at once is not mentioned") {
  int lines = 0;
  {
    const SlowStepNotice notice("x", std::nullopt, 1e6, [&](const std::string&) { ++lines; });
  }
  CHECK(lines == 0);
}
