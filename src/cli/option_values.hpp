// SPDX-License-Identifier: Apache-2.0
// What the tables of options share.
#pragma once
#include <functional>
#include <string>

#include "accord/base/error.hpp"
#include "accord/cli/options.hpp"

namespace accord {

/// Errors  Error{usage}, always.
[[noreturn]] inline void usage_error(const std::string& text, const std::string& hint) {
  throw Error(ErrorKind::usage, text, hint);
}

/// The format of a name. Errors  Error{usage} with the names that there are.
AlignmentFormat parse_format(const std::string& option, const std::string& text);

/// A setter that keeps the value as it stands.
inline std::function<void(const std::string&)> keep_in(std::string& target) {
  return [&target](const std::string& value) { target = value; };
}

/// A setter for a number of at least 0.
template <class Number>
std::function<void(const std::string&)> count_in(Number& target, const char* option) {
  return [&target, option](const std::string& value) { target = parse_count(option, value); };
}

}  // namespace accord
