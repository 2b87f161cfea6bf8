// SPDX-License-Identifier: Apache-2.0
// Small text functions that many files use.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace accord {

/// Formats the values as printf does.
[[gnu::format(printf, 1, 2)]] std::string formatted(const char* format, ...);

/// A number and its noun: "1 row", "3 rows". `several` is the noun for all numbers but 1; if it is
/// empty, `one` with an s.
std::string counted(std::size_t count, const std::string& one, const std::string& several = {});

/// A number of bytes, rounded up: "1 byte", "833 bytes", "12 KiB", "15 MiB", or "3.2 GiB".
std::string format_bytes(double bytes);

/// Splits a text at its separators. n separators give n + 1 parts, some of them perhaps empty. The
/// parts are views into `text`.
std::vector<std::string_view> split(std::string_view text, char separator);

/// The text in lower case; only ASCII letters change.
std::string lower_case(std::string_view text);

/// The text as the content of an element or an attribute of HTML or XML: `&`, `<`, `>` and `"` are
/// entities.
std::string escaped_markup(std::string_view text);

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
