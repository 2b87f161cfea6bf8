// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace accord {

/// Returns an option in the words of one interface. `name`: the name of the option on the command
/// line, without dashes, such as "device". `value`: the value in the hint, such as "none"; empty if
/// the hint gives no value.
using OptionWords = std::string (*)(const std::string& name, const std::string& value);

/// Replaces each option in a hint by the words of an interface. Hints name options by their command
/// line names, `{prune}` or `{device=none}`. Hints must not contain text of the user, since that
/// may contain braces. The texts of errors and warnings name no options.
std::string with_option_words(const std::string& hint, OptionWords words);

/// A hint in the words of the command line (see with_option_words): --prune,
/// '--device none'.
std::string command_line_hint(const std::string& hint);

}  // namespace accord
