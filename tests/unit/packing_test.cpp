// SPDX-License-Identifier: Apache-2.0
#include "io/files/packing.hpp"

#include <doctest/doctest.h>

#include "io/files/text_input.hpp"
#include "support/scratch.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

constexpr Packing kAll[] = {Packing::gzip, Packing::bzip2, Packing::xz, Packing::zstd};

std::string some_text() {
  std::string text;
  for (int k = 0; k < 20000; ++k) text += std::to_string(k * k % 9973) + "\n";
  return text;
}

}  // namespace

TEST_CASE("packing: what is packed is unpacked again, told by its first bytes") {
  for (const Packing packing : kAll) {
    CAPTURE(static_cast<int>(packing));
    for (const std::string& text : {std::string(), std::string("a"), some_text()}) {
      const std::string packed = pack(packing, text);
      CHECK(packing_of(packed) == packing);
      CHECK(unpacked(packed, "in") == text);
      CHECK(pack(packing, text) == packed);
      // Several streams, and the zeros of a tape.
      CHECK(unpacked(packed + packed + std::string(8, '\0'), "in") == text + text);
    }
    CHECK(pack(packing, some_text()).size() < some_text().size() / 2);
  }
  CHECK(packing_of("BZhello") == Packing::none);
  CHECK(packing_of(">a\n") == Packing::none);
  CHECK(pack(Packing::none, "x") == "x");
}

TEST_CASE("packing: what is cut off or damaged is refused") {
  for (const Packing packing : kAll) {
    CAPTURE(static_cast<int>(packing));
    const std::string packed = pack(packing, some_text());
    for (const std::size_t length : {std::size_t{8}, packed.size() / 2, packed.size() - 1}) {
      const Error error =
          error_of([&] { unpack(packing, std::string_view(packed).substr(0, length), "in"); });
      CHECK(error.kind() == ErrorKind::bad_input);
      CHECK(std::string(error.what()).starts_with("in: "));
    }
    std::string damaged = packed;
    for (std::size_t at = packed.size() / 2; at < packed.size() / 2 + 40; ++at) damaged[at] = 'x';
    CHECK(error_of([&] { unpack(packing, damaged, "in"); }).kind() == ErrorKind::bad_input);
    CHECK(error_of([&] { unpack(packing, packed + "more", "in"); }).kind() == ErrorKind::bad_input);
  }
}

TEST_CASE("packing: suffixes") {
  CHECK(packing_of_suffix("a.fa.gz") == Packing::gzip);
  CHECK(packing_of_suffix("a.BZ2") == Packing::bzip2);
  CHECK(packing_of_suffix("a.xz") == Packing::xz);
  CHECK(packing_of_suffix("d.gz/a.zst") == Packing::zstd);
  for (const char* path : {"a.fa", ".gz", "gz", ""})
    CHECK(packing_of_suffix(path) == Packing::none);
  CHECK(without_packing_suffix("a.fa.zst") == "a.fa");
  CHECK(without_packing_suffix("a.fa") == "a.fa");
}
