// SPDX-License-Identifier: Apache-2.0
#include "base/log.hpp"

#include <mutex>

namespace accord {
namespace {

std::mutex g_mutex;
LogSink g_sink;
std::vector<std::string> g_warnings;
thread_local WarningScope* t_scope = nullptr;
thread_local LogHold* t_hold = nullptr;

void log(LogLevel level, const std::string& text, const std::string& hint = {}) {
  if (t_hold != nullptr) return t_hold->keep({level, text, hint});
  const bool is_warning = level == LogLevel::warning;
  if (is_warning && t_scope != nullptr) t_scope->keep({text, hint});
  const std::lock_guard lock(g_mutex);
  if (is_warning && t_scope == nullptr) g_warnings.push_back(text);
  if (g_sink) g_sink(level, text, hint);
}

}  // namespace

void set_log_sink(LogSink sink) {
  const std::lock_guard lock(g_mutex);
  g_sink = std::move(sink);
}

void log_notice(const std::string& text, const std::string& hint) {
  log(LogLevel::notice, text, hint);
}

void log_verbose(const std::string& line) { log(LogLevel::verbose, line); }

void log_detail(const std::string& line) { log(LogLevel::detail, line); }

void log_warning(const std::string& text, const std::string& hint) {
  log(LogLevel::warning, text, hint);
}

WarningScope::WarningScope() : outer_(std::exchange(t_scope, this)) {}

WarningScope::~WarningScope() { t_scope = outer_; }

LogHold::LogHold() : outer_(std::exchange(t_hold, this)) {}

LogHold::~LogHold() { t_hold = outer_; }

void log_held(const std::vector<HeldMessage>& messages) {
  for (const auto& [level, text, hint] : messages) log(level, text, hint);
}

std::vector<std::string> logged_warnings() {
  if (t_scope != nullptr) {
    std::vector<std::string> texts;
    for (const Warning& warning : t_scope->warnings()) texts.push_back(warning.text);
    return texts;
  }
  const std::lock_guard lock(g_mutex);
  return g_warnings;
}

}  // namespace accord
