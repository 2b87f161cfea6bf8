// SPDX-License-Identifier: Apache-2.0
#include "engine/opencl/fault.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "accord/base/error.hpp"
#include "base/log.hpp"
#include "base/text.hpp"

namespace accord::ocl {

std::atomic<bool> g_calls_are_watched{false};

namespace {

/// The calls that fail, and their error code.
struct Rule {
  std::optional<Entry> entry;  // any if not set
  std::uint64_t first = 0;     // counted from 1
  bool and_later = false;
  int code = 0;
};

std::mutex g_mutex;  // of the rules
std::vector<Rule> g_rules;
std::array<std::atomic<std::uint64_t>, kEntryCount> g_calls;
std::atomic<std::uint64_t> g_all_calls;

template <class T>
bool read_number(std::string_view text, T& value) {
  const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
  return result.ec == std::errc() && result.ptr == text.data() + text.size();
}

std::optional<Rule> parse_rule(std::string_view text) {
  std::vector<std::string_view> parts = split(text, ':');
  Rule rule;
  if (parts.size() == 3) {
    const auto name = std::find(std::begin(kEntryNames), std::end(kEntryNames), parts[0]);
    if (name == std::end(kEntryNames)) return std::nullopt;
    rule.entry = static_cast<Entry>(name - std::begin(kEntryNames));
    parts.erase(parts.begin());
  }
  if (parts.size() != 2) return std::nullopt;
  rule.and_later = parts[0].ends_with('+');
  if (rule.and_later) parts[0].remove_suffix(1);
  const bool is_read = read_number(parts[0], rule.first) && read_number(parts[1], rule.code);
  if (!is_read || rule.first == 0 || rule.code == 0) return std::nullopt;
  return rule;
}

void print_counts() {
  if (!g_calls_are_watched) return;
  for (const auto& [name, count] : counted_calls()) {
    log_notice("opencl calls " + name + " " + std::to_string(count));
  }
}

}  // namespace

void inject_faults(const std::string& rules) {
  std::vector<Rule> parsed;
  bool is_counting = false;
  for (std::string_view text :
       rules.empty() ? std::vector<std::string_view>() : split(rules, ',')) {
    if (text == "count") {
      is_counting = true;
      continue;
    }
    const std::optional<Rule> rule = parse_rule(text);
    if (!rule) {
      throw Error(ErrorKind::usage, "ACCORD_OPENCL_FAULT=" + rules + ": cannot be read",
                  "it is for tests; write FUNCTION:NUMBER:CODE, NUMBER:CODE or count, or unset it");
    }
    parsed.push_back(*rule);
  }
  const std::lock_guard lock(g_mutex);
  g_rules = std::move(parsed);
  for (auto& calls : g_calls) calls = 0;
  g_all_calls = 0;
  if (is_counting) std::atexit(print_counts);
  g_calls_are_watched = !rules.empty();
}

std::map<std::string, std::uint64_t> counted_calls() {
  std::map<std::string, std::uint64_t> counts{{"all", g_all_calls}};
  for (int k = 0; k < kEntryCount; ++k) {
    if (g_calls[k] > 0) counts[kEntryNames[k]] = g_calls[k];
  }
  return counts;
}

int watch_call(Entry entry) {
  // While a command runs, its state is asked for again and again. These calls are left out of the
  // count of all calls: otherwise the numbers of later calls would depend on the speed of the
  // machine.
  const bool is_poll = entry == Entry::clGetEventInfo;
  const std::uint64_t of_all = is_poll ? g_all_calls.load() : ++g_all_calls;
  const std::uint64_t of_entry = ++g_calls[static_cast<int>(entry)];
  const std::lock_guard lock(g_mutex);
  for (const Rule& rule : g_rules) {
    const bool is_meant = rule.entry ? *rule.entry == entry : rule.and_later || !is_poll;
    const std::uint64_t number = rule.entry ? of_entry : of_all;
    if (!is_meant || number < rule.first || (number > rule.first && !rule.and_later)) continue;
    log_verbose("injected fault: " + std::string(kEntryNames[static_cast<int>(entry)]) + ", call " +
                std::to_string(number) + ", code " + std::to_string(rule.code));
    return rule.code;
  }
  return 0;
}

}  // namespace accord::ocl
