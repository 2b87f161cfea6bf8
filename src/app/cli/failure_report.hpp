// SPDX-License-Identifier: Apache-2.0
// The report of a run that fails: what --report writes then.
#pragma once
#include <string>

#include "accord/base/error.hpp"
#include "app/cli/options.hpp"

namespace accord {

/// The report that a command writes.
struct ExpectedReport {
  std::string path = {};     ///< empty: none
  std::string command = {};  ///< "align"
};

/// Has a report of the failure written if an error, a signal or the time limit ends the run of the
/// command from now on; without a path, there is none. Call it once it is certain that the path is
/// no input.
void report_failure_to(const ExpectedReport& report, const RunOptions& options);

/// The report of the run is written, or there will be none: write_failure_report() does nothing.
void keep_report();

/// Has failure_code() return these codes from now on: `usage` for a wrong command line, `other` for
/// the other errors.
void set_failure_codes(int usage, int other);

/// The exit code of the process for an error of this kind: exit_code(kind), unless
/// set_failure_codes() has chosen others.
int failure_code(ErrorKind kind);

/// An end of a process that is a failure.
struct Failure {
  int exit_code = 1;
  std::string text;
  std::string hint;           ///< what to try, in the words of the command line; may be empty
  std::string signal = {};    ///< the name of the signal that ends the process; empty if none does
  bool ends_at_once = false;  ///< other threads still run: no temporary file, no waiting
};

/// Writes the report that report_failure_to() asks for, and the timeline of the run
/// (write_timeline_of_failure()). Does nothing if that is not possible.
void write_failure_report(const Failure& failure) noexcept;

}  // namespace accord
