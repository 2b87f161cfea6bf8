// SPDX-License-Identifier: Apache-2.0
#include "app/cli/process_guard.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <system_error>
#include <thread>

#include "accord/base/error.hpp"
#include "app/cli/failure_report.hpp"
#include "app/cli/messages.hpp"
#include "base/system.hpp"
#include "base/temporary_file.hpp"

namespace accord {
namespace {

using SteadyClock = std::chrono::steady_clock;

std::atomic<const char*> g_remains{"partial output was removed"};
std::atomic<const char*> g_hint{"raise --time-limit; 'accord check' estimates the time"};

/// When the time of the process is over; a thread waits for that, once it has been set.
struct TimeLimit {
  std::mutex mutex;
  std::condition_variable changed;
  SteadyClock::time_point end;
  bool has_thread = false;
};

TimeLimit& time_limit() {
  static auto* const limit = new TimeLimit;  // never destroyed, since the thread outlives main()
  return *limit;
}

/// Removes unfinished files, says why, also in the report, and ends the process without unwinding:
/// other threads may be in a kernel for a while.
[[noreturn]] void end(const char* why, const char* name, const char* hint, int code) {
  // Never given back: a second request waits until the first one has ended the process.
  static std::mutex mutex;
  mutex.lock();
  remove_temporary_files();
  // Below a progress bar, not behind it; in a text of fixed size, since there may be no memory.
  std::array<char, 1024> text{};
  const int length =
      std::snprintf(text.data(), text.size(), "%saccord: error: %s%s, %s\n  hint: %s\n",
                    has_status_line() ? "\n" : "", why, name, g_remains.load(), hint);
  write_some(kStandardError,
             {text.data(), std::min(static_cast<std::size_t>(length), text.size())});
  write_failure_report({.exit_code = code,
                        .text = std::string(why) + name + ", " + g_remains.load(),
                        .hint = hint,
                        .signal = name,
                        .ends_at_once = true});
  std::_Exit(code);
}

void wait_for_time_limit() {
  constexpr int kTimeLimitCode = 124;
  TimeLimit& limit = time_limit();
  {
    std::unique_lock lock(limit.mutex);
    while (SteadyClock::now() < limit.end) limit.changed.wait_until(lock, limit.end);
  }
  end("the time limit is reached", "", g_hint.load(), kTimeLimitCode);
}

}  // namespace

void start_process_guard() {
  let_writes_fail();
  take_end_requests([](const char* name, int signal) {
    end("ended by ", name, "start it again if that was not meant", 128 + signal);
  });
}

void end_at_once(int code) {
  remove_temporary_files();
  std::fflush(nullptr);
  std::_Exit(code);
}

void set_end_note(const char* remains, const char* hint) {
  g_remains = remains;
  g_hint = hint;
}

void end_at_standstill(const std::string& text) {
  constexpr int kStandstillCode = 70;  // as for a device that fails
  end("the run stands still: ", text.c_str(),
      "this is a fault of accord, please report it with this text; try --device none",
      kStandstillCode);
}

void set_time_limit(double seconds) {
  TimeLimit& limit = time_limit();
  const std::lock_guard lock(limit.mutex);
  constexpr double kLongest = 1e9;  // more than the clock can count to is no limit
  const std::chrono::duration<double> left(std::min(seconds, kLongest));
  limit.end = SteadyClock::now() + std::chrono::duration_cast<SteadyClock::duration>(left);
  limit.changed.notify_all();
  if (limit.has_thread) return;
  try {
    std::thread(wait_for_time_limit).detach();
    limit.has_thread = true;
  } catch (const std::system_error&) {
    throw Error(ErrorKind::out_of_memory,
                "--time-limit needs a thread that waits, and the system gives none",
                "leave it out, or raise the limits of the system (ulimit -u, ulimit -v)");
  }
}

}  // namespace accord
