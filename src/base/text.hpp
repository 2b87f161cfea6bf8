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

/// Formats a number of bytes, such as "3.2 GiB" or "15 MiB".
std::string format_bytes(double bytes);

/// Splits a text at its separators. n separators give n + 1 parts, some of them perhaps empty. The
/// parts are views into `text`.
std::vector<std::string_view> split(std::string_view text, char separator);

/// The text in lower case; only ASCII letters change.
std::string lower_case(std::string_view text);

}  // namespace accord
