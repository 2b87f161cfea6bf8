// SPDX-License-Identifier: Apache-2.0
// The timeline of a run, for `--trace`: what each thread did, and when.
//
// There is one recorder for the process, as there is one log. Spans begin in loops of threads, in
// waits for CPUs and in calls of OpenCL, which know nothing of a run: a recorder that is handed
// down would be an argument of every function that computes. While nothing is recorded, a span
// costs the test of a flag.
//
// Any thread may call these functions. Only start_timeline() and take_timeline() throw, if there is
// no memory; what the others find no memory for is left out, and counted.
#pragma once
#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace accord {

/// Begins to record; the calling thread is called "main".
void start_timeline();

extern std::atomic<bool> g_is_recording;
/// Whether spans are recorded.
inline bool is_recording() { return g_is_recording.load(std::memory_order_relaxed); }

/// Seconds since the first start_timeline().
double timeline_seconds();

/// Names the calling thread in the timeline, from its next span on; does nothing while nothing is
/// recorded. Threads with the same name share a row if one begins its first span after the other
/// has ended.
void name_thread(const std::string& name);

/// The kinds of spans, as the timeline names them.
enum class SpanKind {
  family,  ///< a family of a batch, from its reading to its files
  stage,   ///< a stage, as the report has it
  step,    ///< a step that is no stage: reading, planning, writing, opening a device
  batch,   ///< a batch that a backend computes
  loop,    ///< the part of a thread in a loop of several threads
  wait,    ///< a thread waits for CPUs, memory, results or a device
  device,  ///< a command that a device carries out
};

/// A number or a text that a span shows.
using SpanValue = std::variant<double, std::string>;

/// A span as it was recorded.
struct RecordedSpan {
  SpanKind kind = SpanKind::step;
  std::string name;
  std::shared_ptr<const std::string> family =
      {};                                   ///< the family that the thread worked on; may be null
  double begin = 0, seconds = 0;            ///< timeline_seconds() at its begin, and its length
  double cpu_begin = -1, cpu_seconds = -1;  ///< of the CPU time of the thread; -1: not known
  std::vector<std::pair<const char*, SpanValue>> values = {};
  bool is_open = false;  ///< it had not ended when the recording did
};

class TimelineLoop;

/// Records the time from its construction to its end on the calling thread. It must end on the same
/// thread.
class TimelineSpan {
 public:
  /// Begins a span. One that has no name when it ends is not recorded.
  explicit TimelineSpan(SpanKind kind, std::string_view name = {}) noexcept;
  /// Begins the part of the calling thread in a loop, with the family and the name of the span in
  /// which the loop began; the name is "loop" if the loop began outside all spans, or directly in
  /// the span of a family. A part of less than 50 microseconds is not recorded.
  explicit TimelineSpan(const TimelineLoop& loop) noexcept;
  ~TimelineSpan();
  TimelineSpan(const TimelineSpan&) = delete;
  TimelineSpan& operator=(const TimelineSpan&) = delete;

  void rename(std::string_view name) noexcept;
  /// Adds a value, which the timeline shows as `name`, a literal.
  void add(const char* name, double value) noexcept;
  void add(const char* name, std::string_view value) noexcept;
  /// Ends the span, unless it has ended.
  void end() noexcept;

  struct Open;

 private:
  void open(SpanKind kind, std::string_view name) noexcept;

  std::unique_ptr<Open> open_;  // null while nothing is recorded
};

/// While it exists, the spans of its thread are of a family.
class TimelineFamily {
 public:
  explicit TimelineFamily(std::string_view name) noexcept;
  /// The family of another thread, as current() returned it there.
  explicit TimelineFamily(std::shared_ptr<const std::string> family) noexcept;
  ~TimelineFamily();
  TimelineFamily(const TimelineFamily&) = delete;
  TimelineFamily& operator=(const TimelineFamily&) = delete;

  /// The family of the calling thread; null if it has none, or nothing is recorded.
  static std::shared_ptr<const std::string> current() noexcept;

 private:
  std::shared_ptr<const std::string> outer_;
};

/// What the spans of other threads take over from the thread that starts a loop or another thread.
class TimelineLoop {
 public:
  TimelineLoop() noexcept {
    if (is_recording()) note();
  }

 private:
  friend class TimelineSpan;
  void note() noexcept;

  std::string name_;
  std::shared_ptr<const std::string> family_;
};

/// Records that something, which the literal `name` names, now has a value.
void record_value(const char* name, double value) noexcept;

/// Counts one more span that is recorded elsewhere. Returns false if there is no room for it.
bool take_timeline_room() noexcept;

/// The spans of a thread, or of one kind of commands of a device.
struct TimelineRow {
  std::string device;  ///< empty: a thread of the program
  std::string name;
  std::vector<RecordedSpan> spans = {};
};

/// Something that has changed its value.
struct RecordedValue {
  const char* name;
  double at;  ///< timeline_seconds()
  double value;
};

/// The timeline of a process.
struct Timeline {
  std::vector<TimelineRow> rows = {};
  std::vector<RecordedValue> values = {};
  double seconds = 0;         ///< timeline_seconds() at the end of the recording
  double cpu_seconds = 0;     ///< of the process, up to then
  std::size_t spans_out = 0;  ///< spans and values beyond the limit, and calls that found no memory
};

/// Ends the recording and moves out what was recorded. Spans that are open then have `is_open`.
/// Throws  std::bad_alloc.
Timeline take_timeline();

}  // namespace accord
