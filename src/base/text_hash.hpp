// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace accord {

/// Hash of bytes (XXH3, 64 bits), the same on all machines with the same byte order. It detects
/// damaged or different data, not forgery.
std::uint64_t hash64(std::string_view bytes);

/// hash64 as sixteen hexadecimal digits.
std::string text_hash(std::string_view text);

/// Computes text_hash of a text that comes in parts. digits() is the hash of the parts that were
/// added so far; further parts may follow.
class TextHasher {
 public:
  TextHasher();
  void add(std::string_view part);
  std::string digits() const;

 private:
  struct Free {
    void operator()(void* state) const;
  };
  std::unique_ptr<void, Free> state_;
};

}  // namespace accord
