// SPDX-License-Identifier: Apache-2.0
#include <windows.h>

#include <csignal>

#include "base/end_requests.hpp"

namespace accord {
namespace {

EndRequestTaker g_taker = nullptr;

/// Windows calls this function on a new thread.
BOOL WINAPI take(DWORD event) {
  if (event == CTRL_C_EVENT || event == CTRL_BREAK_EVENT) {
    g_taker("SIGINT", SIGINT);
  } else {  // the console closes, the user logs off, or the machine shuts down
    g_taker("SIGTERM", SIGTERM);
  }
  return TRUE;
}

}  // namespace

void take_end_requests(EndRequestTaker taker) {
  g_taker = taker;
  ::SetConsoleCtrlHandler(take, TRUE);
}

void let_writes_fail() {}  // they do

void end_by_closed_pipe() {}  // there is no such signal

}  // namespace accord
