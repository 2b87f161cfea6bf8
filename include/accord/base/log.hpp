// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

namespace accord {

/// How much is said on stderr. Errors are always printed.
enum class Verbosity { quiet, normal, verbose, detailed };

/// Sets how much is said from now on.
void set_verbosity(Verbosity verbosity);

/// From now on every message, those that the verbosity keeps from stderr too, also goes to a file,
/// which is replaced.
/// Errors  Error{cannot_create}
void set_log_file(const std::string& path);

/// One line on stderr at -vv only.
void log_detail(const std::string& line);

/// An error on stderr (`accord: error: TEXT`, then `  hint: HINT`).
void log_error(const std::string& text, const std::string& hint);

/// One line on stderr at -v only.
void log_verbose(const std::string& line);

/// One line on stderr (`accord: TEXT`), unless quiet.
void log_notice(const std::string& text);

/// One line on stderr and in the log file as it stands, whatever the verbosity: what was asked for
/// by an option of its own.
void log_line(const std::string& line);

/// Shows a line below all messages on stderr, which must be a terminal, in place of the one that is
/// shown; none if it is empty. Messages are written above it. It does not go to the log file.
void set_status_line(const std::string& line);

/// True while a line is shown. Takes no lock, for the end of a process.
bool has_status_line();

/// A warning on stderr (`accord: warning: TEXT`, then `  hint: HINT`), unless quiet.
/// It is also kept for the report.
void log_warning(const std::string& text, const std::string& hint = {});

/// All warnings so far, in order.
std::vector<std::string> logged_warnings();

}  // namespace accord
