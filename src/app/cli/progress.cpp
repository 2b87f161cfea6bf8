// SPDX-License-Identifier: Apache-2.0
#include "app/cli/progress.hpp"

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "app/cli/messages.hpp"
#include "base/log.hpp"
#include "base/system.hpp"
#include "base/text.hpp"

namespace accord {
namespace {

constexpr std::size_t kWidestLine = 79;

std::size_t terminal_width() {
  const std::size_t columns = terminal_columns().value_or(0);
  return columns < 2 ? kWidestLine : std::min(columns - 1, kWidestLine);
}

/// "0:07", "12:34", "2:05:00".
std::string clock(double seconds) {
  const int whole = static_cast<int>(std::clamp(seconds, 0.0, 1e9));
  const int hours = whole / 3600, minutes = whole / 60 % 60;
  return hours > 0 ? formatted("%d:%02d:%02d", hours, minutes, whole % 60)
                   : formatted("%d:%02d", minutes, whole % 60);
}

/// "3210/s", "0.4/s"
std::string rate(double items, double seconds) {
  const double value = items / std::max(seconds, 1e-3);
  return value < 10 ? formatted("%.1f/s", value) : formatted("%.0f/s", value);
}

std::string bar(double fraction) {
  constexpr std::size_t kCells = 20;
  const auto full = static_cast<std::size_t>(fraction * static_cast<double>(kCells));
  std::string text(1, '[');
  text.append(full, '#').append(kCells - full, '.');
  return text += ']';
}

std::string json_line(const ProgressState& state) {
  const auto known = [](double value, bool is_known) {
    return is_known ? nlohmann::ordered_json(value) : nlohmann::ordered_json(nullptr);
  };
  const nlohmann::ordered_json line = {{"stage", state.stage},
                                       {"unit", state.unit},
                                       {"done", state.items},
                                       {"total", state.all_items},
                                       {"fraction", known(state.fraction(), state.all_items > 0)},
                                       {"elapsed_s", state.seconds},
                                       {"left_s", known(state.left, state.left >= 0)}};
  return line.dump();
}

constexpr double kLeastPart = 1e-3;  // no estimate below: the first families of a batch are small

}  // namespace

ProgressStyle chosen_style(ProgressStyle wanted, bool is_terminal) {
  if (wanted != ProgressStyle::automatic) return wanted;
  return is_terminal ? ProgressStyle::bar : ProgressStyle::plain;
}

bool can_draw() {
  const char* terminal = std::getenv("TERM");
  return is_terminal(kStandardError) && terminal != nullptr && *terminal != '\0' &&
         std::string(terminal) != "dumb";
}

double ProgressState::fraction() const {
  if (all_work == 0) return 0;
  return std::min(1.0, static_cast<double>(work) / static_cast<double>(all_work));
}

std::string progress_line(const ProgressState& state, ProgressStyle style, std::size_t width) {
  if (style == ProgressStyle::json) return json_line(state);
  std::string line = state.stage;
  if (state.all_items > 0) {
    if (style == ProgressStyle::bar) line.append(1, ' ').append(bar(state.fraction()));
    line.append(formatted(" %3.0f %%", 100 * state.fraction())).append(2, ' ');
    line.append(std::to_string(std::min(state.items, state.all_items)));
    line.append(1, '/').append(std::to_string(state.all_items)).append(1, ' ').append(state.unit);
  }
  if (state.items > 0) line += "  " + rate(static_cast<double>(state.items), state.seconds);
  line += state.left >= 0 ? "  " + clock(state.left) + " left" : "  for " + clock(state.seconds);
  return line.substr(0, width);
}

ProgressMeter::ProgressMeter(ProgressStyle style)
    : ProgressMeter(chosen_style(style, can_draw()), times_of(chosen_style(style, can_draw())),
                    [kind = chosen_style(style, can_draw())](const std::string& line) {
                      if (kind == ProgressStyle::bar) {
                        set_status_line(line);
                      } else if (kind == ProgressStyle::json) {
                        print_line(line);
                      } else {
                        print_line(std::string("accord: ").append(line));
                      }
                    }) {
  is_asked_for_ = style != ProgressStyle::automatic;
}

ProgressMeter::ProgressMeter(ProgressStyle style, ProgressTimes times, Sink sink)
    : style_(style), times_(times), sink_(std::move(sink)) {}

ProgressMeter::~ProgressMeter() {
  if (!thread_.joinable()) return;
  {
    const std::lock_guard lock(mutex_);
    stopping_ = true;
  }
  changed_.notify_all();
  thread_.join();
  if (style_ == ProgressStyle::bar) sink_("");
}

void ProgressMeter::expect(const std::vector<ExpectedStage>& stages) {
  const std::lock_guard lock(mutex_);
  run_time_.expect(stages);
}

void ProgressMeter::begin(const std::string& stage, const std::string& unit, std::uint64_t items,
                          std::uint64_t work) {
  const std::lock_guard lock(mutex_);
  if (style_ == ProgressStyle::none) return;
  if (!thread_.joinable()) {
    try {
      thread_ = std::thread([this] { run(); });
    } catch (const std::system_error&) {
      style_ = ProgressStyle::none;
      if (!is_asked_for_) return;
      log_warning("no progress is shown: the system gives no thread for it",
                  "raise its limits (ulimit -u, ulimit -v), or say --progress none");
      return;
    }
  }
  run_time_.begin(stage, timer_.seconds());
  begun_ = {.stage = stage, .unit = unit, .all_items = items, .all_work = work};
  timer_ = Timer();
  items_ = 0;
  work_ = 0;
}

ProgressState ProgressMeter::state() const {
  ProgressState state = begun_;
  state.items = items_.load(std::memory_order_relaxed);
  state.work = work_.load(std::memory_order_relaxed);
  state.seconds = timer_.seconds();
  state.left = run_time_.left(state.fraction(), state.seconds);
  return state;
}

void ProgressMeter::run() {
  using Seconds = std::chrono::duration<double>;
  std::unique_lock lock(mutex_);
  Seconds wait(times_.first);
  while (!changed_.wait_for(lock, wait, [&] { return stopping_; })) {
    wait = Seconds(times_.every);
    const std::size_t width = style_ == ProgressStyle::bar ? terminal_width() : kWidestLine;
    const std::string line = progress_line(state(), style_, width);
    lock.unlock();  // a slow terminal must not hold up a thread that begins a stage
    sink_(line);
    lock.lock();
  }
}

void RunTime::expect(std::vector<ExpectedStage> stages) {
  stages_ = std::move(stages);
  next_ = 0;
  is_expected_ = false;
  past_ = {};
}

const ExpectedStage* RunTime::current() const {
  return is_expected_ ? &stages_[next_ - 1] : nullptr;
}

void RunTime::begin(const std::string& stage, double seconds) {
  if (const ExpectedStage* last = current()) {
    Times& times = past_[last->on_devices];
    times.measured += seconds;
    times.expected += last->seconds;
  }
  const auto found =
      std::find_if(stages_.begin() + static_cast<std::ptrdiff_t>(next_), stages_.end(),
                   [&](const ExpectedStage& one) { return one.name == stage; });
  is_expected_ = found != stages_.end();
  if (is_expected_) next_ = static_cast<std::size_t>(found - stages_.begin()) + 1;
}

double RunTime::left(double done, double seconds) const {
  if (stages_.empty()) return -1;
  const ExpectedStage* const now = current();
  std::array<Times, 2> times = past_;
  if (now != nullptr && done >= kLeastPart) {
    times[now->on_devices].measured += seconds;
    times[now->on_devices].expected += done * now->seconds;
  }
  if (times[0].measured + times[1].measured == 0) return -1;
  // A machine is as much slower than expected in what follows as in what was measured. Stages of
  // one kind say nothing of the other, since devices may be of any speed.
  constexpr double kUsual = 0.05;  // seconds as expected, so that short times weigh little
  const auto pace = [&](bool on_devices) {
    const Times& of_kind = times[on_devices];
    return (of_kind.measured + kUsual) / (of_kind.expected + kUsual);
  };
  double left = 0;
  if (done >= kLeastPart) {
    left = seconds * (1 - done) / done;
  } else if (now != nullptr) {
    left = std::max(0.0, now->seconds * pace(now->on_devices) - seconds);
  }
  for (std::size_t k = next_; k < stages_.size(); ++k) {
    left += stages_[k].seconds * pace(stages_[k].on_devices);
  }
  return left;
}

}  // namespace accord
