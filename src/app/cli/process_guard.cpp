// SPDX-License-Identifier: Apache-2.0
#include "app/cli/process_guard.hpp"

#include <pthread.h>
#include <signal.h>
#include <sys/time.h>
#include <unistd.h>

#include <atomic>
#include <cstdio>
#include <string>
#include <thread>

#include "app/cli/messages.hpp"
#include "base/temporary_file.hpp"

namespace accord {
namespace {

bool g_pipe_was_ignored = false;
std::atomic<const char*> g_remains{"partial output was removed"};
std::atomic<const char*> g_hint{"raise --time-limit; 'accord check' estimates the time"};

bool is_ignored(int signal) {
  struct sigaction current {};
  return sigaction(signal, nullptr, &current) == 0 && current.sa_handler == SIG_IGN;
}

const char* signal_name(int signal) {
  switch (signal) {
    case SIGINT:
      return "SIGINT";
    case SIGTERM:
      return "SIGTERM";
    default:
      return "SIGHUP";
  }
}

/// Ends the process without unwinding: other threads may be in a kernel for a while.
[[noreturn]] void end_process(int signal) {
  remove_temporary_files();
  const bool is_time = signal == SIGALRM;
  // Below a progress bar, not behind it.
  const std::string text =
      std::string(has_status_line() ? "\n" : "") + "accord: error: " +
      (is_time ? "the time limit is reached" : "ended by " + std::string(signal_name(signal))) +
      ", " + g_remains.load() +
      "\n  hint: " + (is_time ? g_hint.load() : "start it again if that was not meant") + "\n";
  [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text.data(), text.size());
  constexpr int kTimeLimitCode = 124;
  ::_exit(is_time ? kTimeLimitCode : 128 + signal);
}

}  // namespace

void start_process_guard() {
  sigset_t guarded;
  sigemptyset(&guarded);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGALRM}) {
    if (!is_ignored(signal)) sigaddset(&guarded, signal);
  }
  // Every later thread inherits the mask, so that only the one below takes these signals.
  pthread_sigmask(SIG_BLOCK, &guarded, nullptr);
  g_pipe_was_ignored = is_ignored(SIGPIPE);
  ::signal(SIGPIPE, SIG_IGN);
  std::thread([guarded] {
    int signal = 0;
    while (sigwait(&guarded, &signal) != 0) {
    }
    end_process(signal);
  }).detach();
}

void set_end_note(const char* remains, const char* hint) {
  g_remains = remains;
  g_hint = hint;
}

void set_time_limit(double seconds) {
  itimerval timer{};
  timer.it_value.tv_sec = static_cast<time_t>(seconds);
  timer.it_value.tv_usec =
      static_cast<suseconds_t>((seconds - static_cast<double>(timer.it_value.tv_sec)) * 1e6);
  if (timer.it_value.tv_sec == 0 && timer.it_value.tv_usec == 0) timer.it_value.tv_usec = 1;
  setitimer(ITIMER_REAL, &timer, nullptr);
}

void end_for_closed_pipe() {
  if (g_pipe_was_ignored) return;
  ::signal(SIGPIPE, SIG_DFL);
  ::raise(SIGPIPE);
}

}  // namespace accord
