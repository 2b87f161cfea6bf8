// SPDX-License-Identifier: Apache-2.0
#include "core/sequence_set.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace accord {
namespace {

SequenceSet make_proteins(std::vector<SequenceRecord> records) {
  return SequenceSet(std::move(records), ResidueType::protein);
}

std::vector<std::string> headers(const SequenceSet& set) {
  std::vector<std::string> result;
  for (std::size_t x = 0; x < set.size(); ++x) result.push_back(set.header(x));
  return result;
}

TEST_CASE("sequence set: longest first, then by letters, then by header") {
  const SequenceSet set = make_proteins(
      {{"e", "AC"}, {"d", "WWW"}, {"c", "AAAA"}, {"b", "AAC"}, {"z", "AC"}, {"a", "AC"}});
  CHECK(headers(set) == std::vector<std::string>{"c", "b", "d", "a", "e", "z"});
  CHECK(set.lengths() == std::vector<std::uint32_t>{4, 3, 3, 2, 2, 2});
  CHECK(set.type() == ResidueType::protein);
}

TEST_CASE("sequence set: case is kept but does not matter for the order") {
  const SequenceSet set = make_proteins({{"b", "ac"}, {"a", "AD"}, {"c", "AB"}});
  CHECK(headers(set) == std::vector<std::string>{"c", "b", "a"});
  CHECK(set.letters(1) == "ac");
  CHECK(set.coded().codes(1)[1] == encode_letter(ResidueType::protein, 'C'));
  // Same header and letters but for their case.
  const SequenceSet twins = make_proteins({{"a", "mk"}, {"a", "MK"}});
  const SequenceSet swapped = make_proteins({{"a", "MK"}, {"a", "mk"}});
  CHECK(twins.letters(0) == swapped.letters(0));
  CHECK(twins.letters(1) == swapped.letters(1));
}

TEST_CASE("sequence set: canonical order does not depend on the input order") {
  std::vector<SequenceRecord> records;
  for (int k = 0; k < 40; ++k) {
    const std::string letters = std::string(static_cast<std::size_t>(k % 5), 'A' + k % 3) + "MK";
    records.push_back({std::to_string(k % 11), letters});  // with ties and duplicates
  }
  const SequenceSet expected = make_proteins(records);
  std::mt19937 random(1);
  for (int round = 0; round < 20; ++round) {
    std::shuffle(records.begin(), records.end(), random);
    const SequenceSet set = make_proteins(records);
    for (std::size_t x = 0; x < set.size(); ++x) {
      REQUIRE(set.header(x) == expected.header(x));
      REQUIRE(set.letters(x) == expected.letters(x));
    }
  }
}

TEST_CASE("sequence set: every input record is found again") {
  std::vector<SequenceRecord> records = {
      {"one", "MK"}, {"two", "MKVLA"}, {"", ""}, {"one", "MK"}, {"four x y", "*BZXJUO"}};
  const SequenceSet set = make_proteins(records);
  std::vector<bool> seen(records.size(), false);
  for (std::size_t k = 0; k < records.size(); ++k) {
    const std::size_t x = set.from_input(k);
    CHECK_FALSE(seen.at(x));
    seen[x] = true;
    CHECK(set.header(x) == records[k].header);
    CHECK(set.letters(x) == records[k].letters);
    CHECK(set.length(x) == records[k].letters.size());
    REQUIRE(set.coded().codes(x).size() == records[k].letters.size());
    for (std::size_t i = 0; i < set.length(x); ++i)
      CHECK(set.coded().codes(x)[i] == encode_letter(ResidueType::protein, records[k].letters[i]));
  }
}

TEST_CASE("sequence set: codes of all sequences lie one after the other") {
  const SequenceSet set = make_proteins({{"a", "MK"}, {"b", ""}, {"c", "VLA"}});
  REQUIRE(set.coded().first_code().size() == set.size() + 1);
  CHECK(set.coded().all_codes().size() == 5);
  for (std::size_t x = 0; x < set.size(); ++x)
    CHECK(set.coded().codes(x).data() ==
          set.coded().all_codes().data() + set.coded().first_code()[x]);
  CHECK(set.coded().first_code().back() == 5);
}

TEST_CASE("sequence set: the name is the first word of the header") {
  const SequenceSet set = make_proteins(
      {{"sp|P1 some protein", "MKV"}, {"tab\tseparated", "MK"}, {" odd one", "M"}, {" ", ""}});
  CHECK(set.name(0) == "sp|P1");
  CHECK(set.name(1) == "tab");
  CHECK(set.name(2) == "odd");
  CHECK(set.name(3).empty());
}

TEST_CASE("sequence set: an empty family") {
  for (const SequenceSet& set : {SequenceSet(), make_proteins({})}) {
    CHECK(set.size() == 0);
    CHECK(set.lengths().empty());
    CHECK(set.coded().all_codes().empty());
  }
}

TEST_CASE("sequence set: codes of several families, one behind the other") {
  const SequenceSet one({{"a", "ACDE"}, {"b", ""}}, ResidueType::protein);
  const SequenceSet two({{"c", "WY"}}, ResidueType::protein);
  CodedSequences all;
  all.append(one.coded());
  all.append(CodedSequences());
  all.append(two.coded());
  CHECK(all.lengths() == std::vector<std::uint32_t>{4, 0, 2});
  const auto expected = two.coded().codes(0);
  const auto codes = all.codes(2);
  CHECK(std::vector(codes.begin(), codes.end()) == std::vector(expected.begin(), expected.end()));
  CHECK(all.all_codes().size() == 6);
  CHECK(all.first_code()[2] == 4);
}

}  // namespace
}  // namespace accord
