// SPDX-License-Identifier: Apache-2.0
#include "accord/base/log.hpp"

#include <mutex>
#include <utility>

namespace accord {
namespace {

std::mutex g_mutex;
LogSink g_sink;
std::vector<std::string> g_warnings;

void log(LogLevel level, const std::string& text, const std::string& hint = {}) {
  const std::lock_guard lock(g_mutex);
  if (level == LogLevel::warning) g_warnings.push_back(text);
  if (g_sink) g_sink(level, text, hint);
}

}  // namespace

void set_log_sink(LogSink sink) {
  const std::lock_guard lock(g_mutex);
  g_sink = std::move(sink);
}

void log_notice(const std::string& text) { log(LogLevel::notice, text); }

void log_verbose(const std::string& line) { log(LogLevel::verbose, line); }

void log_detail(const std::string& line) { log(LogLevel::detail, line); }

void log_warning(const std::string& text, const std::string& hint) {
  log(LogLevel::warning, text, hint);
}

std::vector<std::string> logged_warnings() {
  const std::lock_guard lock(g_mutex);
  return g_warnings;
}

}  // namespace accord
