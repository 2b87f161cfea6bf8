// SPDX-License-Identifier: Apache-2.0
// The posterior kernels of the host, one task at a time: the same bits from every instruction set,
// for any company in the other lanes, and for bands of any width.
#include <doctest/doctest.h>

#include <algorithm>
#include <bit>

#include "base/parallel.hpp"
#include "engine/host/host_backend.hpp"
#include "models/models.hpp"
#include "support/align_cases.hpp"
#include "support/host_cells.hpp"
#include "support/lanes_runner.hpp"
#include "support/pair_matrices.hpp"
#include "support/rich_model.hpp"
#include "support/sequences.hpp"

namespace accord {
namespace {

using testing::CellBits;
using testing::Codes;
using testing::run_lanes_task;
using testing::run_wavefront_task;

using Cells = std::vector<CellBits>;

constexpr std::size_t kBorderLengths[] = {1, 7, 8, 9, 15, 16, 17, 63, 64, 65};

accord_model default_model(ResidueType type = ResidueType::protein) {
  return build_posterior_model(default_parameters(type), type).tables;
}

/// The set whose results the others are compared with: no vector instructions are asked for.
const host::Kernels& plainest() { return *host::available_kernels().back(); }

/// The set that needs the least memory of those that are fast.
const host::Kernels& narrowest_fast() {
  const auto kernels = host::available_kernels();
  return *kernels[kernels.size() > 1 ? kernels.size() - 2 : 0];
}

/// Relatives of y, and two sequences that are none.
std::vector<Codes> relatives_of(const Codes& y, testing::SequenceGenerator& random) {
  std::vector<Codes> xs = {{5}, random.background(33)};
  for (int k = 0; k < 18; ++k) xs.push_back(random.mutate(y, 0.4, 0.02, 0.4));
  return xs;
}

Cells alone(const host::Kernels& kernels, const Codes& x, const Codes& y, const accord_model& model,
            std::uint32_t band_columns = 0) {
  return run_lanes_task(kernels, {x}, y, model, band_columns)[0];
}

/// All x's against y, as many in a task as the kernels can.
std::vector<Cells> in_tasks(decltype(run_lanes_task) run, const host::Kernels& kernels,
                            const std::vector<Codes>& xs, const Codes& y, const accord_model& model,
                            std::uint32_t bands = 0) {
  std::vector<Cells> all;
  for (std::size_t first = 0; first < xs.size(); first += kernels.lanes) {
    const std::size_t last = std::min(xs.size(), first + kernels.lanes);
    const std::vector<Codes> lanes(xs.begin() + static_cast<std::ptrdiff_t>(first),
                                   xs.begin() + static_cast<std::ptrdiff_t>(last));
    for (Cells& cells : run(kernels, lanes, y, model, bands)) all.push_back(std::move(cells));
  }
  return all;
}

/// The same in the lanes layout.
std::vector<Cells> side_by_side(const host::Kernels& kernels, const std::vector<Codes>& xs,
                                const Codes& y, const accord_model& model,
                                std::uint32_t band_columns = 0) {
  return in_tasks(run_lanes_task, kernels, xs, y, model, band_columns);
}

/// Checks every instruction set and band width, x's together and alone, in both layouts, against
/// the plainest; the residues have any contexts.
void check_family(const std::vector<Codes>& letters, const Codes& letters_of_y,
                  const accord_model& model, const std::vector<std::uint32_t>& bands) {
  testing::SequenceGenerator random(39);
  const Codes y = random.with_contexts(letters_of_y);
  std::vector<Codes> xs;
  for (const Codes& x : letters) xs.push_back(random.with_contexts(x));
  std::vector<Cells> expected;
  for (const Codes& x : xs) expected.push_back(alone(plainest(), x, y, model));
  for (const host::Kernels* kernels : host::available_kernels()) {
    CAPTURE(kernels->name);
    for (const std::uint32_t band : bands) {
      CAPTURE(band);
      const std::vector<Cells> found = side_by_side(*kernels, xs, y, model, band);
      for (std::size_t k = 0; k < xs.size(); ++k) {
        CAPTURE(k);
        CAPTURE(xs[k].size());
        CAPTURE(y.size());
        CHECK(found[k] == expected[k]);
        CHECK(alone(*kernels, xs[k], y, model, band) == expected[k]);
      }
    }
    for (const std::uint32_t band_rounds : {0, 1, 2}) {
      CAPTURE(band_rounds);
      const std::vector<Cells> found =
          in_tasks(run_wavefront_task, *kernels, xs, y, model, band_rounds);
      for (std::size_t k = 0; k < xs.size(); ++k) {
        CAPTURE(k);
        CAPTURE(xs[k].size());
        CAPTURE(y.size());
        CHECK(found[k] == expected[k]);
        CHECK(run_wavefront_task(*kernels, {xs[k]}, y, model, band_rounds)[0] == expected[k]);
      }
    }
  }
}

TEST_CASE("host kernels: lengths around tile borders, any lanes, any bands") {
  constexpr std::uint64_t kSeed = 31;
  CAPTURE(kSeed);
  testing::SequenceGenerator random(kSeed);
  const Codes ancestor = random.background(80);
  const accord_model model = default_model();
  for (const std::size_t n : kBorderLengths) {
    std::vector<Codes> xs;
    for (const std::size_t m : kBorderLengths) {
      Codes x = random.relative(ancestor);
      const Codes tail = random.background(m);
      x.insert(x.end(), tail.begin(), tail.end());
      x.resize(m);
      xs.push_back(std::move(x));
    }
    const Codes y(ancestor.begin(), ancestor.begin() + static_cast<std::ptrdiff_t>(n));
    check_family(xs, y, model, {0, 8, 16, 24, 40, 64, 72, 80});
  }
}

TEST_CASE("host kernels: lanes of very different lengths, in any order") {
  constexpr std::uint64_t kSeed = 32;
  CAPTURE(kSeed);
  testing::SequenceGenerator random(kSeed);
  const Codes y = random.background(230);
  std::vector<Codes> xs;
  for (const std::size_t m : {700, 1, 230, 8, 500, 2, 63, 231, 7, 9, 1, 333, 64, 5, 600, 16}) {
    xs.push_back(m > 200 ? testing::concatenated({random.relative(y), random.background(m - 150)})
                         : random.background(m));
  }
  check_family(xs, y, default_model(), {0, 8, 112});
}

TEST_CASE("host kernels: nothing but X, and one residue again and again") {
  const std::uint8_t unknown = encode_letter(ResidueType::protein, 'X');
  const accord_model model = default_model();
  std::vector<Codes> xs;
  for (const std::size_t m : {1, 8, 40, 65, 200}) {
    xs.push_back(testing::homopolymer(unknown, m));
    xs.push_back(testing::homopolymer(encode_letter(ResidueType::protein, 'W'), m));
  }
  check_family(xs, testing::homopolymer(unknown, 100), model, {0, 8, 48});
  check_family(xs, xs.back(), model, {0, 8, 48});
}

TEST_CASE("host kernels: three gap classes, unequal shares, a blend of mean and root mean square") {
  constexpr std::uint64_t kSeed = 37;
  CAPTURE(kSeed);
  testing::SequenceGenerator random(kSeed);
  const Codes y = random.background(190);
  const std::vector<Codes> xs = relatives_of(y, random);
  accord_model model = testing::rich_model();
  check_family(xs, y, model, {0, 8, 72});
  const Cells blend = alone(narrowest_fast(), xs[3], y, model);
  model.square_share = 0;
  check_family(xs, y, model, {0});
  // The mean is at most the root mean square, so that fewer cells reach the cutoff.
  const Cells mean = alone(narrowest_fast(), xs[3], y, model);
  model.square_share = 1;
  const Cells root = alone(narrowest_fast(), xs[3], y, model);
  CHECK(mean.size() < blend.size());
  CHECK(blend.size() < root.size());
}

TEST_CASE("host kernels: one model alone") {
  constexpr std::uint64_t kSeed = 38;
  CAPTURE(kSeed);
  testing::SequenceGenerator random(kSeed);
  const Codes y = random.background(150);
  const std::vector<Codes> xs = relatives_of(y, random);
  for (const float hmm_share : {0.0f, 1.0f}) {
    CAPTURE(hmm_share);
    accord_model model = testing::rich_model();
    model.hmm_share = hmm_share;
    model.partition_share = 1 - hmm_share;
    check_family(xs, y, model, {0, 8, 72});
    // What the other model would compute does not matter.
    accord_model other = model;
    accord_recursion& unused = hmm_share > 0 ? other.partition : other.hmm;
    for (float& weight : unused.weight) weight *= 0.5f;
    for (float& factor : unused.context) factor *= 0.5f;
    CHECK(alone(narrowest_fast(), xs[3], y, other) == alone(narrowest_fast(), xs[3], y, model));
    // Mean and root mean square of one model are the model's posterior, but for rounding.
    model.square_share = 0;
    CHECK(alone(narrowest_fast(), xs[3], y, model).size() ==
          alone(narrowest_fast(), xs[3], y, other).size());
  }
}

TEST_CASE("host kernels: nucleotides and ambiguous residues") {
  constexpr std::uint64_t kSeed = 33;
  CAPTURE(kSeed);
  for (const ResidueType type : {ResidueType::protein, ResidueType::dna}) {
    testing::SequenceGenerator random(kSeed, type);
    const Codes y = random.background(120);
    std::vector<Codes> xs;
    for (int k = 0; k < 18; ++k) xs.push_back(random.with_ambiguity(random.relative(y), 0.2));
    check_family(xs, random.with_ambiguity(y, 0.2), default_model(type), {0, 32});
  }
}

TEST_CASE("host kernels: pairs that break weaker scaling, in bands and on every instruction set") {
  const accord_model model = default_model();
  testing::SequenceGenerator random(40);
  for (testing::PairCase& pair : testing::hard_pairs()) {
    CAPTURE(pair.name);
    pair.x = random.with_contexts(pair.x);
    pair.y = random.with_contexts(pair.y);
    const Cells expected = alone(narrowest_fast(), pair.x, pair.y, model);
    CHECK_FALSE(expected.empty());
    for (const host::Kernels* kernels : host::available_kernels()) {
      CAPTURE(kernels->name);
      CHECK(alone(*kernels, pair.x, pair.y, model, 64) == expected);
    }
  }
}

// All values are scaled exactly and a cell adds what comes from above and from the left to each
// other first, so that exchanging the sequences changes only the order in which the totals are
// added; at twice the precision of a float that has not shown in any pair so far.
TEST_CASE("host kernels: (x, y) and (y, x) have the same cells") {
  const accord_model model = default_model();
  std::vector<testing::PairCase> pairs = testing::ordinary_pairs({50, 100, 200, 400});
  for (testing::PairCase& pair : testing::hard_pairs()) pairs.push_back(std::move(pair));
  testing::SequenceGenerator random(41);
  for (testing::PairCase& pair : pairs) {
    CAPTURE(pair.name);
    pair.x = random.with_contexts(pair.x);
    pair.y = random.with_contexts(pair.y);
    Cells exchanged = alone(narrowest_fast(), pair.y, pair.x, model, 80);
    for (auto& [row, column, bits] : exchanged) std::swap(row, column);
    std::sort(exchanged.begin(), exchanged.end());
    CHECK(exchanged == alone(narrowest_fast(), pair.x, pair.y, model));
  }
}

TEST_CASE("host kernels: a pair of 20000 and 60 residues") {
  constexpr std::uint64_t kSeed = 34;
  CAPTURE(kSeed);
  testing::SequenceGenerator random(kSeed);
  const Codes root = random.background(60);
  const Codes x = random.with_contexts(testing::concatenated(
      {random.background(12345), random.relative(root), random.background(7600)}));
  const Codes y = random.with_contexts(root);
  const accord_model model = default_model();
  const Cells expected = alone(narrowest_fast(), x, y, model);
  CHECK(expected.size() >= 30);
  for (const std::uint32_t band : {8u, 16u, 24u}) {
    CAPTURE(band);
    CHECK(alone(narrowest_fast(), x, y, model, band) == expected);
    CHECK(alone(*host::available_kernels().front(), x, y, model, band) == expected);
  }
}

TEST_CASE("host kernels: a pair of 3000 and 2900 residues") {
  constexpr std::uint64_t kSeed = 35;
  CAPTURE(kSeed);
  testing::SequenceGenerator random(kSeed);
  const Codes root = random.background(3000);
  Codes y = random.with_contexts(random.mutate(root, 0.3, 0.008, 0.1));
  y.resize(2900);
  const Codes x = random.with_contexts(root);
  const accord_model model = default_model();
  const Cells expected = alone(narrowest_fast(), x, y, model);
  CHECK(expected.size() > 2000);
  for (const std::uint32_t band : {24u, 400u}) {
    CAPTURE(band);
    CHECK(alone(*host::available_kernels().front(), x, y, model, band) == expected);
  }
}

TEST_CASE("host backend: a pair with more cells than there is room for at first") {
  constexpr std::uint64_t kSeed = 36;
  CAPTURE(kSeed);
  testing::SequenceGenerator random(kSeed);
  std::vector<Codes> family = {random.background(410)};
  family.push_back(random.relative(family[0]));
  family.push_back(random.background(300));
  family.push_back(random.background(9));
  const SequenceSet set = testing::make_set(family);
  const CodedSequences coded = testing::with_contexts(set);
  accord_model model = default_model();
  model.cutoff = 1e-15f;
  std::size_t largest = 0;
  std::vector<SparseMatrix> expected;
  for (std::uint32_t y = 1; y < coded.size(); ++y) {
    for (std::uint32_t x = 0; x < y; ++x) {
      const Codes codes_x(coded.codes(x).begin(), coded.codes(x).end());
      const Codes codes_y(coded.codes(y).begin(), coded.codes(y).end());
      std::vector<PosteriorCell> cells;
      for (const auto& [row, column, bits] : alone(narrowest_fast(), codes_x, codes_y, model)) {
        cells.push_back({row, column, std::bit_cast<float>(bits)});
      }
      largest = std::max(largest, cells.size());
      expected.emplace_back(coded.length(x), coded.length(y), cells);
    }
  }
  CHECK(largest > 64 * (410 + 420));
  for (const host::Kernels* kernels : host::available_kernels()) {
    CAPTURE(kernels->name);
    HostBackend backend(kernels);
    const testing::ThreadCount threads(2);
    CHECK(testing::pair_matrices(backend, coded, {model, {}}) == expected);
  }
}

}  // namespace
}  // namespace accord
