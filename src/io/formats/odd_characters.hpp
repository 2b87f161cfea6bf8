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
  /// `keeps_columns`: the input is an alignment, and each such character becomes a gap.
  explicit OddCharacters(bool keeps_columns = false) : keeps_columns_(keeps_columns) {}

  bool keeps_columns() const noexcept { return keeps_columns_; }

  void add(char c) {
    ++counts_[static_cast<unsigned char>(c)];
    ++count_;
  }
  std::size_t count() const noexcept { return count_; }

  /// Lists the counted characters, each once, for a message: "'1', '7', ...".
  std::string listed() const;

 private:
  bool keeps_columns_;
  std::array<std::size_t, 256> counts_{};
  std::size_t count_ = 0;
};

}  // namespace accord
