// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string>
#include <vector>

namespace accord {

/// What a message is, the most important first.
enum class LogLevel {
  warning,
  notice,   ///< for everybody
  verbose,  ///< what is done and how long it took
  detail,   ///< for those who look for a fault
};

/// Takes a message: one line without a line end, and what can be tried (may be empty). It is called
/// by one thread at a time and must not log.
using LogSink = std::function<void(LogLevel, const std::string& text, const std::string& hint)>;

/// Every message goes to `sink` from now on. Without one, messages go nowhere.
void set_log_sink(LogSink sink);

void log_notice(const std::string& text);
void log_verbose(const std::string& line);
void log_detail(const std::string& line);

/// A warning is also kept, for the report.
void log_warning(const std::string& text, const std::string& hint = {});

/// All warnings so far, in order.
std::vector<std::string> logged_warnings();

}  // namespace accord
