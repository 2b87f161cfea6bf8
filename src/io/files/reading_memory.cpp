// SPDX-License-Identifier: Apache-2.0
#include "io/files/reading_memory.hpp"

#include <atomic>
#include <limits>
#include <utility>

#include "accord/base/error.hpp"
#include "base/system_limits.hpp"
#include "base/text.hpp"

namespace accord {
namespace {

constexpr std::size_t kNotSet = 0;
std::atomic<std::size_t> g_limit{kNotSet};

thread_local bool t_is_counting = false;
thread_local std::optional<std::size_t> t_limit;
thread_local std::size_t t_held = 0;

/// Half of the memory that the system allows this process.
std::size_t usual_limit() {
  static const std::size_t half =
      memory_limit().value_or(std::numeric_limits<std::size_t>::max()) / 2;
  return half;
}

}  // namespace

void set_reading_limit(std::optional<std::size_t> bytes) { g_limit = bytes.value_or(kNotSet); }

std::size_t reading_limit() {
  if (t_limit) return *t_limit;
  const std::size_t limit = g_limit;
  return limit == kNotSet ? usual_limit() : limit;
}

ReadingScope::ReadingScope(std::optional<std::size_t> limit)
    : is_counting_before_(std::exchange(t_is_counting, true)),
      limit_before_(t_limit),
      held_before_(t_held) {
  if (limit) t_limit = limit;
}

ReadingScope::~ReadingScope() {
  t_is_counting = is_counting_before_;
  t_limit = limit_before_;
  t_held = held_before_;
}

ReadingHold::ReadingHold(std::size_t bytes, const std::string& label, const std::string& what)
    : bytes_(bytes) {
  check_reading(bytes, label, what);
  t_held += bytes;
}

ReadingHold::~ReadingHold() { t_held -= bytes_; }

void check_reading(std::size_t bytes, const std::string& label, const std::string& what) {
  const std::size_t limit = reading_limit();
  if (t_held <= limit && bytes <= limit - t_held) return;
  const double need = static_cast<double>(bytes) + static_cast<double>(t_held);
  throw Error(ErrorKind::out_of_memory,
              "OutOfMemory: " + label + ": " + what + " take about " + format_bytes(need) +
                  " of memory while they are read; the limit is " +
                  format_bytes(static_cast<double>(limit)),
              "raise {memory}, or give a smaller input");
}

void count_reading(std::size_t bytes, const std::string& label, const std::string& what) {
  check_reading(bytes, label, what);
  if (t_is_counting) t_held += bytes;
}

}  // namespace accord
