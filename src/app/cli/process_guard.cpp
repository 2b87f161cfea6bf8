// SPDX-License-Identifier: Apache-2.0
#include "app/cli/process_guard.hpp"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <system_error>
#include <thread>
#include <utility>

#include "accord/base/error.hpp"
#include "app/cli/messages.hpp"
#include "base/temporary_file.hpp"

namespace accord {
namespace {

bool g_pipe_was_ignored = false;
int g_timer = -1;  // a descriptor; -1: no thread waits for it
std::atomic<const char*> g_remains{"partial output was removed"};
std::atomic<const char*> g_hint{"raise --time-limit; 'accord check' estimates the time"};

/// Signals that a user, a closing terminal, or a scheduler of jobs sends.
constexpr std::array<std::pair<int, const char*>, 3> kRequests = {
    {{SIGHUP, "SIGHUP"}, {SIGINT, "SIGINT"}, {SIGTERM, "SIGTERM"}}};

struct sigaction action_of(int signal) {
  struct sigaction current {};
  sigaction(signal, nullptr, &current);
  return current;
}

/// Removes unfinished files, says why, and ends the process without unwinding: other threads may
/// be in a kernel for a while.
[[noreturn]] void end(const char* why, const char* name, const char* hint, int code) {
  remove_temporary_files();
  // Below a progress bar, not behind it.
  ::dprintf(STDERR_FILENO, "%saccord: error: %s%s, %s\n  hint: %s\n", has_status_line() ? "\n" : "",
            why, name, g_remains.load(), hint);
  ::_exit(code);
}

/// Waits for signals and for the end of the time.
void wait_for_end(int signals, int timer) {
  constexpr int kTimeLimitCode = 124;
  std::array<pollfd, 2> events = {{{signals, POLLIN, 0}, {timer, POLLIN, 0}}};
  while (true) {
    if (::poll(events.data(), events.size(), -1) <= 0) continue;
    if (signalfd_siginfo info{};
        (events[0].revents & POLLIN) != 0 && ::read(signals, &info, sizeof info) == sizeof info) {
      for (const auto& [signal, name] : kRequests) {
        if (info.ssi_signo != static_cast<std::uint32_t>(signal)) continue;
        end("ended by ", name, "start it again if that was not meant", 128 + signal);
      }
    }
    if ((events[1].revents & POLLIN) != 0) {
      end("the time limit is reached", "", g_hint.load(), kTimeLimitCode);
    }
  }
}

/// Moves a descriptor above those of the standard streams. If the process started with a closed
/// stream, the descriptor could have the number of that stream, and code that uses the stream would
/// read or write it.
int above_standard_streams(int file) {
  if (file < 0 || file > STDERR_FILENO) return file;
  const int moved = ::fcntl(file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  ::close(file);
  return moved;
}

/// Starts the thread that waits. Returns false if the system gives no thread or descriptor.
bool start_waiting(const sigset_t& guarded) {
  const int signals = above_standard_streams(::signalfd(-1, &guarded, SFD_CLOEXEC));
  const int timer = above_standard_streams(::timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC));
  if (signals < 0 || timer < 0) return false;
  try {
    std::thread(wait_for_end, signals, timer).detach();
  } catch (const std::system_error&) {
    ::close(signals);
    ::close(timer);
    return false;
  }
  g_timer = timer;
  return true;
}

}  // namespace

void start_process_guard() {
  sigset_t guarded, before;
  sigemptyset(&guarded);
  for (const auto& [signal, name] : kRequests) {
    if (action_of(signal).sa_handler == SIG_DFL) sigaddset(&guarded, signal);
  }
  g_pipe_was_ignored = action_of(SIGPIPE).sa_handler == SIG_IGN;
  // A write then fails, and its error is reported.
  ::signal(SIGPIPE, SIG_IGN);
  ::signal(SIGXFSZ, SIG_IGN);
  // Every later thread inherits the mask, so that only the one that waits takes these signals.
  pthread_sigmask(SIG_BLOCK, &guarded, &before);
  if (!start_waiting(guarded)) pthread_sigmask(SIG_SETMASK, &before, nullptr);
}

void set_end_note(const char* remains, const char* hint) {
  g_remains = remains;
  g_hint = hint;
}

void set_time_limit(double seconds) {
  itimerspec limit{};
  limit.it_value.tv_sec = static_cast<time_t>(seconds);
  limit.it_value.tv_nsec =
      static_cast<long>((seconds - static_cast<double>(limit.it_value.tv_sec)) * 1e9);
  if (limit.it_value.tv_sec == 0 && limit.it_value.tv_nsec == 0) limit.it_value.tv_nsec = 1;
  if (g_timer >= 0 && ::timerfd_settime(g_timer, 0, &limit, nullptr) == 0) return;
  throw Error(ErrorKind::out_of_memory,
              "--time-limit needs a thread that waits, and the system gives none",
              "leave it out, or raise the limits of the system (ulimit -u, ulimit -v)");
}

void end_for_closed_pipe() {
  if (g_pipe_was_ignored) return;
  ::signal(SIGPIPE, SIG_DFL);
  ::raise(SIGPIPE);
}

}  // namespace accord
