// SPDX-License-Identifier: Apache-2.0
#include "base/option_words.hpp"

namespace accord {

std::string with_option_words(const std::string& hint, OptionWords words) {
  constexpr const char* kNameCharacters = "abcdefghijklmnopqrstuvwxyz-";
  std::string text;
  std::size_t at = 0;
  for (std::size_t open = 0; (open = hint.find('{', open)) != hint.npos; ++open) {
    const std::size_t close = hint.find('}', open);
    if (close == hint.npos) break;
    const std::size_t end = hint.find_first_not_of(kNameCharacters, open + 1);
    if (end == open + 1 || (end != close && hint[end] != '=')) continue;  // not an option
    const std::string value = end < close ? hint.substr(end + 1, close - end - 1) : "";
    text += hint.substr(at, open - at) + words(hint.substr(open + 1, end - open - 1), value);
    at = close + 1;
    open = close;
  }
  return text + hint.substr(at);
}

}  // namespace accord
