// SPDX-License-Identifier: Apache-2.0
#include "io/files/utf8.hpp"

#include <algorithm>

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

std::size_t display_width(std::string_view text) {
  if (!is_utf8(text)) return text.size();
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0) != 0x80;  // skips continuation bytes
  }));
}

}  // namespace accord
