// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace accord {

/// Writes an option in the words of one interface; `value` is empty if the hint gives no value.
using OptionWords = std::string (*)(const std::string& name, const std::string& value);

/// Replaces each option in a hint by the words of an interface. Hints name options by their command
/// line names, `{prune}` or `{device=none}`. Hints must not contain text of the user, since that
/// may contain braces. The texts of errors and warnings name no options.
std::string with_option_words(const std::string& hint, OptionWords words);

}  // namespace accord
