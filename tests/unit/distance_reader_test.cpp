// SPDX-License-Identifier: Apache-2.0
#include "io/trees/distance_reader.hpp"

#include <doctest/doctest.h>

#include "io/trees/distance_writer.hpp"
#include "support/scratch.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

/// Distance of the k-th and the l-th sequence of the text.
float distance(const NamedDistances& named, std::size_t k, std::size_t l) {
  return named.distances.at(named.names.from_input(k), named.names.from_input(l));
}

std::string complaint(const std::string& text) {
  const Error error = error_of([&] { parse_distances(text, "in"); });
  CHECK(error.kind() == ErrorKind::bad_input);
  CHECK_FALSE(error.hint().empty());
  return error.what();
}

}  // namespace

TEST_CASE("distance matrices: square, lower, with the diagonal, over several lines") {
  for (const char* text :
       {"3\nb 0 1 2.5\na 1 0 0.25\nc 2.5 0.25 0\n", " 3 \nb\na 1\nc 2.5 0.25\n",
        "3\r\nb 0\r\na 1 0\r\nc 2.5 0.25 0\r\n", "3\nb 0\n 1 2.5\na 1 0\n0.25\nc 2.5 0.25 0"}) {
    CAPTURE(text);
    const NamedDistances named = parse_distances(text, "in");
    REQUIRE(named.names.size() == 3);
    CHECK(named.names.name(named.names.from_input(0)) == "b");
    CHECK(distance(named, 0, 1) == 1.0f);
    CHECK(distance(named, 0, 2) == 2.5f);
    CHECK(distance(named, 2, 1) == 0.25f);
  }
}

TEST_CASE("distance matrices: what is written is read again") {
  const SequenceSet set({{"x", "AC"}, {"y|1", "ACD"}, {"z", "A"}}, ResidueType::protein);
  DistanceMatrix distances(3);
  distances.set(0, 1, 0.5f);
  distances.set(0, 2, 0.125f);
  distances.set(1, 2, 1.0f);
  for (const DistanceFormat format : {DistanceFormat::phylip, DistanceFormat::phylip_lower}) {
    const NamedDistances named = parse_distances(format_distances(distances, set, format), "in");
    for (std::size_t k = 0; k < 3; ++k) {
      for (std::size_t l = 0; l < 3; ++l) {
        CHECK(distance(named, k, l) == distances.at(set.from_input(k), set.from_input(l)));
      }
    }
  }
  CHECK(format_distances(distances, set, DistanceFormat::csv) ==
        "name,x,y|1,z\nx,0.000000,0.500000,1.000000\ny|1,0.500000,0.000000,0.125000\n"
        "z,1.000000,0.125000,0.000000\n");
  CHECK(format_distances(distances, set, DistanceFormat::tsv).starts_with("name\tx\ty|1\tz\nx\t"));
  CHECK(distance_format_of_suffix("a.csv.gz") == DistanceFormat::csv);
  CHECK(distance_format_of_suffix("a.tsv") == DistanceFormat::tsv);
  CHECK(distance_format_of_suffix("a") == DistanceFormat::phylip);
}

TEST_CASE("distance matrices: what is refused") {
  for (const char* text : {"", "x", "0\n", "3\na 0 1\nb 1 0\n", "999999999999\na 0\n", "-1\n",
                           "18446744073709551615 a\n"}) {
    CAPTURE(text);
    CHECK_FALSE(complaint(text).empty());
  }
  CHECK(complaint("2\na 0 x\nb 1 0\n") == "in:2: \"x\" is not a distance");
  CHECK(complaint("2\na 0 nan\nb 1 0\n").starts_with("in:2: "));
  CHECK(complaint("2\na 0 -1\nb 1 0\n").starts_with("in:2: "));
  CHECK(complaint("2\na 0 1e999\nb 1 0\n").starts_with("in:2: "));
  CHECK(complaint("2\na 0 1\nb 2 0\n").find("differ") != std::string::npos);
  CHECK(complaint("2\na 1 1\nb 1 0\n").find("itself") != std::string::npos);
  CHECK(complaint("2\na 0 1\na 1 0\n") == "in:3: two rows are named \"a\"");
}
