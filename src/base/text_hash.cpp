// SPDX-License-Identifier: Apache-2.0
#include "base/text_hash.hpp"

#include <new>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "base/text.hpp"

namespace accord {

namespace {

std::string hexadecimal(std::uint64_t hash) {
  return formatted("%016llx", static_cast<unsigned long long>(hash));
}

XXH3_state_t* xxh3(void* state) { return static_cast<XXH3_state_t*>(state); }

}  // namespace

std::uint64_t hash64(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

std::string text_hash(std::string_view text) { return hexadecimal(hash64(text)); }

void TextHasher::Free::operator()(void* state) const { XXH3_freeState(xxh3(state)); }

TextHasher::TextHasher() : state_(XXH3_createState()) {
  if (state_ == nullptr) throw std::bad_alloc();
  XXH3_64bits_reset(xxh3(state_.get()));
}

void TextHasher::add(std::string_view part) {
  XXH3_64bits_update(xxh3(state_.get()), part.data(), part.size());
}

std::string TextHasher::digits() const {
  return hexadecimal(XXH3_64bits_digest(xxh3(state_.get())));
}

}  // namespace accord
