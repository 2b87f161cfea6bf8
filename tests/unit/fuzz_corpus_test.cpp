// SPDX-License-Identifier: Apache-2.0
// Every seed of the fuzz targets, its beginnings and small damages, without a fuzzer.
#include <doctest/doctest.h>

#include <filesystem>

#include "fuzz/readers.hpp"
#include "support/paths.hpp"
#include "support/scratch.hpp"

using namespace accord::testing;

TEST_CASE("fuzz corpus: readers keep their promises on every seed, cut off and damaged") {
  const std::filesystem::path corpus = accord::source_dir() + "/tests/fuzz/corpus";
  for (const std::string& reader : fuzzed_readers()) {
    CAPTURE(reader);
    std::size_t seeds = 0;
    for (const auto& entry : std::filesystem::directory_iterator(corpus / reader)) {
      const std::string seed = file_bytes(entry.path().string());
      ++seeds;
      for (std::size_t length = 0; length <= seed.size(); ++length) {
        read_bytes(reader, seed.substr(0, length));
      }
      for (std::size_t at = 0; at < seed.size(); ++at) {
        for (const char byte : {'\0', '\n', '9', '(', '-', '\xff'}) {
          std::string damaged = seed;
          damaged[at] = byte;
          read_bytes(reader, damaged);
        }
      }
    }
    CHECK(seeds >= 2);
  }
}
