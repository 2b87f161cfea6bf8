// SPDX-License-Identifier: Apache-2.0
#include "io/trees/distance_writer.hpp"

#include <doctest/doctest.h>

using namespace accord;

TEST_CASE("distances stand in input order") {
  // Canonical order is by length: c, a, b.
  const SequenceSet set({{"a 1", "ACD"}, {"b_with_a_long_name", "AC"}, {"", "ACDE"}},
                        ResidueType::protein);
  DistanceMatrix distances(3);
  const std::size_t a = set.from_input(0), b = set.from_input(1), c = set.from_input(2);
  distances.set(a, b, 0.25f);
  distances.set(a, c, 1.0f);
  distances.set(b, c, 1e-7f);
  CHECK(format_distances(distances, set) ==
        "3\n"
        "a                  0.000000 0.250000 1.000000\n"
        "b_with_a_long_name 0.250000 0.000000 0.000000\n"
        "seq3               1.000000 0.000000 0.000000\n");
}

TEST_CASE("distances of one and of no sequence") {
  CHECK(format_distances(DistanceMatrix(1), SequenceSet({{"a", ""}}, ResidueType::dna)) ==
        "1\na          0.000000\n");
  CHECK(format_distances(DistanceMatrix(0), SequenceSet({}, ResidueType::dna)) == "0\n");
}
