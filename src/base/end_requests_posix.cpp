// SPDX-License-Identifier: Apache-2.0
#include <pthread.h>
#include <signal.h>

#include <array>
#include <system_error>
#include <thread>
#include <utility>

#include "base/end_requests.hpp"

namespace accord {
namespace {

bool g_pipe_was_ignored = false;

constexpr std::array<std::pair<int, const char*>, 3> kRequests = {
    {{SIGHUP, "SIGHUP"}, {SIGINT, "SIGINT"}, {SIGTERM, "SIGTERM"}}};

struct sigaction action_of(int signal) {
  struct sigaction current {};
  sigaction(signal, nullptr, &current);
  return current;
}

void wait_for_request(sigset_t guarded, EndRequestTaker taker) {
  while (true) {
    int got = 0;
    if (::sigwait(&guarded, &got) != 0) continue;
    for (const auto& [signal, name] : kRequests) {
      if (got == signal) taker(name, signal);
    }
  }
}

}  // namespace

void take_end_requests(EndRequestTaker taker) {
  sigset_t guarded, before;
  sigemptyset(&guarded);
  for (const auto& [signal, name] : kRequests) {
    if (action_of(signal).sa_handler == SIG_DFL) sigaddset(&guarded, signal);
  }
  // Every later thread inherits the mask, so that only the one that waits takes these signals.
  pthread_sigmask(SIG_BLOCK, &guarded, &before);
  try {
    std::thread(wait_for_request, guarded, taker).detach();
  } catch (const std::system_error&) {
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }
}

void let_writes_fail() {
  g_pipe_was_ignored = action_of(SIGPIPE).sa_handler == SIG_IGN;
  ::signal(SIGPIPE, SIG_IGN);
  ::signal(SIGXFSZ, SIG_IGN);
}

void end_by_closed_pipe() {
  if (g_pipe_was_ignored) return;
  ::signal(SIGPIPE, SIG_DFL);
  ::raise(SIGPIPE);
}

}  // namespace accord
