// SPDX-License-Identifier: Apache-2.0
#include "run/devices/slow_step_notice.hpp"

#include <doctest/doctest.h>

#include <future>

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
  CHECK(first_line(std::nullopt) == "getting gpu0 ready for 0 s, the first time only");
  CHECK(first_line(75.2) == "getting gpu0 ready for 0 s; last time 75 s");
}

TEST_CASE("slow step notice: what ends at once is not mentioned") {
  int lines = 0;
  {
    const SlowStepNotice notice("x", std::nullopt, 1e6, [&](const std::string&) { ++lines; });
  }
  CHECK(lines == 0);
}
