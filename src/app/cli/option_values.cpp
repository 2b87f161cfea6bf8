// SPDX-License-Identifier: Apache-2.0
#include "app/cli/option_values.hpp"

#include <charconv>
#include <cmath>
#include <cstdint>
#include <string_view>

namespace accord {

AlignmentFormat parse_format(const std::string& option, const std::string& text) {
  const bool is_input = option == "in-format";
  const std::optional<AlignmentFormat> format = format_named(lower_case(text));
  if (format && (is_input || is_writable(*format))) return *format;
  usage_error("--" + option + " " + text + (format ? ": can only be read" : ": unknown format"),
              "use " + (is_input ? readable_formats() : writable_formats()));
}

std::function<void(const std::string&)> choice_in(bool& target, const std::string& option,
                                                  const std::string& first,
                                                  const std::string& second) {
  return [&target, option, first, second](const std::string& value) {
    if (value != first && value != second) {
      usage_error("--" + option + " " + value + ": unknown word", "use " + first + " or " + second);
    }
    target = value == second;
  };
}

int parse_count(const std::string& option, const std::string& text, int least) {
  int value = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value);
  const std::string shown = "--" + option + " " + text;
  if (parsed.ec == std::errc::result_out_of_range) {
    usage_error(shown + ": the number is too large", "use a smaller number");
  }
  if (parsed.ec != std::errc() || parsed.ptr != end) {
    usage_error(shown + ": not a whole number",
                "use a number such as " + std::to_string(least + 2));
  }
  if (value < least) {
    usage_error(shown + ": too small", "use " + std::to_string(least) + " or more");
  }
  return value;
}

std::uint64_t parse_size(const std::string& option, const std::string& text) {
  constexpr std::string_view kUnits = "kmgt";
  constexpr double kMost = 0x1p62;
  const std::string lower = lower_case(text);
  double size = 0;
  const char* end = lower.data() + lower.size();
  const auto parsed = std::from_chars(lower.data(), end, size, std::chars_format::fixed);
  std::string_view rest(parsed.ptr, static_cast<std::size_t>(end - parsed.ptr));
  if (rest.starts_with(' ')) rest.remove_prefix(1);
  const std::size_t place = rest.empty() ? kUnits.npos : kUnits.find(rest.front());
  const std::size_t unit = place == kUnits.npos ? 0 : place + 1;
  if (unit > 0) rest.remove_prefix(1);
  const bool is_read =
      parsed.ec == std::errc() && (rest.empty() || rest == "b" || (unit > 0 && rest == "ib"));
  const double bytes = std::floor(std::ldexp(size, static_cast<int>(10 * unit)));
  if (!is_read || !(bytes >= 1 && bytes <= kMost)) {
    usage_error("--" + option + " " + text + ": not a size",
                "use bytes, or a size such as 512M or 6G");
  }
  return static_cast<std::uint64_t>(bytes);
}

double parse_seconds(const std::string& option, const std::string& text) {
  double value = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value, std::chars_format::fixed);
  const std::string unit = lower_case(std::string(parsed.ptr, end));
  const double factor = unit.empty() || unit == "s" ? 1
                        : unit == "m"               ? 60
                        : unit == "h"               ? 3600
                        : unit == "d"               ? 86400
                                                    : 0;
  constexpr double kLongest = 1e9;
  if (parsed.ec != std::errc() || factor == 0 || !(value > 0) || value * factor > kLongest) {
    usage_error("--" + option + " " + text + ": not a time", "use a time such as 90, 10m or 2h");
  }
  return value * factor;
}

}  // namespace accord
