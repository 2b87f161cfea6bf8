// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdarg>

namespace accord {

std::string formatted(const char* format, ...) {
  std::va_list values, again;
  va_start(values, format);
  va_copy(again, values);
  std::string text(static_cast<std::size_t>(std::vsnprintf(nullptr, 0, format, values)), '\0');
  std::vsnprintf(text.data(), text.size() + 1, format, again);
  va_end(again);
  va_end(values);
  return text;
}

std::string counted(std::size_t count, const std::string& one, const std::string& several) {
  return std::to_string(count) + " " + (count == 1 ? one : several.empty() ? one + "s" : several);
}

std::string format_bytes(double bytes) {
  constexpr double kKibibyte = 1024, kMebibyte = 1024 * kKibibyte, kGibibyte = 1024 * kMebibyte;
  const double whole = std::ceil(bytes);
  if (whole < kKibibyte) return counted(static_cast<std::size_t>(std::max(0.0, whole)), "byte");
  const double kibibytes = std::ceil(bytes / kKibibyte), mebibytes = std::ceil(bytes / kMebibyte);
  if (kibibytes < kKibibyte) return formatted("%.0f KiB", kibibytes);
  if (mebibytes < kKibibyte) return formatted("%.0f MiB", mebibytes);
  return formatted("%.1f GiB", bytes / kGibibyte);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  while (true) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == text.npos) return parts;
    text.remove_prefix(end + 1);
  }
}

std::string escaped_markup(std::string_view text) {
  std::string safe;
  for (const char c : text) {
    switch (c) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      case '"':
        safe += "&quot;";
        break;
      default:
        safe += c;
    }
  }
  return safe;
}

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

std::string with_option_words(const std::string& hint, OptionWords words) {
  constexpr const char* kNameCharacters = "abcdefghijklmnopqrstuvwxyz-";
  std::string text;
  std::size_t at = 0;
  for (std::size_t open = 0; (open = hint.find('{', open)) != hint.npos; ++open) {
    const std::size_t close = hint.find('}', open);
    if (close == hint.npos) break;
    const std::size_t end = hint.find_first_not_of(kNameCharacters, open + 1);
    if (end == open + 1 || (end != close && hint[end] != '=')) continue;  // not an option
    const std::string value = end < close ? hint.substr(end + 1, close - end - 1) : "";
    text += hint.substr(at, open - at) + words(hint.substr(open + 1, end - open - 1), value);
    at = close + 1;
    open = close;
  }
  return text + hint.substr(at);
}

std::string command_line_hint(const std::string& hint) {
  return with_option_words(hint, [](const std::string& name, const std::string& value) {
    return value.empty() ? "--" + name : "'--" + name + " " + value + "'";
  });
}

}  // namespace accord
