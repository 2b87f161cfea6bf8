// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <bit>
#include <cstdint>
#include <cstdio>
#include <string>
#include <string_view>

namespace accord::testing {

/// FNV-1a, 64 bits, byte by byte; numbers go in with their lowest byte first.
class Hash {
 public:
  void add(std::string_view text) {
    for (const char c : text) add_byte(static_cast<unsigned char>(c));
  }
  void add(std::uint32_t value) {
    for (int shift = 0; shift < 32; shift += 8) add_byte((value >> shift) & 0xffu);
  }
  /// The bits of a float.
  void add(float value) { add(std::bit_cast<std::uint32_t>(value)); }

  /// Sixteen hexadecimal digits.
  std::string hex() const {
    char text[17];
    std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(state_));
    return text;
  }

 private:
  void add_byte(std::uint32_t byte) { state_ = (state_ ^ byte) * 1099511628211u; }

  std::uint64_t state_ = 14695981039346656037u;
};

}  // namespace accord::testing
