// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <initializer_list>
#include <string>

#include "accord/base/error.hpp"

namespace accord {

/// The one of `values` that to_string() gives this word.
/// Throws  Error{usage} with `hint` if none has the word; `what` names what the user gave the word
///         for, `kind` what it should be.
template <class Value>
Value value_of_word(std::initializer_list<Value> values, const std::string& word,
                    const std::string& what, const char* kind, const char* hint) {
  for (const Value value : values) {
    if (word == to_string(value)) return value;
  }
  throw Error(ErrorKind::usage, what + " " + word + ": unknown " + kind, hint);
}

}  // namespace accord
