// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

namespace accord {

/// An option in the words of an interface; `value` is empty where none is meant.
using OptionWords = std::string (*)(const std::string& name, const std::string& value);

/// A hint in the words of an interface. Hints of the library, of errors and of warnings, name
/// options as the command line calls them, `{prune}` or `{device=none}`, and have no text of the
/// user, which may have braces; the texts of errors and warnings name no options.
std::string with_option_words(const std::string& hint, OptionWords words);

/// A hint in the words of the command line (see with_option_words): --prune,
/// '--device none'.
std::string command_line_hint(const std::string& hint);

}  // namespace accord
