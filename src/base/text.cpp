// SPDX-License-Identifier: Apache-2.0
#include "base/text.hpp"

#include <cctype>
#include <cmath>
#include <cstdarg>
#include <cstdio>

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
  constexpr double kMebibyte = 1024.0 * 1024.0;
  return bytes >= 1024 * kMebibyte ? formatted("%.1f GiB", bytes / (1024 * kMebibyte))
                                   : formatted("%.0f MiB", std::ceil(bytes / kMebibyte));
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

std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

}  // namespace accord
