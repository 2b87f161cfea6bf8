// SPDX-License-Identifier: Apache-2.0
// Setters and parsers of values, for the tables of options. A setter writes into `target`, which
// must outlive the setter. `option` is the name of the option without dashes.
#pragma once
#include <functional>
#include <string>

#include "accord/base/error.hpp"
#include "app/cli/command.hpp"
#include "base/text.hpp"
#include "io/formats/formats.hpp"
#include "options/option_field.hpp"

namespace accord {

/// Throws  Error{usage} with the text and the hint, always.
[[noreturn]] inline void usage_error(const std::string& text, const std::string& hint) {
  throw Error(ErrorKind::usage, text, hint);
}

/// The format of an output that `text` names; `option` names the option in messages.
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

/// Appends an option that `accord --help` shows, without a short name. `value` is the word for its
/// value in the help, "" for an option without a value; `set` is called with the value.
void add_common_option(OptionTable& table, const std::string& name, const std::string& value,
                       const std::string& help, OptionTopic topic,
                       std::function<void(const std::string&)> set);

/// Reads a whole number of at least `least`; `option` names the option in messages.
/// Throws  Error{usage} if the text is not a whole number, or is smaller or too large.
int parse_count(const std::string& option, const std::string& text, int least = 0);

/// A setter for a number of at least 0. The text `option` must outlive the setter.
/// Throws  as parse_count, from the setter.
template <class Number>
std::function<void(const std::string&)> count_in(Number& target, const char* option) {
  return [&target, option](const std::string& value) { target = parse_count(option, value); };
}

}  // namespace accord
