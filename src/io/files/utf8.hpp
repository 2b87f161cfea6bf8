// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace accord {

/// True if the bytes are well-formed UTF-8 (Unicode 15, table 3-7), which includes ASCII.
bool is_utf8(std::string_view bytes);

/// Returns the bytes unchanged if they are UTF-8; else converts them from Latin-1, so that nothing
/// is lost.
std::string as_utf8(std::string_view bytes);

/// The text as a message shows it, in UTF-8: a byte that is no UTF-8 is a character of Latin-1, and
/// a control character an escape such as \x1B or \u202E.
std::string printable(std::string_view bytes);

/// The longest beginning of a text that has at most `most` bytes and ends with a whole character;
/// each byte is a character if the text is not UTF-8.
std::string_view first_characters(std::string_view text, std::size_t most);

/// The number of characters of a text: code points if it is UTF-8, else bytes.
std::size_t display_width(std::string_view text);

}  // namespace accord
