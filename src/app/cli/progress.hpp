// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "base/timer.hpp"
#include "engine/progress_listener.hpp"

namespace accord {

/// Estimates the time that a run still takes, from the stages that it will have and the times of
/// those that it has had.
class RunTime {
 public:
  /// The run has these stages, and no others that take long.
  void expect(std::vector<ExpectedStage> stages);
  /// A stage begins: the next one of that name that is expected, if there is any. The stage before
  /// took `seconds`.
  void begin(const std::string& stage, double seconds);
  /// The seconds that the run still takes; negative if that is not known: no stages are expected,
  /// or too little is done. `done`: the part of the stage that is done, in [0, 1]; `seconds`: the
  /// time since the stage began.
  double left(double done, double seconds) const;

 private:
  /// Times of stages, in seconds.
  struct Times {
    double measured = 0, expected = 0;
  };
  /// The expected stage that has begun; null if the stage was not expected.
  const ExpectedStage* current() const;

  std::vector<ExpectedStage> stages_;
  std::size_t next_ = 0;       ///< stages from here on have not begun
  bool is_expected_ = false;   ///< whether the stage that has begun is stages_[next_ - 1]
  std::array<Times, 2> past_;  ///< of stages that only the host computes, and of the others
};

/// How the progress of a long run is shown: a bar that is drawn anew, lines for people, a JSON
/// object per line, or not at all.
enum class ProgressStyle { automatic, none, bar, plain, json };

/// The style to use: `wanted`, but in place of `automatic` a bar on a terminal, and lines
/// elsewhere. `is_terminal`: whether stderr is a terminal that can erase a line (can_draw()).
ProgressStyle chosen_style(ProgressStyle wanted, bool is_terminal);

/// Whether stderr is a terminal that can erase a line.
bool can_draw();

/// How far a stage has come.
struct ProgressState {
  std::string stage = {};
  std::string unit = {};        ///< of the items: "pairs"
  std::uint64_t items = 0;      ///< done
  std::uint64_t all_items = 0;  ///< 0: not known
  std::uint64_t work = 0;       ///< done, in a unit that takes about the same time everywhere
  std::uint64_t all_work = 0;
  double seconds = 0;  ///< since the stage began
  double left = -1;    ///< seconds that the rest of the run takes; negative: not known

  /// The part of the work that is done, in [0, 1]; 0 if the work is not known.
  double fraction() const;
};

/// Formats a state as a line of at most `width` characters; the JSON object of ProgressStyle::json
/// may be longer.
std::string progress_line(const ProgressState& state, ProgressStyle style, std::size_t width);

/// When progress is shown: the seconds before the first line, and those between two lines.
struct ProgressTimes {
  double first, every;
};
/// The times at which a style shows progress.
constexpr ProgressTimes times_of(ProgressStyle style) {
  return style == ProgressStyle::bar    ? ProgressTimes{1, 0.25}
         : style == ProgressStyle::json ? ProgressTimes{1, 1}
                                        : ProgressTimes{10, 10};
}

/// Shows the progress of a run on stderr. A thread that starts with the first stage writes all
/// lines; the threads that compute only add to counters. Any thread may call the functions.
class ProgressMeter : public ProgressListener {
 public:
  using Sink = std::function<void(const std::string& line)>;

  /// Shows nothing.
  ProgressMeter() = default;
  /// Shows the progress on stderr in a style; `automatic` as chosen_style() decides, and not at all
  /// if the system gives no thread, as in a browser.
  explicit ProgressMeter(ProgressStyle style);
  /// The same with other times, and with `sink` in place of stderr: the meter's thread calls it
  /// with each progress_line(), which has no line end. For a bar, the destructor calls it with an
  /// empty line, to remove the bar. `style` is not `automatic`, which chosen_style() replaces.
  ProgressMeter(ProgressStyle style, ProgressTimes times, Sink sink);
  ~ProgressMeter() override;
  ProgressMeter(const ProgressMeter&) = delete;
  ProgressMeter& operator=(const ProgressMeter&) = delete;

  /// See ProgressListener; without this call the lines have the time of the stage so far in place
  /// of the time that is left.
  void expect(const std::vector<ExpectedStage>& stages) override;
  /// See ProgressListener. The first call starts the thread; if the system gives no thread, shows
  /// nothing, and warns if the style is not `automatic`.
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
  bool is_asked_for_ = true;
  std::mutex mutex_;
  std::condition_variable changed_;
  ProgressState begun_;  // of the stage; items_ and work_ count the part that is done
  Timer timer_;          // of the stage
  RunTime run_time_;
  std::atomic<std::uint64_t> items_{0}, work_{0};
  bool stopping_ = false;
  std::thread thread_;
};

}  // namespace accord
