// SPDX-License-Identifier: Apache-2.0
#include "accord/base/log.hpp"

#include <cstdio>
#include <mutex>

namespace accord {
namespace {
std::mutex g_mutex;
Verbosity g_verbosity = Verbosity::normal;
std::vector<std::string> g_warnings;
}  // namespace

void set_verbosity(Verbosity verbosity) {
  const std::lock_guard lock(g_mutex);
  g_verbosity = verbosity;
}

void log_verbose(const std::string& line) {
  const std::lock_guard lock(g_mutex);
  if (g_verbosity == Verbosity::verbose) std::fprintf(stderr, "%s\n", line.c_str());
}

void log_notice(const std::string& text) {
  const std::lock_guard lock(g_mutex);
  if (g_verbosity != Verbosity::quiet) std::fprintf(stderr, "accord: %s\n", text.c_str());
}

void log_warning(const std::string& text, const std::string& hint) {
  const std::lock_guard lock(g_mutex);
  g_warnings.push_back(text);
  if (g_verbosity == Verbosity::quiet) return;
  std::fprintf(stderr, "accord: warning: %s\n", text.c_str());
  if (!hint.empty()) std::fprintf(stderr, "  hint: %s\n", hint.c_str());
}

std::vector<std::string> logged_warnings() {
  const std::lock_guard lock(g_mutex);
  return g_warnings;
}

}  // namespace accord
