// SPDX-License-Identifier: Apache-2.0
// Setters and parsers of values, for the tables of options.
#pragma once
#include <cstdint>
#include <functional>
#include <string>

#include "accord/base/error.hpp"
#include "base/text.hpp"
#include "io/formats/formats.hpp"
#include "options/option_field.hpp"

namespace accord {

/// Throws  Error{usage} with the text and the hint, always.
[[noreturn]] inline void usage_error(const std::string& text, const std::string& hint) {
  throw Error(ErrorKind::usage, text, hint);
}

/// The format that a name stands for, for an output.
/// Throws  Error{usage} for another name, or a format that can only be read; the hint lists the
///         names.
AlignmentFormat parse_format(const std::string& option, const std::string& text);

/// A setter that keeps the value as it stands.
inline std::function<void(const std::string&)> keep_in(std::string& target) {
  return [&target](const std::string& value) { target = value; };
}

/// A setter for an option without a value.
inline std::function<void(const std::string&)> flag_in(bool& target) {
  return [&target](const std::string&) { target = true; };
}

/// A setter for an option with two words: sets `target` to whether the value is `second`.
/// Throws  Error{usage} from the setter, for another word.
std::function<void(const std::string&)> choice_in(bool& target, const std::string& option,
                                                  const std::string& first,
                                                  const std::string& second);

/// Reads a whole number of at least `least`; `option` names the option in messages.
/// Throws  Error{usage} if the text is not a whole number, or is smaller or too large.
int parse_count(const std::string& option, const std::string& text, int least = 0);

/// Reads a time, such as "90" (seconds), "10m", "2h" or "1d"; returns seconds.
/// Throws  Error{usage} if the text is no such time.
double parse_seconds(const std::string& option, const std::string& text);

/// Reads a size in bytes, such as "1000000", "512K", "512 MB", "6GiB" or "1.5t". Units are powers
/// of 1024, with or without B or iB, in letters of either case.
/// Throws  Error{usage} if the text is no such size, or is 0.
std::uint64_t parse_size(const std::string& option, const std::string& text);

/// A setter for a number of at least 0.
template <class Number>
std::function<void(const std::string&)> count_in(Number& target, const char* option) {
  return [&target, option](const std::string& value) { target = parse_count(option, value); };
}

}  // namespace accord
