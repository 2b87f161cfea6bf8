// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <variant>

#include "accord/base/error.hpp"
#include "options/option_field.hpp"

namespace accord {

/// The check of an option that is a count of at most `most` (OptionField::check).
/// Throws  Error{usage} if the value is larger.
template <int most>
void check_most(const OptionValue& value, const std::string& what) {
  if (std::get<int>(value) <= most) return;
  throw Error(ErrorKind::usage, what + ": too large", "use " + std::to_string(most) + " or less");
}

}  // namespace accord
