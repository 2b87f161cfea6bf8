// SPDX-License-Identifier: Apache-2.0
// Small works on texts that many files need.
#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace accord {

/// What printf would print.
[[gnu::format(printf, 1, 2)]] std::string formatted(const char* format, ...);

/// A number and its noun: "1 row", "3 rows". `several` is the noun of other numbers than 1; empty:
/// `one` with an s.
std::string counted(std::size_t count, const std::string& one, const std::string& several = {});

/// The parts of a text between separators: one more than there are separators.
std::vector<std::string_view> split(std::string_view text, char separator);

/// The text with small letters for capital ones (ASCII).
std::string lower_case(std::string_view text);

}  // namespace accord
