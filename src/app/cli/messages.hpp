// SPDX-License-Identifier: Apache-2.0
// What the program says on stderr, and in the file of --log. Every function may be called by any
// thread; what it writes appears in one piece.
#pragma once
#include <string>

#include "base/option_words.hpp"

namespace accord {

/// How much the program writes to stderr. Errors are always printed.
enum class Verbosity { quiet, normal, verbose, detailed };

/// From now on the messages of the library (see set_log_sink) appear on stderr, as far as the
/// verbosity lets them: `accord: warning: TEXT` with a line `  hint: HINT`, `accord: TEXT` for
/// notices, the others as they stand.
void show_messages();

/// Sets how much the program writes from now on; Verbosity::normal at first.
void set_verbosity(Verbosity verbosity);

/// From now on every message, those that the verbosity keeps from stderr too, also goes to a file,
/// which is replaced.
/// Throws  Error{cannot_create}
void set_log_file(const std::string& path);

/// Prints `accord: error: TEXT` and, if there is a hint, `  hint: HINT`, whatever the verbosity.
void print_error(const std::string& text, const std::string& hint);

/// Prints a line as it stands, whatever the verbosity: one that an option of its own asked for.
void print_line(const std::string& line);

/// Shows a line below all messages on stderr, which must be a terminal, in place of the one that is
/// shown; none if it is empty. Messages are written above it. It does not go to the log file.
void set_status_line(const std::string& line);

/// True while a status line is shown. Takes no lock, for the end of a process.
bool has_status_line();

}  // namespace accord
