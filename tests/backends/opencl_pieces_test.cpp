// SPDX-License-Identifier: Apache-2.0
// Long pairs of nucleotide sequences in pieces: every OpenCL device against the host, in both
// kernel layouts.
#include <doctest/doctest.h>

#include <random>
#include <string>

#include "backends/opencl_devices.hpp"
#include "engine/host/host_backend.hpp"
#include "method/pieces.hpp"
#include "method/settings.hpp"
#include "support/base_sequences.hpp"

namespace accord::testing {
namespace {

struct Pieced {
  PieceCount count;
  SparseMatrix matrix;
};

Pieced in_pieces(const SequenceSet& set, Backend& backend) {
  const AlignSettings settings = make_settings({}, set.type());
  Scheduler scheduler(backend);
  Pieced pieced;
  const PosteriorSink sink = [&](std::uint32_t, std::uint32_t, PairPosterior pair) {
    pieced.matrix = std::move(pair.matrix);
  };
  compute_in_pieces({set, settings.parameters}, PairSet::all(2), scheduler, sink, pieced.count,
                    nullptr, kShortPieces);
  return pieced;
}

void compare_with_host(const SequenceSet& set) {
  HostBackend host;
  const Pieced expected = in_pieces(set, host);
  REQUIRE(expected.count.pairs == 1);
  REQUIRE(expected.count.pieces > 1);
  for_each_layout([&](OpenClBackend& backend, const std::string&) {
    const Pieced pieced = in_pieces(set, backend);
    CHECK(pieced.count.pairs == expected.count.pairs);
    CHECK(pieced.count.pieces == expected.count.pieces);
    CHECK(pieced.matrix == expected.matrix);
  });
}

}  // namespace

TEST_CASE("pieces: the same bytes on every device") {
  std::mt19937 random(11);
  const std::string a = random_bases(random, 1600);
  compare_with_host(pair_of(a, changed(random, a, 8)));
}

TEST_CASE("pieces: the same bytes where a segment stands elsewhere and where one was inserted") {
  std::mt19937 random(12);
  const std::string a = random_bases(random, 1800);
  const std::string moved = a.substr(0, 500) + a.substr(900, 400) + a.substr(500, 400) +
                            a.substr(1300, 200) + random_bases(random, 300) + a.substr(1500);
  compare_with_host(pair_of(a, changed(random, moved, 20)));
}

}  // namespace accord::testing
