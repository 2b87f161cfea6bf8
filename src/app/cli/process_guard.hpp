// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace accord {

/// From now on SIGINT, SIGTERM and SIGHUP remove temporary files, print which signal it was, and
/// end the process with 128 + their number, whatever the other threads are doing, also in the
/// middle of a kernel. Such a signal stays as it is where the parent asked to ignore it (nohup, `&`
/// in a script), a library handles it, or the system gives no thread to wait for it. Other signals
/// do what they do by default, but two: a closed pipe gives an Error{closed_pipe} instead of
/// SIGPIPE, a file that grows too large an Error{write_failed} instead of SIGXFSZ.
/// Call it first in main: threads that exist already would still take the signals.
void start_process_guard();

/// The message for a user if a signal or the time limit ends the process: what remains of the run,
/// and what to try after the time limit. Both must outlive the process (literals do). At first:
/// partial output was removed, and --time-limit can be raised.
void set_end_note(const char* remains, const char* hint);

/// Ends the process with code 124 when the seconds are over, in the same orderly way.
/// Throws  Error{out_of_memory} if no thread waits for it.
void set_time_limit(double seconds);

/// Ends the process as SIGPIPE would have, if the parent did not ask to ignore that; else returns.
void end_for_closed_pipe();

}  // namespace accord
