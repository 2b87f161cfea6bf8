// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <initializer_list>
#include <string>

#include "accord/base/error.hpp"

namespace accord {

/// Returns the one of `values` whose to_string() is `word`.
/// Throws  Error{internal} if there is none: the table of options has refused other words.
template <class Value>
Value value_of_word(std::initializer_list<Value> values, const std::string& word) {
  for (const Value value : values) {
    if (word == to_string(value)) return value;
  }
  throw Error(ErrorKind::internal, word + ": a word that stands for no value");
}

}  // namespace accord
