// SPDX-License-Identifier: Apache-2.0
#include "options/option_field.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <string_view>
#include <system_error>

#include "accord/base/error.hpp"
#include "base/paths.hpp"
#include "base/text.hpp"
#include "io/files/text_input.hpp"

namespace accord {
namespace {

[[noreturn]] void refuse(const std::string& text, const std::string& hint) {
  throw Error(ErrorKind::usage, text, hint);
}

bool has_word(const OptionField& field, const std::string& word) {
  return std::ranges::find(field.words, word) != field.words.end();
}

bool read_flag(const std::string& text, const std::string& what) {
  const std::string word = lower_case(text);
  if (word.empty() || word == "true") return true;
  if (word == "false") return false;
  refuse(what + ": unknown word", "use true or false");
}

std::string read_word(const OptionField& field, const std::string& text, const std::string& what) {
  std::string word = lower_case(text);
  if (has_word(field, word)) return word;
  refuse(what + ": unknown word", "use " + listed(field.words));
}

/// Returns the word in small letters, or the name of a file: a text with a suffix, a directory, a
/// colon or a brace, or the name of a file that is there.
/// Throws  Error{usage} for another text.
std::string read_word_or_file(const OptionField& field, const std::string& text,
                              const std::string& what) {
  std::string word = lower_case(text);
  if (has_word(field, word)) return word;
  if (text == "-" || text.find_first_of("./:{") != text.npos || path_exists(text)) {
    return text;
  }
  std::vector<std::string> choices = field.words;
  choices.emplace_back("the name of a file");
  refuse(what + ": neither a word of the option nor a file that is there",
         "use " + listed(choices));
}

std::string read_word_or_number(const OptionField& field, const std::string& text,
                                const std::string& what) {
  std::string word = lower_case(text);
  if (has_word(field, word)) return word;
  double number = 0;
  const char* const end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, number);
  if (parsed.ec == std::errc() && parsed.ptr == end && std::isfinite(number)) return text;
  std::vector<std::string> choices = field.words;
  choices.emplace_back("a number");
  refuse(what + ": neither a word of the option nor a number", "use " + listed(choices));
}

std::array<double, 2> read_numbers(const std::string& text, const std::string& what) {
  std::array<double, 2> numbers{};
  const char* const end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, numbers[0]);
  if (first.ec == std::errc() && first.ptr != end && *first.ptr == ',') {
    const auto second = std::from_chars(first.ptr + 1, end, numbers[1]);
    if (second.ec == std::errc() && second.ptr == end) return numbers;
  }
  refuse(what + ": not two numbers", "use two numbers with a comma between them, such as 11,1");
}

double read_size(const std::string& text, const std::string& what) {
  const std::optional<double> bytes = parse_size(text);
  if (bytes) return *bytes;
  refuse(what + ": not a size", "use bytes, or a size such as 512M or 6G");
}

double read_seconds(const std::string& text, const std::string& what) {
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
    refuse(what + ": not a time", "use a time such as 90, 10m or 2h");
  }
  return value * factor;
}

OptionValue value_of(const OptionField& field, const std::string& text, const std::string& shown) {
  const std::string what = shown + " " + text;
  switch (field.type) {
    case OptionType::flag:
      return read_flag(text, what);
    case OptionType::count:
      return read_count(shown, text, text == field.standard ? 0 : field.least);
    case OptionType::word:
      return read_word(field, text, what);
    case OptionType::word_or_file:
      return read_word_or_file(field, text, what);
    case OptionType::word_or_number:
      return read_word_or_number(field, text, what);
    case OptionType::numbers:
      return read_numbers(text, what);
    case OptionType::size:
      return read_size(text, what);
    case OptionType::time:
      return read_seconds(text, what);
    case OptionType::text:
      return text;
    case OptionType::file:
      break;
  }
  return OptionFile{text, read_text(text)};
}

}  // namespace

const char* to_string(OptionType type) {
  switch (type) {
    case OptionType::flag:
      return "flag";
    case OptionType::count:
      return "count";
    case OptionType::word:
      return "word";
    case OptionType::word_or_file:
      return "word or file";
    case OptionType::word_or_number:
      return "word or number";
    case OptionType::numbers:
      return "numbers";
    case OptionType::size:
      return "size";
    case OptionType::time:
      return "time";
    case OptionType::text:
      return "text";
    case OptionType::file:
      break;
  }
  return "file";
}

std::string with_underscores(std::string name) {
  std::ranges::replace(name, '-', '_');
  return name;
}

std::string with_dashes(std::string name) {
  std::ranges::replace(name, '_', '-');
  return name;
}

std::string listed(const std::vector<std::string>& words) {
  std::string text;
  for (std::size_t k = 0; k < words.size(); ++k) {
    text += (k == 0 ? "" : k + 1 == words.size() ? " or " : ", ") + words[k];
  }
  return text;
}

int read_count(const std::string& shown, const std::string& text, int least) {
  int value = 0;
  const char* end = text.data() + text.size();
  const auto parsed = std::from_chars(text.data(), end, value);
  const std::string what = shown + " " + text;
  if (parsed.ec == std::errc::result_out_of_range) {
    refuse(what + ": the number is too large", "use a smaller number");
  }
  if (parsed.ec != std::errc() || parsed.ptr != end) {
    refuse(what + ": not a whole number", "use a number such as " + std::to_string(least + 2));
  }
  if (value < least) refuse(what + ": too small", "use " + std::to_string(least) + " or more");
  return value;
}

std::optional<double> parse_size(const std::string& text) {
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
  return is_read && bytes >= 1 && bytes <= kMost ? std::optional(bytes) : std::nullopt;
}

OptionValue read_option(const OptionField& field, const std::string& text,
                        const std::string& shown) {
  OptionValue value = value_of(field, text, shown);
  if (field.check != nullptr) field.check(value, shown + " " + text);
  return value;
}

std::string example_of(const OptionField& field) {
  if (!field.example.empty()) return field.example;
  switch (field.type) {
    case OptionType::count:
      return std::to_string(field.least + 3);
    case OptionType::word:
    case OptionType::word_or_file:
    case OptionType::word_or_number:
      return field.words.front() == field.standard ? field.words.back() : field.words.front();
    case OptionType::numbers:
      return "5,1";
    case OptionType::size:
      return "2G";
    case OptionType::time:
      return "10m";
    case OptionType::flag:
    case OptionType::file:
    case OptionType::text:
      break;
  }
  return "true";
}

}  // namespace accord
