// SPDX-License-Identifier: Apache-2.0
#include "base/timeline.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <mutex>

#include "base/system.hpp"

namespace accord {

std::atomic<bool> g_is_recording{false};

/// The spans of a thread. Its thread writes them; take_timeline() reads them at any time.
struct ThreadRow {
  std::mutex mutex;
  std::string name;
  std::vector<RecordedSpan> spans;
  TimelineSpan::Open* innermost = nullptr;
  bool has_thread = true;
};

/// A span that has not ended.
struct TimelineSpan::Open {
  explicit Open(ThreadRow& of_thread) : row(of_thread) {}

  ThreadRow& row;
  RecordedSpan span = {};
  double least_seconds = 0;  // a shorter span is dropped
  Open* outer = nullptr;     // of the same thread
  bool has_outer_family = false;
  std::shared_ptr<const std::string> outer_family = {};  // for after the end of the span
};

namespace {

/// Viewers of timelines hold no more than a few million spans, and a span takes about 200 bytes.
constexpr std::size_t kMostSpans = 1'000'000;

/// Loops of small families have many parts that are shorter.
constexpr double kShortestPart = 50e-6;

struct Recorder {
  const std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
  std::atomic<std::size_t> spans{0}, left_out{0};
  std::mutex mutex;  // for what follows, and for ThreadRow::has_thread
  std::vector<std::unique_ptr<ThreadRow>> rows;
  std::vector<RecordedValue> values;
};

/// Made by the first call. Never destroyed, since threads may outlive main().
Recorder& recorder() {
  static auto* const made = new Recorder;
  return *made;
}

/// What the recorder knows of a thread.
struct Thread {
  std::string name = "thread";
  ThreadRow* row = nullptr;
  std::shared_ptr<const std::string> family;

  Thread() = default;
  Thread(const Thread&) = delete;
  Thread& operator=(const Thread&) = delete;
  ~Thread() { leave_row(); }

  void leave_row() {
    if (row == nullptr) return;
    const std::lock_guard lock(recorder().mutex);
    row->has_thread = false;
    row = nullptr;
  }
};

Thread& this_thread() {
  thread_local Thread thread;
  return thread;
}

/// The row of the calling thread: one of the same name whose thread has ended, or a new one.
ThreadRow& own_row() {
  Thread& thread = this_thread();
  if (thread.row != nullptr) return *thread.row;
  Recorder& all = recorder();
  const std::lock_guard lock(all.mutex);
  auto row = std::ranges::find_if(all.rows, [&](const auto& other) {
    return !other->has_thread && other->name == thread.name;
  });
  if (row == all.rows.end()) {
    row = all.rows.insert(row, std::make_unique<ThreadRow>());
    (*row)->name = thread.name;
  }
  (*row)->has_thread = true;
  thread.row = row->get();
  return *thread.row;
}

/// Calls a function that may find no memory; what it does is then left out.
template <class Function>
void unless_out_of_memory(const Function& function) noexcept {
  try {
    function();
  } catch (const std::exception&) {
    ++recorder().left_out;
  }
}

}  // namespace

void start_timeline() {
  recorder();
  g_is_recording = true;
  name_thread("main");
}

double timeline_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - recorder().start).count();
}

void name_thread(const std::string& name) {
  // Without a recording, no thread may touch this_thread(): to have it destroyed at its end, the
  // thread would wait for the lock of the dynamic linker, which a driver may hold for long.
  if (!is_recording()) return;
  unless_out_of_memory([&] {
    Thread& thread = this_thread();
    if (thread.name == name) return;
    thread.leave_row();
    thread.name = name;
  });
}

void TimelineSpan::open(SpanKind kind, std::string_view name) noexcept {
  unless_out_of_memory([&] {
    ThreadRow& row = own_row();
    auto made = std::make_unique<Open>(row);
    made->span.kind = kind;
    made->span.name = name;
    made->span.family = this_thread().family;
    made->span.cpu_begin = thread_cpu_seconds();
    made->span.begin = timeline_seconds();
    const std::lock_guard lock(row.mutex);
    made->outer = std::exchange(row.innermost, made.get());
    open_ = std::move(made);
  });
}

TimelineSpan::TimelineSpan(SpanKind kind, std::string_view name) noexcept {
  if (is_recording()) open(kind, name);
}

TimelineSpan::~TimelineSpan() { end(); }

