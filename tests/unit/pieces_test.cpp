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
#include "method/sure_runs.hpp"
#include "stages/posteriors/posterior_request.hpp"
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

/// The sure runs of two sequences, of which the first is the longer one.
std::vector<Anchor> runs_of(const std::string& a, const std::string& b) {
  const SequenceSet set = pair_of(a, b);
  const auto x = set.coded().codes(set.from_input(0)), y = set.coded().codes(set.from_input(1));
  return sure_runs(x, y, anchor_chain(x, y));
}

/// Another base than that of the letters at a place.
void substitute(std::string& letters, std::size_t at) {
  letters[at] = letters[at] == 'A' ? 'C' : 'A';
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
    request_posteriors(family, pair, scheduler, [&](std::uint32_t, std::uint32_t, PairPosterior p) {
      whole = std::move(p.matrix);
    });
    const PosteriorSink sink = [&](std::uint32_t, std::uint32_t, PairPosterior pair) {
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

TEST_CASE("anchors: an index of either sequence changes nothing") {
  std::mt19937 random(15);
  for (const unsigned rarity : {200u, 40u, 10u}) {
    CAPTURE(rarity);
    const std::string part = random_bases(random, 200);
    const std::string a = part + random_bases(random, 900) + part + random_bases(random, 300);
    std::string b = changed(random, a, rarity);
    std::swap_ranges(b.begin() + 300, b.begin() + 380, b.begin() + 700);
    b.replace(500, 60, std::string(60, 'N'));
    const SequenceSet set = pair_of(a, b);
    const auto x = set.coded().codes(0), y = set.coded().codes(1);
    const std::vector<Anchor> chain = anchor_chain(x, y);
    CHECK(!chain.empty());
    CHECK(anchor_chain(AnchorIndex(x), y) == chain);
    CHECK(anchor_chain(x, AnchorIndex(y)) == chain);
    // The words of an index are those of the obvious search.
    std::vector<Anchor> words;
    const auto count = [](const std::string& text, const std::string& word) {
      std::size_t found = 0, at = text.find(word);
      for (; at != std::string::npos; at = text.find(word, at + 1)) ++found;
      return found;
    };
    const std::string &of_x = set.letters(0), &of_y = set.letters(1);
    for (std::uint32_t i = 0; i + kAnchorWord <= of_x.size(); ++i) {
      const std::string word = of_x.substr(i, kAnchorWord);
      if (word.find('N') != std::string::npos) continue;
      if (count(of_x, word) != 1 || count(of_y, word) != 1) continue;
      words.push_back({i, static_cast<std::uint32_t>(of_y.find(word)), kAnchorWord});
    }
    CHECK(AnchorIndex(y).shared_words(x) == words);
  }
  CHECK(AnchorIndex({}).shared_words({}).empty());
}

TEST_CASE("sure runs: across substitutions and unknown bases, not where a gap may pay") {
  std::mt19937 random(16);
  const std::string a = random_bases(random, 600);
  const std::vector<Anchor> whole = {{0, 0, 600}};
  CHECK(runs_of(a, a) == whole);
  std::string b = a;
  for (const std::size_t at : {50, 90, 93, 200, 260, 261, 420}) substitute(b, at);
  CHECK(runs_of(a, b) == whole);
  b.replace(300, 80, std::string(80, 'N'));
  CHECK(runs_of(a, b) == whole);

  // Residues that were left out and put in again a few places on: the run is in two.
  std::string shifted = a;
  shifted.erase(300, 1);
  shifted.insert(310, 1, shifted[310] == 'G' ? 'T' : 'G');
  const std::vector<Anchor> around = runs_of(a, shifted);
  REQUIRE(around.size() == 2);
  CHECK(around[0].length <= 301);
  CHECK(around[1].x >= 308);
  CHECK(around[1].x == around[1].y);

  // Unrelated bases, as many in both.
  const std::string other = a.substr(0, 250) + random_bases(random, 100) + a.substr(350);
  std::uint32_t sure = 0;
  for (const Anchor& run : runs_of(a, other)) {
    CHECK(run.x == run.y);
    if (run.x < 350 && run.x + run.length > 250) {
      sure += std::min(350u, run.x + run.length) - std::max(250u, run.x);
    }
  }
  CHECK(sure < 30);

  // One run on either side of an insertion; none of sequences that are not alike.
  const std::vector<Anchor> inserted = runs_of(a.substr(0, 300) + "GATTACA" + a.substr(300), a);
  REQUIRE(inserted.size() == 2);
  CHECK(inserted[1].x - inserted[1].y == 7);
  CHECK(runs_of(a, random_bases(random, 500)).empty());
  CHECK(runs_of(a, std::string(500, 'N')).empty());
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

TEST_CASE("pieces: runs of unknown bases, cut ends, repeats") {
  std::mt19937 random(17);
  const std::string unit = random_bases(random, 45);
  const std::string a = random_bases(random, 900) + unit + unit + unit + random_bases(random, 900);
  std::string b = changed(random, a, 100).substr(40);
  b.resize(b.size() - 70);
  b.replace(300, 90, std::string(90, 'N'));
  const Both both(pair_of(a, b));
  CHECK(both.count.pairs == 1);
  // Unknown bases on one diagonal are taken for aligned, and what is beside them.
  std::uint32_t others = 0;
  for (std::uint32_t i = 0; i < both.pieced.rows(); ++i) {
    both.pieced.for_each_in_row(i, [&](std::uint32_t j, std::uint32_t units) {
      const std::uint32_t in_whole = both.whole.units_at(i, j);
      others += std::max(units, in_whole) - std::min(units, in_whole) > kCutoff;
    });
  }
  CHECK(others <= 130);
  const SparseMatrix again = both.pieced;
  const Both once_more(pair_of(a, b));
  CHECK(once_more.pieced == again);
  // One unit fewer.
  const Both fewer(pair_of(a, a.substr(0, 945) + a.substr(990)));
  CHECK(fewer.largest_difference() <= kCutoff);
}

TEST_CASE("pieces: the accuracy that comes with them is that of the matrix") {
  std::mt19937 random(18);
  const std::string a = random_bases(random, 2500);
  const SequenceSet set = pair_of(a, changed(random, a, 30));
  const AlignSettings settings = make_settings({}, set.type());
  HostBackend host;
  Scheduler scheduler(host);
  PieceCount count;
  const PosteriorSink sink = [&](std::uint32_t, std::uint32_t, PairPosterior pair) {
    REQUIRE(pair.accuracy.has_value());
    CHECK(*pair.accuracy == expected_accuracy(pair.matrix));
  };
  compute_in_pieces({set, settings.parameters}, PairSet::all(2), scheduler, sink, count, nullptr,
                    kShortPieces);
  CHECK(count.pairs == 1);
}

TEST_CASE("pieces: cuts that do not hold are given up") {
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
