// SPDX-License-Identifier: Apache-2.0
#include "app/cli/progress.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <mutex>
#include <nlohmann/json.hpp>
#include <string>
#include <thread>
#include <vector>

#include "support/waiting.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

ProgressState half_way() {
  return {.stage = "posteriors",
          .unit = "pairs",
          .items = 300,
          .all_items = 1000,
          .work = 50,
          .all_work = 100,
          .seconds = 65,
          .left = 30};
}

/// Keeps the lines of a meter, which come from its thread.
class Lines {
 public:
  ProgressMeter::Sink sink() {
    return [this](const std::string& line) {
      const std::lock_guard lock(mutex_);
      lines_.push_back(line);
    };
  }
  std::vector<std::string> all() const {
    const std::lock_guard lock(mutex_);
    return lines_;
  }
  bool has(const std::string& text) const {
    const std::vector<std::string> lines = all();
    return std::any_of(lines.begin(), lines.end(), [&](const std::string& line) {
      return line.find(text) != std::string::npos;
    });
  }

 private:
  mutable std::mutex mutex_;
  std::vector<std::string> lines_;
};

}  // namespace

TEST_CASE("progress: a line has the part that is done, the rate, and the time that is left") {
  CHECK(progress_line(half_way(), ProgressStyle::plain, 79) ==
        "posteriors  50 %  300/1000 pairs  4.6/s  0:30 left");
  CHECK(progress_line(half_way(), ProgressStyle::bar, 79) ==
        "posteriors [##########..........]  50 %  300/1000 pairs  4.6/s  0:30 left");
  CHECK(progress_line(half_way(), ProgressStyle::bar, 20) == "posteriors [########");
  const auto json = nlohmann::json::parse(progress_line(half_way(), ProgressStyle::json, 20));
  CHECK(json["stage"] == "posteriors");
  CHECK(json["unit"] == "pairs");
  CHECK(json["done"] == 300);
  CHECK(json["total"] == 1000);
  CHECK(json["fraction"] == 0.5);
  CHECK(json["elapsed_s"] == 65);
  CHECK(json["left_s"] == 30);
}

TEST_CASE("progress: what is not known is not shown; what was done twice is not more than all") {
  ProgressState state{.stage = "align", .seconds = 7265};
  CHECK(progress_line(state, ProgressStyle::bar, 79) == "align  for 2:01:05");
  CHECK(nlohmann::json::parse(progress_line(state, ProgressStyle::json, 79))["left_s"].is_null());
  state = half_way();
  state.items = 0;  // the first of the items is half done: there is no rate of items yet
  CHECK(progress_line(state, ProgressStyle::plain, 79) ==
        "posteriors  50 %  0/1000 pairs  0:30 left");
  state.items = 300;
  state.left = -1;
  CHECK(progress_line(state, ProgressStyle::plain, 79) ==
        "posteriors  50 %  300/1000 pairs  4.6/s  for 1:05");
  state.items = 1200;
  state.work = 120;
  CHECK(state.fraction() == 1);
  CHECK(progress_line(state, ProgressStyle::plain, 79).find("100 %  1000/1000 pairs") !=
        std::string::npos);
}

TEST_CASE("progress: the time left is that of the whole run") {
  using doctest::Approx;
  RunTime time;
  time.begin("posteriors", 0);
  CHECK(time.left(0.5, 10) < 0);  // stages that are not known say nothing of the run
  // A machine of half the speed that is expected.
  time.expect({{"posteriors", 100}, {"consistency", 50}, {"refine", 400}});
  time.begin("posteriors", 0);
  CHECK(time.left(0, 1) < 0);
  CHECK(time.left(0.0005, 1) < 0);  // the first families of a batch are small
  CHECK(time.left(0.5, 100) == Approx(100 + 2 * 450).epsilon(0.01));
  CHECK(time.left(0.999, 199.8) == Approx(900).epsilon(0.01));
  time.begin("tree", 200);  // takes no time that is worth a line
  CHECK(time.left(0, 0) == Approx(900).epsilon(0.01));
  time.begin("refine", 0.1);  // there is no consistency
  CHECK(time.left(0.25, 200) == Approx(600).epsilon(0.01));
  CHECK(time.left(0, 900) == 0);  // later than expected
}

TEST_CASE("progress: the speed of a device says nothing of what only the host computes") {
  using doctest::Approx;
  RunTime time;
  time.expect({{"posteriors", 100, true}, {"consistency", 100, true}, {"refine", 20, false}});
  time.begin("posteriors", 0);
  CHECK(time.left(0.5, 0.5) == Approx(0.5 + 1 + 20).epsilon(0.1));
  time.begin("consistency", 1);
  time.begin("refine", 1);
  CHECK(time.left(0, 1) == Approx(19).epsilon(0.01));
  CHECK(time.left(0.5, 18) == Approx(18).epsilon(0.01));
}

TEST_CASE("progress: a bar is for terminals, lines for everything else, unless asked otherwise") {
  CHECK(chosen_style(ProgressStyle::automatic, true) == ProgressStyle::bar);
  CHECK(chosen_style(ProgressStyle::automatic, false) == ProgressStyle::plain);
  CHECK(chosen_style(ProgressStyle::none, true) == ProgressStyle::none);
  CHECK(chosen_style(ProgressStyle::json, true) == ProgressStyle::json);
  CHECK(times_of(ProgressStyle::bar).first >= 1);
  CHECK(times_of(ProgressStyle::bar).every >= 0.2);
  CHECK(times_of(ProgressStyle::plain).every >= 10);
}

TEST_CASE("progress: short runs show nothing, long ones each stage, and the bar goes at the end") {
  Lines lines;
  {
    ProgressMeter meter(ProgressStyle::plain, {60, 60}, lines.sink());
    meter.begin("posteriors", "pairs", 10, 100);
    meter.advance(10, 100);
  }
  CHECK(lines.all().empty());
  {
    ProgressMeter meter(ProgressStyle::bar, {0.01, 0.01}, lines.sink());
    CHECK(lines.all().empty());  // no stage has begun
    meter.begin("posteriors", "pairs", 4, 400);
    std::vector<std::thread> threads;
    for (int k = 0; k < 4; ++k) threads.emplace_back([&meter] { meter.advance(1, 100); });
    for (std::thread& thread : threads) thread.join();
    wait_until([&] { return lines.has("4/4 pairs"); });
    meter.begin("align", {}, 0, 0);
    wait_until([&] { return lines.has("align  for 0:"); });
  }
  const std::vector<std::string> shown = lines.all();
  REQUIRE(shown.size() >= 3);
  CHECK(shown[shown.size() - 2].starts_with("align  for 0:"));
  CHECK(shown.back().empty());
}

TEST_CASE("progress: a meter that shows nothing costs nothing and needs no stage") {
  ProgressMeter meter;
  meter.begin("posteriors", "pairs", 1, 1);
  meter.advance(1, 1);
}
