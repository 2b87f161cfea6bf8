// SPDX-License-Identifier: Apache-2.0
#include "method/effort.hpp"

#include "method/word_value.hpp"

namespace accord {

const char* to_string(Effort effort) {
  switch (effort) {
    case Effort::high:
      return "high";
    case Effort::max:
      return "max";
    case Effort::normal:
      break;
  }
  return "normal";
}

Effort effort_of(const std::string& word) {
  return value_of_word({Effort::normal, Effort::high, Effort::max}, word);
}

LargeEffort large_effort(Effort effort) {
  switch (effort) {
    case Effort::high:
      return {.first_members = 100, .most_members = 100};
    case Effort::max:
      return {.backbone = 200, .first_members = 200, .most_members = 200};
    case Effort::normal:
      break;
  }
  return {};
}

}  // namespace accord
