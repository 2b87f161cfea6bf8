// SPDX-License-Identifier: Apache-2.0
#include "io/files/sha256.hpp"

#include <openssl/evp.h>

#include <array>

#include "accord/base/error.hpp"

namespace accord {
namespace {

void check(bool works) {
  if (!works) throw Error(ErrorKind::internal, "libcrypto computes no SHA-256");
}

}  // namespace

struct Sha256::Context {
  EVP_MD_CTX* state = EVP_MD_CTX_new();
};

void Sha256::Free::operator()(Context* context) const {
  EVP_MD_CTX_free(context->state);
  delete context;
}

Sha256::Sha256() : context_(new Context) {
  check(context_->state != nullptr &&
        EVP_DigestInit_ex(context_->state, EVP_sha256(), nullptr) == 1);
}

void Sha256::add(std::string_view bytes) {
  check(EVP_DigestUpdate(context_->state, bytes.data(), bytes.size()) == 1);
}

std::string Sha256::digits() {
  std::array<unsigned char, EVP_MAX_MD_SIZE> digest{};
  unsigned int size = 0;
  check(EVP_DigestFinal_ex(context_->state, digest.data(), &size) == 1);
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  for (unsigned int k = 0; k < size; ++k) {
    text += kDigits[digest[k] >> 4];
    text += kDigits[digest[k] & 15];
  }
  return text;
}

std::string sha256(std::string_view bytes) {
  Sha256 hash;
  hash.add(bytes);
  return hash.digits();
}

}  // namespace accord
