// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace accord {

/// From now on SIGINT, SIGTERM and SIGHUP remove temporary files and end the process with
/// 128 + the number of the signal, whatever the other threads are doing, also in the middle of a
/// kernel. A signal that the parent asked to ignore (nohup, `&` in a script) stays ignored. A
/// closed pipe gives an Error{closed_pipe} instead of SIGPIPE.
/// Call it first in main: threads that exist already would still take the signals.
void start_process_guard();

/// What a user is told if a signal or the time limit ends the process: what remains of the run, and
/// what to try after the time limit. Both must outlive the process (literals do). At first: partial
/// output was removed, and --time-limit can be raised.
void set_end_note(const char* remains, const char* hint);

/// Ends the process with code 124 in so many seconds, in the same orderly way.
void set_time_limit(double seconds);

/// Ends the process as SIGPIPE would have, if the parent did not ask to ignore that; else returns.
void end_for_closed_pipe();

}  // namespace accord
