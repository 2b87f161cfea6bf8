// SPDX-License-Identifier: Apache-2.0
// libFuzzer target of one reader: built once a reader, with its name in ACCORD_FUZZ_READER.
#include <cstddef>
#include <cstdint>

#include "fuzz/readers.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  accord::testing::read_bytes(ACCORD_FUZZ_READER, {reinterpret_cast<const char*>(data), size});
  return 0;
}
