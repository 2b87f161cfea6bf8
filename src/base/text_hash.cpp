// SPDX-License-Identifier: Apache-2.0
#include "base/text_hash.hpp"

#include <cstdio>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace accord {

std::uint64_t hash64(std::string_view bytes) { return XXH3_64bits(bytes.data(), bytes.size()); }

std::string text_hash(std::string_view text) {
  char digits[17];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(hash64(text)));
  return digits;
}

}  // namespace accord
