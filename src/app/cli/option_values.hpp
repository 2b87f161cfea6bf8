// SPDX-License-Identifier: Apache-2.0
// What the tables of options share: setters, and values as a command line has them.
#pragma once
#include <cstdint>
#include <functional>
#include <string>

#include "accord/base/error.hpp"
#include "base/text.hpp"
#include "io/formats/formats.hpp"

namespace accord {

/// Throws  Error{usage}, always.
[[noreturn]] inline void usage_error(const std::string& text, const std::string& hint) {
  throw Error(ErrorKind::usage, text, hint);
}

/// The format of a name. Errors  Error{usage} with the names that there are.
AlignmentFormat parse_format(const std::string& option, const std::string& text);

/// A setter that keeps the value as it stands.
inline std::function<void(const std::string&)> keep_in(std::string& target) {
  return [&target](const std::string& value) { target = value; };
}

/// A setter for an option without a value.
inline std::function<void(const std::string&)> flag_in(bool& target) {
  return [&target](const std::string&) { target = true; };
}

/// A setter for one of two words; keeps whether it was the second.
std::function<void(const std::string&)> choice_in(bool& target, const std::string& option,
                                                  const std::string& first,
                                                  const std::string& second);

/// A number of at least `least` for an option.
/// Throws  Error{usage} if the text is not a whole number, or is smaller or too large.
int parse_count(const std::string& option, const std::string& text, int least = 0);

/// Seconds for an option: "90", "10m", "2h", "1d".
/// Throws  Error{usage}
double parse_seconds(const std::string& option, const std::string& text);

/// A number of bytes for an option, such as "1000000", "512K", "512 MB", "6GiB" or "1.5t": units
/// are powers of 1024, with or without B or iB, in letters of either case. Errors  Error{usage} if
/// the text is no such size, or is 0.
std::uint64_t parse_size(const std::string& option, const std::string& text);

/// A setter for a number of at least 0.
template <class Number>
std::function<void(const std::string&)> count_in(Number& target, const char* option) {
  return [&target, option](const std::string& value) { target = parse_count(option, value); };
}

}  // namespace accord
