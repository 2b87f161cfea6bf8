// SPDX-License-Identifier: Apache-2.0
#include "io/files/sha256.hpp"

#include <openssl/evp.h>

#include <array>

#include "accord/base/error.hpp"

namespace accord {

std::string sha256(std::string_view bytes) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  if (EVP_Digest(bytes.data(), bytes.size(), digest.data(), &size, EVP_sha256(), nullptr) != 1) {
    throw Error(ErrorKind::internal, "libcrypto computes no SHA-256");
  }
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (unsigned int k = 0; k < size; ++k) {
    text += kDigits[digest[k] >> 4];
    text += kDigits[digest[k] & 15];
  }
  return text;
}

}  // namespace accord
