// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace accord {

/// True if the bytes are well-formed UTF-8 (Unicode 15, table 3-7), as ASCII is.
bool is_utf8(std::string_view bytes);

/// The bytes as they stand if they are UTF-8; else each byte as the character of Latin-1 that it
/// is, so that nothing is lost.
std::string as_utf8(std::string_view bytes);

/// Characters of a text for readers that count them: code points of UTF-8, else bytes.
std::size_t display_width(std::string_view text);

}  // namespace accord
