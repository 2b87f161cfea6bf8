// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace accord {

/// The level of a message, the most important level first.
enum class LogLevel {
  warning,
  notice,   ///< for everybody
  verbose,  ///< steps and their times
  detail,   ///< for debugging
};

/// Receives a message: one line without a line end, and a hint (may be empty). One thread at a time
/// calls it. It must not log.
using LogSink = std::function<void(LogLevel, const std::string& text, const std::string& hint)>;

/// Sends every message to `sink` from now on. Without a sink, messages are dropped.
void set_log_sink(LogSink sink);

/// Log a message of the level that the function's name has: one line, without a line end. `hint` is
/// what the user can try, and may be empty.
void log_notice(const std::string& text, const std::string& hint = {});
void log_verbose(const std::string& line);
void log_detail(const std::string& line);

/// Logs a warning and stores it for the report. `text` has no line end; `hint` is what the user can
/// try, and may be empty.
void log_warning(const std::string& text, const std::string& hint = {});

/// A warning as it was logged.
struct Warning {
  std::string text;
  std::string hint;  ///< what the user can try; may be empty
};

/// While it exists, it collects the warnings of its thread; the list of the process does not get
/// them. The sink receives them as well. If a thread has several scopes, the innermost one
/// collects.
class WarningScope {
 public:
  /// Becomes the innermost scope of the calling thread. The same thread must destroy its scopes,
  /// the last one first.
  WarningScope();
  ~WarningScope();
  WarningScope(const WarningScope&) = delete;
  WarningScope& operator=(const WarningScope&) = delete;

  const std::vector<Warning>& warnings() const noexcept { return warnings_; }
  /// Adds a warning; log_warning() calls it.
  void keep(Warning warning) { warnings_.push_back(std::move(warning)); }

 private:
  std::vector<Warning> warnings_;
  WarningScope* outer_;
};

/// A message that a LogHold keeps.
struct HeldMessage {
  LogLevel level;
  std::string text, hint;
};

/// While it exists, it keeps the messages of its thread, so that a loop of several threads can log
/// them in an order that does not depend on the threads.
class LogHold {
 public:
  /// Keeps the messages of the calling thread. The same thread must destroy its holds, the last one
  /// first.
  LogHold();
  ~LogHold();
  LogHold(const LogHold&) = delete;
  LogHold& operator=(const LogHold&) = delete;

  /// Moves out the messages so far.
  std::vector<HeldMessage> take() { return std::exchange(messages_, {}); }
  /// Adds a message; the functions that log call it.
  void keep(HeldMessage message) { messages_.push_back(std::move(message)); }

 private:
  std::vector<HeldMessage> messages_;
  LogHold* outer_;
};

/// Logs messages that a LogHold has kept.
void log_held(const std::vector<HeldMessage>& messages);

/// The texts of all warnings so far, in order, without hints: the warnings of the calling thread's
/// WarningScope, or, if the thread has none, those of the process.
std::vector<std::string> logged_warnings();

}  // namespace accord
