// SPDX-License-Identifier: Apache-2.0
#include "accord/base/log.hpp"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <mutex>

#include "accord/base/error.hpp"

namespace accord {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

std::mutex g_mutex;
Verbosity g_verbosity = Verbosity::normal;
std::vector<std::string> g_warnings;
std::unique_ptr<std::FILE, CloseFile> g_file;
std::string g_status;
std::atomic<bool> g_has_status{false};

constexpr const char* kEraseLine = "\r\033[K";

void write_to_stderr(const std::string& text) {
  // In one piece, so that nobody sees the terminal between two states.
  std::fwrite(text.data(), 1, text.size(), stderr);
}

/// Writes lines to stderr if the verbosity is at least `least`, and to the log file.
void say(Verbosity least, const std::string& lines) {
  if (g_verbosity >= least) {
    write_to_stderr(g_status.empty() ? lines : kEraseLine + lines + g_status);
  }
  if (!g_file) return;
  // Flushed at once, because a run may end by a signal.
  std::fwrite(lines.data(), 1, lines.size(), g_file.get());
  std::fflush(g_file.get());
}

std::string with_hint(const std::string& text, const std::string& hint) {
  return text + "\n" + (hint.empty() ? "" : "  hint: " + hint + "\n");
}

}  // namespace

void set_verbosity(Verbosity verbosity) {
  const std::lock_guard lock(g_mutex);
  g_verbosity = verbosity;
}

void set_log_file(const std::string& path) {
  const std::lock_guard lock(g_mutex);
  g_file.reset(std::fopen(path.c_str(), "we"));
  if (g_file) return;
  throw Error(ErrorKind::cannot_create, "cannot create " + path + ": " + std::strerror(errno));
}

void log_detail(const std::string& line) {
  const std::lock_guard lock(g_mutex);
  say(Verbosity::detailed, line + "\n");
}

void log_verbose(const std::string& line) {
  const std::lock_guard lock(g_mutex);
  say(Verbosity::verbose, line + "\n");
}

void log_notice(const std::string& text) {
  const std::lock_guard lock(g_mutex);
  say(Verbosity::normal, "accord: " + text + "\n");
}

void log_line(const std::string& line) {
  const std::lock_guard lock(g_mutex);
  say(Verbosity::quiet, line + "\n");
}

void set_status_line(const std::string& line) {
  const std::lock_guard lock(g_mutex);
  if (line == g_status) return;
  write_to_stderr(kEraseLine + line);
  g_status = line;
  g_has_status = !line.empty();
}

bool has_status_line() { return g_has_status; }

void log_warning(const std::string& text, const std::string& hint) {
  const std::lock_guard lock(g_mutex);
  g_warnings.push_back(text);
  say(Verbosity::normal, with_hint("accord: warning: " + text, hint));
}

void log_error(const std::string& text, const std::string& hint) {
  const std::lock_guard lock(g_mutex);
  say(Verbosity::quiet, with_hint("accord: error: " + text, hint));
}

std::vector<std::string> logged_warnings() {
  const std::lock_guard lock(g_mutex);
  return g_warnings;
}

}  // namespace accord
