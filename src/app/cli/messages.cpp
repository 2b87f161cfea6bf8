// SPDX-License-Identifier: Apache-2.0
#include "app/cli/messages.hpp"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <mutex>
#include <string_view>
#include <utility>

#include "accord/base/error.hpp"
#include "base/log.hpp"
#include "base/system.hpp"
#include "io/files/utf8.hpp"

namespace accord {
namespace {

struct CloseFile {
  void operator()(std::FILE* file) const { std::fclose(file); }
};

std::mutex g_mutex;
Verbosity g_verbosity = Verbosity::normal;
std::unique_ptr<std::FILE, CloseFile> g_file;
std::string g_unlogged;  // lines from before it was known whether there is a log file
bool g_log_is_known = false;
std::string g_status;
std::atomic<bool> g_has_status{false};

constexpr const char* kEraseLine = "\r\033[K";

void write_to_stderr(const std::string& text) {
  // In one piece, so that the terminal never shows a state in between.
  std::fwrite(text.data(), 1, text.size(), stderr);
}

/// Writes lines to stderr if the verbosity is at least `least`, and to the log file.
void say(Verbosity least, const std::string& lines) {
  const std::lock_guard lock(g_mutex);
  if (g_verbosity >= least) {
    write_to_stderr(g_status.empty() ? lines : kEraseLine + lines + g_status);
  }
  if (!g_log_is_known) g_unlogged += lines;
  if (!g_file) return;
  // Flushed at once, because a run may end by a signal.
  std::fwrite(lines.data(), 1, lines.size(), g_file.get());
  std::fflush(g_file.get());
}

/// The lines of a text, each printable(): names of files and sequences may hold any bytes.
std::string printable_lines(const std::string& text) {
  std::string lines;
  for (const std::string_view line : split(text, '\n')) lines += printable(line) + "\n";
  return lines;
}

std::string with_hint(const std::string& text, const std::string& hint) {
  return printable_lines(text) +
         (hint.empty() ? "" : printable_lines("  hint: " + command_line_hint(hint)));
}

void show(LogLevel level, const std::string& text, const std::string& hint) {
  switch (level) {
    case LogLevel::warning:
      return say(Verbosity::normal, with_hint("accord: warning: " + text, hint));
    case LogLevel::notice:
      return say(Verbosity::normal, with_hint("accord: " + text, hint));
    case LogLevel::verbose:
      return say(Verbosity::verbose, with_hint(text, hint));
    case LogLevel::detail:
      return say(Verbosity::detailed, with_hint(text, hint));
  }
}

}  // namespace

void show_messages() { set_log_sink(show); }

void set_verbosity(Verbosity verbosity) {
  const std::lock_guard lock(g_mutex);
  g_verbosity = verbosity;
}

void set_log_file(const std::string& path) {
  const std::lock_guard lock(g_mutex);
  const std::string lines = std::exchange(g_unlogged, {});
  g_log_is_known = true;
  if (path.empty()) return;
  g_file.reset(open_log(path));
  if (g_file) {
    std::fwrite(lines.data(), 1, lines.size(), g_file.get());
    return;
  }
  throw Error(ErrorKind::cannot_create, "cannot create " + path + ": " + std::strerror(errno),
              "name a file in a directory in which you may create one");
}

void print_error(const std::string& text, const std::string& hint) {
  say(Verbosity::quiet, with_hint("accord: error: " + text, hint));
}

void print_line(const std::string& line) { say(Verbosity::quiet, line + "\n"); }

void set_status_line(const std::string& line) {
  const std::lock_guard lock(g_mutex);
  if (line == g_status) return;
  write_to_stderr(kEraseLine + line);
  g_status = line;
  g_has_status = !line.empty();
}

bool has_status_line() { return g_has_status; }

}  // namespace accord
