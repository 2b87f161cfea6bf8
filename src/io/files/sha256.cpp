// SPDX-License-Identifier: Apache-2.0
#include "io/files/sha256.hpp"

#include <sodium.h>

#include <array>

namespace accord {

struct Sha256::Context {
  crypto_hash_sha256_state state{};
};

void Sha256::Free::operator()(Context* context) const { delete context; }

Sha256::Sha256() : context_(new Context) { crypto_hash_sha256_init(&context_->state); }

void Sha256::add(std::string_view bytes) {
  crypto_hash_sha256_update(&context_->state, reinterpret_cast<const unsigned char*>(bytes.data()),
                            bytes.size());
}

std::string Sha256::digits() {
  std::array<unsigned char, crypto_hash_sha256_BYTES> digest{};
  crypto_hash_sha256_final(&context_->state, digest.data());
  std::array<char, 2 * crypto_hash_sha256_BYTES + 1> text{};
  return sodium_bin2hex(text.data(), text.size(), digest.data(), digest.size());
}

std::string sha256(std::string_view bytes) {
  Sha256 hash;
  hash.add(bytes);
  return hash.digits();
}

std::string base64(std::string_view bytes) {
  constexpr int kVariant = sodium_base64_VARIANT_ORIGINAL;
  std::string text(sodium_base64_encoded_len(bytes.size(), kVariant), '\0');
  sodium_bin2base64(text.data(), text.size(), reinterpret_cast<const unsigned char*>(bytes.data()),
                    bytes.size(), kVariant);
  text.pop_back();  // of C
  return text;
}

std::string sha256_base64(std::string_view bytes) {
  std::array<char, crypto_hash_sha256_BYTES> digest{};
  crypto_hash_sha256(reinterpret_cast<unsigned char*>(digest.data()),
                     reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
  return base64({digest.data(), digest.size()});
}

}  // namespace accord
