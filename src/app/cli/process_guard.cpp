// SPDX-License-Identifier: Apache-2.0
#include "app/cli/process_guard.hpp"

#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include "accord/base/error.hpp"
#include "app/cli/messages.hpp"
#include "base/temporary_file.hpp"

namespace accord {
namespace {

bool g_pipe_was_ignored = false;
int g_timer = -1;  // a descriptor; -1: nobody waits for it
std::atomic<const char*> g_remains{"partial output was removed"};
std::atomic<const char*> g_hint{"raise --time-limit; 'accord check' estimates the time"};

/// Signals that end a process and come from outside, so that a thread can wait for them. Real-time
/// signals are of this kind, too; SIGKILL cannot be waited for.
constexpr std::array<std::pair<int, const char*>, 13> kRequests = {{{SIGHUP, "SIGHUP"},
                                                                    {SIGINT, "SIGINT"},
                                                                    {SIGTERM, "SIGTERM"},
                                                                    {SIGQUIT, "SIGQUIT"},
                                                                    {SIGALRM, "SIGALRM"},
                                                                    {SIGUSR1, "SIGUSR1"},
                                                                    {SIGUSR2, "SIGUSR2"},
                                                                    {SIGIO, "SIGIO"},
                                                                    {SIGPROF, "SIGPROF"},
                                                                    {SIGVTALRM, "SIGVTALRM"},
                                                                    {SIGXCPU, "SIGXCPU"},
                                                                    {SIGPWR, "SIGPWR"},
                                                                    {SIGSTKFLT, "SIGSTKFLT"}}};

/// Signals of an error in the thread that has made it. Waiting for them would let the system end
/// the process at once.
constexpr std::array<std::pair<int, const char*>, 7> kFaults = {{{SIGABRT, "SIGABRT"},
                                                                 {SIGBUS, "SIGBUS"},
                                                                 {SIGFPE, "SIGFPE"},
                                                                 {SIGILL, "SIGILL"},
                                                                 {SIGSEGV, "SIGSEGV"},
                                                                 {SIGSYS, "SIGSYS"},
                                                                 {SIGTRAP, "SIGTRAP"}}};

bool is_ignored(int signal) {
  struct sigaction current {};
  return sigaction(signal, nullptr, &current) == 0 && current.sa_handler == SIG_IGN;
}

/// Whether a signal ends the process: neither the parent nor a library has said otherwise.
bool ends_process(int signal) {
  struct sigaction current {};
  return sigaction(signal, nullptr, &current) == 0 && current.sa_handler == SIG_DFL;
}

/// A message that is made without memory of its own, so that a handler of signals may do it.
class Message {
 public:
  Message& operator<<(std::string_view text) {
    const std::size_t count = std::min(text.size(), sizeof text_ - size_);
    std::memcpy(text_ + size_, text.data(), count);
    size_ += count;
    return *this;
  }
  Message& operator<<(int number) {
    char digits[12];
    std::size_t at = sizeof digits;
    do digits[--at] = static_cast<char>('0' + number % 10);
    while ((number /= 10) > 0);
    return *this << std::string_view(digits + at, sizeof digits - at);
  }
  void print() const { [[maybe_unused]] const auto written = ::write(STDERR_FILENO, text_, size_); }

 private:
  char text_[512];
  std::size_t size_ = 0;
};

template <class Signals>
const char* name_in(const Signals& signals, int signal) {
  for (const auto& [number, name] : signals) {
    if (number == signal) return name;
  }
  return nullptr;
}

/// Removes what is unfinished and says so. Below a progress bar, not behind it.
void clean_up(const Message& what, std::string_view hint) {
  remove_temporary_files();
  Message message;
  message << (has_status_line() ? "\n" : "");
  message.print();
  what.print();
  Message rest;
  rest << ", " << g_remains.load() << "\n  hint: " << hint << "\n";
  rest.print();
}

/// Ends the process without unwinding: other threads may be in a kernel for a while.
[[noreturn]] void end_for_request(int signal) {
  Message what;
  what << "accord: error: ended by ";
  if (const char* name = name_in(kRequests, signal)) {
    what << name;
  } else {
    what << "signal " << signal;
  }
  clean_up(what, signal == SIGXCPU ? "raise the limit of processor time (ulimit -t)"
                                   : "start it again if that was not meant");
  ::_exit(128 + signal);
}

[[noreturn]] void end_for_time() {
  constexpr int kTimeLimitCode = 124;
  Message what;
  what << "accord: error: the time limit is reached";
  clean_up(what, g_hint.load());
  ::_exit(kTimeLimitCode);
}

/// Cleans up as far as a broken process can, and lets the signal do what it does by default, which
/// is set again by then, also for what fails here.
void end_for_fault(int signal, siginfo_t* info, void*) {
  Message what;
  what << "accord: error: ended by " << name_in(kFaults, signal);
  const bool is_sent = info->si_code == SI_USER || info->si_code == SI_QUEUE;
  clean_up(what, is_sent ? "start it again if that was not meant"
                         : "this is a bug in accord " ACCORD_VERSION
                           " or a driver; please report it");
  ::raise(signal);
}

void handle_request(int signal) { end_for_request(signal); }

/// Waits for signals and for the end of the time.
void wait_for_end(int signals, int timer) {
  std::array<pollfd, 2> events = {{{signals, POLLIN, 0}, {timer, POLLIN, 0}}};
  while (true) {
    if (::poll(events.data(), events.size(), -1) <= 0) continue;
    if (signalfd_siginfo info{};
        (events[0].revents & POLLIN) != 0 && ::read(signals, &info, sizeof info) == sizeof info) {
      end_for_request(static_cast<int>(info.ssi_signo));
    }
    if ((events[1].revents & POLLIN) != 0) end_for_time();
  }
}

/// The same file under a number that is none of the standard streams, which may be closed: what
/// reads or writes these must not meet it.
int above_standard_streams(int file) {
  if (file < 0 || file > STDERR_FILENO) return file;
  const int moved = ::fcntl(file, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
  ::close(file);
  return moved;
}

/// Starts the thread that waits. False if the system gives none.
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

void handle(int signal, const struct sigaction& action) { sigaction(signal, &action, nullptr); }

}  // namespace

void start_process_guard() {
  sigset_t guarded, before;
  sigemptyset(&guarded);
  for (const auto& [signal, name] : kRequests) {
    if (ends_process(signal)) sigaddset(&guarded, signal);
  }
  for (int signal = SIGRTMIN; signal <= SIGRTMAX; ++signal) {
    if (ends_process(signal)) sigaddset(&guarded, signal);
  }
  struct sigaction fault {};
  fault.sa_sigaction = end_for_fault;
  fault.sa_flags = SA_SIGINFO | SA_RESETHAND | SA_NODEFER;
  for (const auto& [signal, name] : kFaults) {
    if (ends_process(signal)) handle(signal, fault);
  }
  g_pipe_was_ignored = is_ignored(SIGPIPE);
  // A write then fails, and its error is said.
  ::signal(SIGPIPE, SIG_IGN);
  ::signal(SIGXFSZ, SIG_IGN);
  // Every later thread inherits the mask, so that only the one that waits takes these signals.
  pthread_sigmask(SIG_BLOCK, &guarded, &before);
  if (start_waiting(guarded)) return;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  struct sigaction request {};
  request.sa_handler = handle_request;
  request.sa_mask = guarded;
  for (int signal = 1; signal <= SIGRTMAX; ++signal) {
    if (sigismember(&guarded, signal) == 1) handle(signal, request);
  }
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
