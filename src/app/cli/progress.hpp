// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <atomic>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "base/timer.hpp"
#include "engine/progress_listener.hpp"

namespace accord {

/// How the progress of a long run is shown: a bar that is drawn anew, lines for people, a JSON
/// object per line, or not at all.
enum class ProgressStyle { automatic, none, bar, plain, json };

/// What `automatic` means here: a bar on a terminal, else lines.
/// `is_terminal` says whether stderr is one that can be drawn on.
ProgressStyle chosen_style(ProgressStyle wanted, bool is_terminal);

/// True if stderr is a terminal that knows how to erase a line.
bool can_draw();

/// How far a stage has come.
struct ProgressState {
  std::string stage = {};
  std::string unit = {};        ///< of the items: "pairs"
  std::uint64_t items = 0;      ///< done
  std::uint64_t all_items = 0;  ///< 0: not known
  std::uint64_t work = 0;       ///< done, in a unit in which time is even
  std::uint64_t all_work = 0;
  double seconds = 0;  ///< since the stage began

  /// The part that is done, in [0, 1]; 0 if that is not known.
  double fraction() const;
  /// Seconds that are left at the rate so far; negative if too little is done to say.
  double seconds_left() const;
};

/// A state as a line of at most `width` characters (the object of `json` has any length).
std::string progress_line(const ProgressState& state, ProgressStyle style, std::size_t width);

/// When progress is shown, in seconds: first, and how often from then on.
struct ProgressTimes {
  double first, every;
};
constexpr ProgressTimes times_of(ProgressStyle style) {
  return style == ProgressStyle::bar    ? ProgressTimes{1, 0.25}
         : style == ProgressStyle::json ? ProgressTimes{1, 1}
                                        : ProgressTimes{10, 10};
}

/// Shows how far a run has come on stderr, through the log. A thread of its own, from the first
/// stage on, does all the drawing; those who work only add to counters. Every thread may call it.
class ProgressMeter : public ProgressListener {
 public:
  using Sink = std::function<void(const std::string& line)>;

  /// Shows nothing.
  ProgressMeter() = default;
  /// Shows stages from the first one on. `automatic` is resolved with chosen_style().
  explicit ProgressMeter(ProgressStyle style);
  /// The same with lines that go elsewhere, at other times.
  ProgressMeter(ProgressStyle style, ProgressTimes times, Sink sink);
  ~ProgressMeter() override;
  ProgressMeter(const ProgressMeter&) = delete;
  ProgressMeter& operator=(const ProgressMeter&) = delete;

  void begin(const std::string& stage, const std::string& unit, std::uint64_t items,
             std::uint64_t work) override;
  void advance(std::uint64_t items, std::uint64_t work) override {
    items_.fetch_add(items, std::memory_order_relaxed);
    work_.fetch_add(work, std::memory_order_relaxed);
  }

 private:
  void run();
  ProgressState state() const;

  ProgressStyle style_ = ProgressStyle::none;
  ProgressTimes times_{};
  Sink sink_;
  std::mutex mutex_;
  std::condition_variable changed_;
  ProgressState begun_;  // of the stage; the counters have the work done
  Timer timer_;          // of the stage
  std::atomic<std::uint64_t> items_{0}, work_{0};
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace accord
