// SPDX-License-Identifier: Apache-2.0
#include "stages/consistency/residue_terms.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "core/step_row.hpp"
#include "support/align_cases.hpp"
#include "support/transformed.hpp"

using namespace accord;
using namespace accord::testing;
using host::ResidueTerms;

namespace {

/// A set in which some cells have become fillers.
PosteriorSet with_fillers(Random& random, const std::vector<std::uint32_t>& lengths) {
  PosteriorSet set = random_posteriors(random, lengths, 3, 70);
  for (std::uint32_t y = 1; y < lengths.size(); ++y) {
    for (std::uint32_t x = 0; x < y; ++x) {
      std::vector<std::uint16_t> units;
      for (const std::uint32_t cell : set.at(x, y).packed()) {
        const bool is_lost = draw(random, 0, 2) == 0;
        units.push_back(is_lost ? std::uint16_t{0}
                                : static_cast<std::uint16_t>(ACCORD_CELL_UNITS(cell)));
      }
      set.at(x, y) = set.at(x, y).with_all_units(units);
    }
  }
  return set;
}

}  // namespace

TEST_CASE("residue terms: the cells against the intermediates, without fillers, in order") {
  Random random(31);
  const std::vector<std::uint32_t> lengths = {70, 41, 40, 9, 1};
  const PosteriorSet set = with_fillers(random, lengths);
  const std::vector<std::uint32_t> intermediates = {0, 2, 3, 4};
  const std::vector<std::uint32_t> offsets = host::term_offsets(set, intermediates);
  REQUIRE(offsets == std::vector<std::uint32_t>{0, 70, 110, 119, 120});
  for (std::uint32_t x = 0; x < lengths.size(); ++x) {
    CAPTURE(x);
    const ResidueTerms terms(set, equal_weights(set.sequences(), intermediates), offsets, x);
    REQUIRE(terms.residues() == lengths[x]);
    bool is_same = true;
    for (std::uint32_t i = 0, t = 0; i < lengths[x]; ++i) {
      is_same = is_same && terms.begin[i] == t;
      for (std::size_t m = 0; m < intermediates.size(); ++m) {
        const std::uint32_t z = intermediates[m];
        for (std::uint32_t k = 0; z != x && k < lengths[z]; ++k) {
          const std::uint32_t units =
              x < z ? set.at(x, z).units_at(i, k) : set.at(z, x).units_at(k, i);
          if (units == 0) continue;
          REQUIRE(t < terms.count());
          is_same = is_same && terms.terms[t].place == host::kConsistencyRows * (offsets[m] + k) &&
                    terms.terms[t].value == ACCORD_FRACTION_OF_UNITS(units);
          ++t;
        }
      }
      is_same = is_same && terms.begin[i + 1] == t;
    }
    CHECK(is_same);
  }
}

TEST_CASE("residue terms: residues ranked by their number of terms") {
  Random random(32);
  const std::vector<std::uint32_t> lengths = {130, 60, 33};
  const PosteriorSet set = with_fillers(random, lengths);
  const std::vector<std::uint32_t> all = {0, 1, 2};
  for (const std::uint32_t x : all) {
    const ResidueTerms terms(set, equal_weights(set.sequences(), all), host::term_offsets(set, all),
                             x);
    REQUIRE(terms.order.size() == lengths[x]);
    for (std::uint32_t i = 0; i < lengths[x]; ++i) CHECK(terms.order[terms.rank[i]] == i);
    CHECK(std::is_sorted(terms.order.begin(), terms.order.end(), [&](auto a, auto b) {
      return terms.begin[a + 1] - terms.begin[a] > terms.begin[b + 1] - terms.begin[b];
    }));
  }
}

TEST_CASE("rising row: the same as a row of all values, over words and at their borders") {
  Random random(33);
  for (const std::uint32_t columns : {0u, 1u, 63u, 64u, 65u, 300u}) {
    CAPTURE(columns);
    RisingRow row(columns);
    std::vector<std::uint64_t> plain(columns + 1, 0);
    bool is_same = true;
    for (int k = 0; k < 400; ++k) {
      const std::uint32_t j = draw(random, 0, columns);
      const std::uint64_t value = plain[j] + draw(random, 1, 1000);
      std::uint64_t last = 0;
      bool in_order = true;
      row.raise(j, value, [&](std::uint32_t column, std::uint64_t removed) {
        in_order = in_order && column >= j && removed <= value && removed >= last;
        last = removed;
      });
      for (std::uint32_t c = j; c <= columns; ++c) plain[c] = std::max(plain[c], value);
      is_same = is_same && in_order;
      for (std::uint32_t c = 0; c <= columns; ++c) {
        is_same = is_same && row.level(c) == plain[c] && row.at(c) == plain[c];
      }
    }
    CHECK(is_same);
  }
}
