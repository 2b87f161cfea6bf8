// SPDX-License-Identifier: Apache-2.0
#include "io/families/direction.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>

#include "io/families/family_reader.hpp"
#include "support/scratch.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

/// Sequences that differ from one of `length` bases in one base of ten.
std::vector<SequenceRecord> family(std::size_t sequences, std::size_t length, unsigned seed) {
  std::mt19937 random(seed);
  std::string root;
  for (std::size_t i = 0; i < length; ++i) root += "ACGT"[random() % 4];
  std::vector<SequenceRecord> records;
  for (std::size_t k = 0; k < sequences; ++k) {
    std::string letters = root.substr(0, length - k);
    for (char& c : letters) {
      if (random() % 10 == 0) c = "ACGT"[random() % 4];
    }
    records.push_back({"s" + std::to_string(k) + " x", letters});
  }
  return records;
}

}  // namespace

TEST_CASE("direction: the reverse complement keeps case, IUPAC letters and the U of RNA") {
  CHECK(reverse_complement("ACGTN") == "NACGT");
  CHECK(reverse_complement("acRYk") == "mRYgt");
  CHECK(reverse_complement("AACU") == "AGUU");
  CHECK(reverse_complement("") == "");
}

TEST_CASE("direction: the few that read backwards are turned, whatever the order") {
  const std::vector<SequenceRecord> forward = family(12, 300, 5);
  std::vector<SequenceRecord> mixed = forward;
  const std::vector<std::size_t> backwards = {0, 4, 7};
  for (const std::size_t k : backwards) mixed[k].letters = reverse_complement(mixed[k].letters);
  std::vector<SequenceRecord> adjusted = mixed;
  CHECK(adjust_directions(adjusted) == backwards);
  for (std::size_t k = 0; k < forward.size(); ++k) CHECK(adjusted[k].letters == forward[k].letters);
  CHECK(adjusted[4].header == "_R_s4 x");
  CHECK(adjusted[5].header == "s5 x");
  CHECK(adjust_directions(adjusted).empty());
  std::reverse(mixed.begin(), mixed.end());
  CHECK(adjust_directions(mixed).size() == 3);
  std::reverse(mixed.begin(), mixed.end());
  for (std::size_t k = 0; k < forward.size(); ++k) CHECK(mixed[k].letters == forward[k].letters);
}

TEST_CASE("direction: a family is adjusted where it is asked for, and says so") {
  std::vector<SequenceRecord> records = family(4, 200, 6);
  records[1].letters = reverse_complement(records[1].letters);
  FamilySource source;
  source.adjust_direction = true;
  WarningCatcher caught;
  const SequenceSet set = make_family(records, source, "in");
  CHECK(set.name(set.from_input(1)) == "_R_s1");
  REQUIRE(caught.warnings().size() == 1);
  CHECK(caught.warnings()[0] == "in: 1 sequence is turned round (reverse complement): \"_R_s1\"");
  make_family({{"a", "MKVLFWERNDKK"}, {"b", "MKVLFWERNDKK"}}, source, "these");
  REQUIRE(caught.warnings().size() == 2);
  CHECK(caught.warnings()[1] == "these: proteins have no direction to adjust");
  std::vector<SequenceRecord> few;
  CHECK(adjust_directions(few).empty());
}

TEST_CASE("direction: the directed stay, and say what the direction of the others is") {
  const std::vector<SequenceRecord> forward = family(12, 300, 5);
  std::vector<SequenceRecord> mixed = forward;
  for (std::size_t k = 2; k < mixed.size(); ++k) {
    mixed[k].letters = reverse_complement(mixed[k].letters);
  }
  std::vector<SequenceRecord> adjusted = mixed;
  CHECK(adjust_directions(adjusted) == std::vector<std::size_t>{0, 1});  // the fewer
  adjusted = mixed;
  CHECK(adjust_directions(adjusted, 2).size() == 10);
  for (std::size_t k = 0; k < forward.size(); ++k) CHECK(adjusted[k].letters == forward[k].letters);
  adjusted = mixed;
  CHECK(adjust_directions(adjusted, 12).empty());
}

TEST_CASE("direction: those that clearly read backwards are named") {
  std::vector<SequenceRecord> records = family(30, 400, 7);
  const auto suspects = [&](std::size_t directed) {
    return backward_sequences(SequenceSet(records, ResidueType::dna), directed);
  };
  CHECK(suspects(0).empty());
  records[3].letters = reverse_complement(records[3].letters);
  records[20].letters = reverse_complement(records[20].letters);
  CHECK(suspects(0) == std::vector<std::size_t>{3, 20});
  CHECK(suspects(4) == std::vector<std::size_t>{20});  // the first of which is not asked
  for (SequenceRecord& record : records) record.letters = reverse_complement(record.letters);
  CHECK(suspects(0) == std::vector<std::size_t>{3, 20});
  CHECK(backward_sequences(SequenceSet(records, ResidueType::protein)).empty());
  // Unrelated sequences, and a pair of them that is alike, have no direction.
  std::vector<SequenceRecord> unrelated;
  for (unsigned seed = 0; seed < 20; ++seed) unrelated.push_back(family(1, 100, seed)[0]);
  unrelated.push_back(family(2, 100, 19)[1]);
  CHECK(backward_sequences(SequenceSet(unrelated, ResidueType::dna)).empty());
  CHECK(backward_sequences(SequenceSet({}, ResidueType::dna)).empty());
}

TEST_CASE("direction: of a large family all are compared with 200, in any order") {
  std::vector<SequenceRecord> records = family(500, 900, 8);
  for (const std::size_t k : {5, 77, 301}) {
    records[k].letters = reverse_complement(records[k].letters);
  }
  CHECK(backward_sequences(SequenceSet(records, ResidueType::dna)) ==
        std::vector<std::size_t>{5, 77, 301});
  std::reverse(records.begin(), records.end());
  CHECK(backward_sequences(SequenceSet(records, ResidueType::dna)) ==
        std::vector<std::size_t>{198, 422, 494});
}
