// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <initializer_list>
#include <string>

#include "accord/base/error.hpp"

namespace accord {

/// Returns the one of `values` whose to_string() is `word`.
/// Throws  Error{usage} with `hint` if there is none; `what` names the option of the word, and
///         `kind` says what the word should be.
template <class Value>
Value value_of_word(std::initializer_list<Value> values, const std::string& word,
                    const std::string& what, const char* kind, const char* hint) {
  for (const Value value : values) {
    if (word == to_string(value)) return value;
  }
  throw Error(ErrorKind::usage, what + " " + word + ": unknown " + kind, hint);
}

}  // namespace accord
