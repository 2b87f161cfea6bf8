// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <array>
#include <cstddef>
#include <string>

namespace accord {

/// Writes a character for a message: "'7'", or "byte 0xC3" if it cannot be printed.
std::string format_character(char c);

/// Counts the characters of an input that are not allowed in a sequence, for readers that leave
/// them out instead of failing.
class OddCharacters {
 public:
  /// Begins with a count of 0. `keeps_columns`: the input is an alignment, and the reader replaces
  /// each such character by a gap.
  explicit OddCharacters(bool keeps_columns = false) : keeps_columns_(keeps_columns) {}

  bool keeps_columns() const noexcept { return keeps_columns_; }

  /// Counts a character, which may be any byte.
  void add(char c) {
    ++counts_[static_cast<unsigned char>(c)];
    ++count_;
  }
  /// The number of calls of add().
  std::size_t count() const noexcept { return count_; }

  /// Lists the different counted characters for a message, in the order of their bytes: "'1', '7'".
  /// The text has at most five characters; if there are more, ", ..." follows.
  std::string listed() const;

 private:
  bool keeps_columns_;
  std::array<std::size_t, 256> counts_{};
  std::size_t count_ = 0;
};

}  // namespace accord
