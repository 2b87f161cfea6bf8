// SPDX-License-Identifier: Apache-2.0
#include "base/option_words.hpp"

#include <algorithm>

namespace accord {

std::string with_option_words(const std::string& hint, OptionWords words) {
  std::string text;
  std::size_t at = 0;
  for (std::size_t open; (open = hint.find('{', at)) != hint.npos;) {
    const std::size_t close = hint.find('}', open);
    if (close == hint.npos) break;
    const std::size_t equals = std::min(hint.find('=', open), close);
    const std::string value = equals < close ? hint.substr(equals + 1, close - equals - 1) : "";
    text += hint.substr(at, open - at) + words(hint.substr(open + 1, equals - open - 1), value);
    at = close + 1;
  }
  return text + hint.substr(at);
}

}  // namespace accord
