// SPDX-License-Identifier: Apache-2.0
// Long pairs of nucleotide sequences: anchors, and posteriors in pieces.
#include "method/pieces.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <string>

#include "core/posterior_set.hpp"
#include "engine/host/host_backend.hpp"
#include "method/anchors.hpp"
#include "method/settings.hpp"
#include "support/base_sequences.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

std::vector<Anchor> chain_of(const std::string& a, const std::string& b) {
  const SequenceSet set = pair_of(a, b);
  const auto x = static_cast<std::uint32_t>(set.from_input(0));
  const auto y = static_cast<std::uint32_t>(set.from_input(1));
  return anchor_chain(set.coded().codes(x), set.coded().codes(y));
}

/// What the pieces and the whole say of a pair.
struct Both {
  PieceCount count;
  SparseMatrix whole, pieced;

  explicit Both(const SequenceSet& set) {
    const AlignSettings settings = make_settings({}, set.type());
    const PosteriorFamily family(set, settings.parameters);
    HostBackend host;
    Scheduler scheduler(host);
    const PairSet pair = PairSet::all(2);
    scheduler.posteriors(family, pair,
                         MatrixSink([&](std::uint32_t, std::uint32_t, PairPosterior p) {
                           whole = std::move(p.matrix);
                         }));
    const MatrixSink sink = [&](std::uint32_t, std::uint32_t, PairPosterior pair) {
      pieced = std::move(pair.matrix);
    };
    const auto rest =
        compute_in_pieces(family, pair, scheduler, sink, count, nullptr, kShortPieces);
    CHECK(rest.has_value() == (count.pairs == 1));
    if (rest) CHECK(rest->size() == 0);
  }

  /// The largest difference of two cells, in units.
  std::uint32_t largest_difference() const {
    REQUIRE(pieced.rows() == whole.rows());
    REQUIRE(pieced.cols() == whole.cols());
    std::uint32_t largest = 0;
    const auto compare = [&](const SparseMatrix& a, const SparseMatrix& b) {
      for (std::uint32_t i = 0; i < a.rows(); ++i) {
        a.for_each_in_row(i, [&](std::uint32_t j, std::uint32_t units) {
          const std::uint32_t other = b.units_at(i, j);
          largest = std::max(largest, std::max(units, other) - std::min(units, other));
        });
      }
    };
    compare(whole, pieced);
    compare(pieced, whole);
    return largest;
  }
};

/// A cell near the cutoff may be kept by one of the two alone.
constexpr std::uint32_t kCutoff = ACCORD_UNITS_OF_ONE / 100 + 50;

}  // namespace

TEST_CASE("anchors: shared stretches, without words of unknown bases and repeated ones") {
  std::mt19937 random(5);
  const std::string a = random_bases(random, 60), b = random_bases(random, 50);
  const std::string gap = random_bases(random, 7);
  CHECK(chain_of(a + b, a + gap + b) == std::vector<Anchor>{{0, 0, 60}, {60, 67, 50}});
  CHECK(chain_of(a, b).empty());
  CHECK(chain_of(a.substr(0, 19), a).empty());
  std::string unknown = a;
  unknown[30] = 'N';
  CHECK(chain_of(unknown, a) == std::vector<Anchor>{{0, 0, 30}, {31, 31, 29}});
  // In the first, a stands twice, and its words are no anchors.
  CHECK(chain_of(a + b + a, a + b) == std::vector<Anchor>{{41, 41, 69}});
}

TEST_CASE("anchors: a segment that stands elsewhere is no anchor, nor is what it leaves out") {
  std::mt19937 random(6);
  std::string part[4];
  for (std::string& letters : part) letters = random_bases(random, 300);
  const std::vector<Anchor> chain =
      chain_of(part[0] + part[1] + part[2] + part[3], part[0] + part[2] + part[1] + part[3]);
  CHECK(chain == std::vector<Anchor>{{0, 0, 300}, {900, 900, 300}});
  // A word in a far place is no rival of a long chain.
  const std::string word = random_bases(random, 20);
  CHECK(chain_of(part[0] + part[1] + part[2] + word, word + part[0] + part[1] + part[2]) ==
        std::vector<Anchor>{{0, 20, 900}});
}

TEST_CASE("pieces: the posteriors are those of the whole pair") {
  std::mt19937 random(7);
  for (const unsigned rarity : {50u, 12u, 6u}) {
    CAPTURE(rarity);
    const std::string a = random_bases(random, 2500);
    const Both both(pair_of(a, changed(random, a, rarity)));
    CHECK(both.count.pairs == 1);
    CHECK(both.count.pieces > 3);
    CHECK(both.largest_difference() <= kCutoff);
    CHECK(both.pieced.packed().size() + 5 > both.whole.packed().size());
  }
}

TEST_CASE("pieces: seams that do not hold are given up") {
  std::mt19937 random(8);
  // An insertion longer than what stands beside it in a piece: there free ends are likelier.
  const std::string a = random_bases(random, 2400);
  const std::string b = changed(random, a, 20);
  const Both inserted(pair_of(a, b.substr(0, 1200) + random_bases(random, 900) + b.substr(1200)));
  CHECK(inserted.largest_difference() <= kCutoff);
}

TEST_CASE("pieces: not of unlike or short sequences, nor of proteins") {
  std::mt19937 random(9);
  const std::string a = random_bases(random, 1200);
  const Both unlike(pair_of(a, random_bases(random, 1100)));
  CHECK(unlike.count.pairs == 0);
  CHECK(Both(pair_of(a, a.substr(0, 833))).count.pairs == 0);  // 999,600 cells
  CHECK(Both(pair_of(a, a.substr(0, 834))).count.pairs == 1);
  CHECK(long_sequences(pair_of(a, a), kShortPieces) == 2);
  CHECK(long_sequences(SequenceSet({{"a", a}, {"b", a}}, ResidueType::protein), kShortPieces) == 0);
  CHECK(share_in_pieces(pair_of(a, a), {0, 1}, kShortPieces) < 0.7);
  CHECK(share_in_pieces(pair_of(a, random_bases(random, 1100)), {0, 1}, kShortPieces) == 1.0);
}
