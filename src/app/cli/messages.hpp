// SPDX-License-Identifier: Apache-2.0
// The messages of the program on stderr and in the file of --log. Any thread may call these
// functions; the text of a call appears in one piece.
#pragma once
#include <string>

#include "base/text.hpp"

namespace accord {

/// How much the program writes to stderr. Errors are always printed. normal: also warnings and
/// notices; verbose and detailed: also the messages of the library of these levels.
enum class Verbosity { quiet, normal, verbose, detailed };

/// Has the messages of the library written to stderr, from now on, if the verbosity allows them: a
/// warning as `accord: warning: TEXT` with a line `  hint: HINT`, a notice as `accord: TEXT`, other
/// messages without a prefix.
void show_messages();

/// Sets how much the program writes to stderr; without a call, it is Verbosity::normal.
void set_verbosity(Verbosity verbosity);

/// Has every message written to a file, too, whatever the verbosity, with those since the start of
/// the process. A file of that name is replaced. An empty path: the process has no such file.
/// Throws  Error{cannot_create}
void set_log_file(const std::string& path);

/// Prints `accord: error: TEXT` and, if `hint` is not empty, `  hint: HINT`, whatever the
/// verbosity. The function writes options in braces in the hint, such as {prune}, as on a command
/// line: --prune. The function adds the line ends.
void print_error(const std::string& text, const std::string& hint);

/// Prints a line without a prefix, whatever the verbosity; `line` has no line end. For lines that
/// the user asked for by an option, such as those of --progress.
void print_line(const std::string& line);

/// Shows a status line below all messages on stderr, which must be a terminal. `line` has no line
/// end and should fit the width of the terminal. The line replaces the previous one; an empty line
/// removes it. Messages are written above the status line, and the log file does not get it.
void set_status_line(const std::string& line);

/// Whether a status line is shown. Takes no lock, so that it can be called when a signal ends the
/// process.
bool has_status_line();

}  // namespace accord
