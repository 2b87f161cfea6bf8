// SPDX-License-Identifier: Apache-2.0
#include "io/formats/plain_name.hpp"

namespace accord {

std::string plain_name(const SequenceSet& set, std::size_t k) {
  std::string name(set.name(set.from_input(k)));
  if (name.empty()) return "seq" + std::to_string(k + 1);
  for (char& c : name) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte <= ' ' || byte == 0x7f) c = '_';
  }
  return name;
}

}  // namespace accord
