// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace accord {

/// Starts a thread that waits for SIGINT, SIGTERM and SIGHUP (take_end_requests()). After such a
/// signal the thread removes temporary files, prints the name of the signal, writes the report of
/// the failure (write_failure_report()), and ends the process with code 128 + the number of the
/// signal, even while another thread is inside a kernel. SIGPIPE and SIGXFSZ are ignored, so that
/// writing to a closed pipe throws Error{closed_pipe}, and writing too large a file throws
/// Error{write_failed}. Call this function first in main: threads that exist already would still
/// receive the signals.
void start_process_guard();

/// Sets the texts of the message that is printed if a signal or the time limit ends the process.
/// `remains` says what remains of the run; by default, that partial output was removed. It stands
/// behind a comma in the message. `hint` says what to try after the time limit; by default, to
/// raise --time-limit. Neither text has a line end. Both texts must live until the process ends, as
/// literals do.
void set_end_note(const char* remains, const char* hint);

/// Ends the process with code 70, a fault of accord, after it has removed temporary files and
/// printed `text`, which says what the threads of the run wait for.
[[noreturn]] void end_at_standstill(const std::string& text);

/// Ends the process with a code while other threads may go on (see has_left_devices()), after it
/// has removed temporary files and flushed the standard streams.
[[noreturn]] void end_at_once(int code);

/// Starts a thread that ends the process after this number of seconds, with code 124, after it has
/// removed temporary files. Call start_process_guard() before. A later call sets the time anew,
/// from that call on.
/// Throws  Error{out_of_memory} if the system gave no thread.
void set_time_limit(double seconds);

}  // namespace accord
