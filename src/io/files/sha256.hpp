// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string>
#include <string_view>

namespace accord {

/// Computes the SHA-256 checksum (FIPS 180-4) of bytes that come in parts.
class Sha256 {
 public:
  Sha256();
  /// Appends bytes to those that were added before.
  void add(std::string_view bytes);
  /// The checksum as 64 hexadecimal digits, as sha256sum prints it. Call it once, at the end.
  std::string digits();

 private:
  struct Context;
  struct Free {
    void operator()(Context* context) const;
  };
  std::unique_ptr<Context, Free> context_;
};

/// The checksum of bytes, as Sha256::digits() has it.
std::string sha256(std::string_view bytes);

/// Bytes in base64 (RFC 4648), with padding.
std::string base64(std::string_view bytes);

/// The same checksum as sha256() in base64, as the policy of a page has it.
std::string sha256_base64(std::string_view bytes);

}  // namespace accord
