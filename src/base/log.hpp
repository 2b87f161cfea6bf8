// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace accord {

/// The level of a message, the most important first.
enum class LogLevel {
  warning,
  notice,   ///< for everybody
  verbose,  ///< what is done and how long it took
  detail,   ///< for debugging
};

/// Receives a message: one line without a line end, and a hint (may be empty). It is called by one
/// thread at a time and must not log.
using LogSink = std::function<void(LogLevel, const std::string& text, const std::string& hint)>;

/// Every message goes to `sink` from now on. Without one, messages go nowhere.
void set_log_sink(LogSink sink);

void log_notice(const std::string& text);
void log_verbose(const std::string& line);
void log_detail(const std::string& line);

/// A warning is also kept, for the report.
void log_warning(const std::string& text, const std::string& hint = {});

/// A warning as it was logged.
struct Warning {
  std::string text;
  std::string hint;  ///< what can be tried; may be empty
};

/// While it lives, it keeps the warnings of its thread, instead of the list of the process. The
/// sink receives them as well. If a thread has several scopes, the innermost one keeps the
/// warnings.
class WarningScope {
 public:
  WarningScope();
  ~WarningScope();
  WarningScope(const WarningScope&) = delete;
  WarningScope& operator=(const WarningScope&) = delete;

  const std::vector<Warning>& warnings() const noexcept { return warnings_; }
  void keep(Warning warning) { warnings_.push_back(std::move(warning)); }

 private:
  std::vector<Warning> warnings_;
  WarningScope* outer_;
};

/// All warnings so far, in order: of the process, or of the calling thread's WarningScope.
std::vector<std::string> logged_warnings();

}  // namespace accord
