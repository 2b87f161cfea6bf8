// SPDX-License-Identifier: Apache-2.0
// How a user, a closing terminal or a scheduler of jobs asks a process to end, in the way of each
// system: end_requests_posix.cpp and end_requests_windows.cpp.
#pragma once

namespace accord {

/// Takes the name of a signal, such as "SIGINT", and its number; must end the process.
using EndRequestTaker = void (*)(const char* name, int signal);

/// Has `taker` called on a thread that does nothing else, once such a request comes: SIGHUP, SIGINT
/// or SIGTERM, or what corresponds to these on Windows. A signal keeps its previous action if the
/// parent process has it ignored (nohup, `&` in a script), if a library handles it, or if the
/// system gives no thread. Threads that exist already would still receive the signals, so call this
/// function first.
void take_end_requests(EndRequestTaker taker);

/// Has a write to a closed pipe, or beyond the largest size of a file, fail with a reason in errno,
/// where the system would end the process.
void let_writes_fail();

/// Ends the process by the signal of a closed pipe. Returns if the parent process had it ignored
/// when let_writes_fail() was called, or if the system has no such signal.
void end_by_closed_pipe();

}  // namespace accord
