// SPDX-License-Identifier: Apache-2.0
#include "io/formats/odd_characters.hpp"

#include "base/text.hpp"

namespace accord {

std::string format_character(char c) {
  if (c > ' ' && c <= '~') return std::string("'") + c + "'";
  return formatted("byte 0x%02X", static_cast<unsigned char>(c));
}

std::string OddCharacters::listed() const {
  constexpr std::size_t kShown = 5;
  std::string text;
  std::size_t shown = 0;
  for (std::size_t byte = 0; byte < counts_.size(); ++byte) {
    if (counts_[byte] == 0) continue;
    if (shown == kShown) return text + ", ...";
    text += (shown++ > 0 ? ", " : "") + format_character(static_cast<char>(byte));
  }
  return text;
}

}  // namespace accord