TimelineSpan::TimelineSpan(const TimelineLoop& loop) noexcept {
  if (!is_recording()) return;
  Thread& thread = this_thread();
  std::shared_ptr<const std::string> outer = std::exchange(thread.family, loop.family_);
  open(SpanKind::loop, loop.name_);
  if (!open_) {
    thread.family = std::move(outer);
    return;
  }
  open_->least_seconds = kShortestPart;
  open_->has_outer_family = true;
  open_->outer_family = std::move(outer);
}

void TimelineSpan::rename(std::string_view name) noexcept {
  if (!open_) return;
  unless_out_of_memory([&] {
    const std::lock_guard lock(open_->row.mutex);
    open_->span.name = name;
  });
}

void TimelineSpan::add(const char* name, double value) noexcept {
  if (!open_) return;
  unless_out_of_memory([&] {
    const std::lock_guard lock(open_->row.mutex);
    open_->span.values.emplace_back(name, value);
  });
}

void TimelineSpan::add(const char* name, std::string_view value) noexcept {
  if (!open_) return;
  unless_out_of_memory([&] {
    const std::lock_guard lock(open_->row.mutex);
    open_->span.values.emplace_back(name, std::string(value));
  });
}

void TimelineSpan::end() noexcept {
  if (!open_) return;
  const std::unique_ptr<Open> ended = std::move(open_);
  RecordedSpan& span = ended->span;
  if (ended->has_outer_family) this_thread().family = std::move(ended->outer_family);
  ThreadRow& row = ended->row;
  const std::lock_guard lock(row.mutex);
  Open** place = &row.innermost;
  while (*place != ended.get()) place = &(*place)->outer;
  *place = ended->outer;
  span.seconds = timeline_seconds() - span.begin;
  if (span.name.empty() || span.seconds < ended->least_seconds || !is_recording()) return;
  if (!take_timeline_room()) return;
  unless_out_of_memory([&] {
    if (span.cpu_begin >= 0) span.cpu_seconds = thread_cpu_seconds() - span.cpu_begin;
    row.spans.push_back(std::move(span));
  });
}

TimelineFamily::TimelineFamily(std::string_view name) noexcept {
  if (!is_recording()) return;
  unless_out_of_memory([&] {
    outer_ = std::exchange(this_thread().family, std::make_shared<const std::string>(name));
  });
}

TimelineFamily::TimelineFamily(std::shared_ptr<const std::string> family) noexcept {
  if (is_recording()) outer_ = std::exchange(this_thread().family, std::move(family));
}

TimelineFamily::~TimelineFamily() {
  if (is_recording()) this_thread().family = std::move(outer_);
}

std::shared_ptr<const std::string> TimelineFamily::current() noexcept {
  return is_recording() ? this_thread().family : nullptr;
}

void TimelineLoop::note() noexcept {
  unless_out_of_memory([&] {
    family_ = this_thread().family;
    ThreadRow& row = own_row();
    const std::lock_guard lock(row.mutex);
    const TimelineSpan::Open* span = row.innermost;
    while (span != nullptr && span->span.name.empty()) span = span->outer;
    const bool has_name = span != nullptr && span->span.kind != SpanKind::family;
    name_ = has_name ? span->span.name : "loop";
  });
}

void record_value(const char* name, double value) noexcept {
  if (!is_recording() || !take_timeline_room()) return;
  unless_out_of_memory([&] {
    Recorder& all = recorder();
    const double now = timeline_seconds();
    const std::lock_guard lock(all.mutex);
    all.values.push_back({name, now, value});
  });
}

bool take_timeline_room() noexcept {
  Recorder& all = recorder();
  if (all.spans.fetch_add(1, std::memory_order_relaxed) < kMostSpans) return true;
  ++all.left_out;
  return false;
}

Timeline take_timeline() {
  g_is_recording = false;
  Recorder& all = recorder();
  Timeline timeline;
  timeline.seconds = timeline_seconds();
  timeline.cpu_seconds = process_cpu_seconds();
  const std::lock_guard lock(all.mutex);
  for (const std::unique_ptr<ThreadRow>& row : all.rows) {
    const std::lock_guard of_row(row->mutex);
    TimelineRow taken{{}, row->name, std::exchange(row->spans, {})};
    for (const TimelineSpan::Open* open = row->innermost; open != nullptr; open = open->outer) {
      if (open->span.name.empty()) continue;
      taken.spans.push_back(open->span);
      taken.spans.back().seconds = timeline.seconds - open->span.begin;
      taken.spans.back().is_open = true;
    }
    if (!taken.spans.empty()) timeline.rows.push_back(std::move(taken));
  }
  timeline.values = std::exchange(all.values, {});
  timeline.spans_out = all.left_out;
  return timeline;
}

}  // namespace accord
