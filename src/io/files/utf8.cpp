// SPDX-License-Identifier: Apache-2.0
#include "io/files/utf8.hpp"

#include <algorithm>
#include <cstdint>

#include "base/text.hpp"

namespace accord {
namespace {

bool is_between(unsigned char byte, unsigned char least, unsigned char most) {
  return byte >= least && byte <= most;
}

/// Length in bytes of the well-formed character at the start; 0 if there is none.
std::size_t character_bytes(std::string_view text) {
  const auto byte = [&](std::size_t k) {
    return k < text.size() ? static_cast<unsigned char>(text[k]) : static_cast<unsigned char>(0);
  };
  const auto follows = [&](std::size_t k) { return is_between(byte(k), 0x80, 0xbf); };
  const unsigned char first = byte(0);
  if (first < 0x80) return text.empty() ? 0 : 1;
  if (is_between(first, 0xc2, 0xdf)) return follows(1) ? 2 : 0;
  if (is_between(first, 0xe0, 0xef)) {  // no overlong forms, no surrogates
    const bool is_good =
        is_between(byte(1), first == 0xe0 ? 0xa0 : 0x80, first == 0xed ? 0x9f : 0xbf);
    return is_good && follows(2) ? 3 : 0;
  }
  if (!is_between(first, 0xf0, 0xf4)) return 0;
  const bool is_good =
      is_between(byte(1), first == 0xf0 ? 0x90 : 0x80, first == 0xf4 ? 0x8f : 0xbf);
  return is_good && follows(2) && follows(3) ? 4 : 0;
}

/// The code point of a well-formed character of this number of bytes.
std::uint32_t code_point(std::string_view character) {
  const auto first = static_cast<unsigned char>(character[0]);
  if (character.size() == 1) return first;
  std::uint32_t code = first & (0xff >> (character.size() + 1));
  for (const char c : character.substr(1))
    code = code << 6 | (static_cast<unsigned char>(c) & 0x3f);
  return code;
}

/// Whether a character moves the cursor, ends a line or changes the direction of a text.
bool is_control(std::uint32_t code) {
  const auto is_in = [&](std::uint32_t least, std::uint32_t most) {
    return code >= least && code <= most;
  };
  return code < 0x20 || is_in(0x7f, 0x9f) || is_in(0x200e, 0x200f) || is_in(0x2028, 0x202e) ||
         is_in(0x2066, 0x2069) || code == 0xfeff;
}

}  // namespace

bool is_utf8(std::string_view bytes) {
  while (!bytes.empty()) {
    const std::size_t length = character_bytes(bytes);
    if (length == 0) return false;
    bytes.remove_prefix(length);
  }
  return true;
}

std::string as_utf8(std::string_view bytes) {
  if (is_utf8(bytes)) return std::string(bytes);
  std::string text;
  for (const char c : bytes) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x80) {
      text += c;
    } else {
      text += static_cast<char>(0xc0 | (byte >> 6));
      text += static_cast<char>(0x80 | (byte & 0x3f));
    }
  }
  return text;
}

std::string printable(std::string_view bytes) {
  std::string shown;
  while (!bytes.empty()) {
    const std::size_t length = character_bytes(bytes);
    const std::string character =
        length == 0 ? as_utf8(bytes.substr(0, 1)) : std::string(bytes.substr(0, length));
    bytes.remove_prefix(std::max<std::size_t>(length, 1));
    const std::uint32_t code = code_point(character);
    if (is_control(code)) {
      shown += code < 0x100 ? formatted("\\x%02X", code) : formatted("\\u%04X", code);
    } else {
      shown += character;
    }
  }
  return shown;
}

std::string_view first_characters(std::string_view text, std::size_t most) {
  std::size_t bytes = 0;
  while (bytes < text.size()) {
    const std::size_t length = character_bytes(text.substr(bytes));
    if (length == 0) return text.substr(0, most);  // not UTF-8: a byte is a character
    if (bytes + length > most) break;
    bytes += length;
  }
  return text.substr(0, bytes);
}

std::size_t display_width(std::string_view text) {
  if (!is_utf8(text)) return text.size();
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;  // skips continuation bytes
  }));
}

}  // namespace accord
