// SPDX-License-Identifier: Apache-2.0
// Fragments of repeats: a fragment stands on one copy, not with a part on each of two.
#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

#include "cli/program.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

using Random = std::mt19937;

const std::string kAminoAcids = "ARNDCQEGHILKMFPSTWYV", kBases = "ACGT";

std::size_t draw(Random& random, std::size_t low, std::size_t high) {
  return low + random() % (high - low + 1);
}

std::string letters(Random& random, const std::string& alphabet, std::size_t length) {
  std::string text(length, ' ');
  for (char& c : text) c = alphabet[draw(random, 0, alphabet.size() - 1)];
  return text;
}

/// A text with other letters at every place in `every`, from a random one on.
std::string changed(Random& random, const std::string& alphabet, std::string text,
                    std::size_t every) {
  for (std::size_t i = draw(random, 0, every - 1); i < text.size(); i += every) {
    const char before = text[i];
    while (text[i] == before) text[i] = letters(random, alphabet, 1)[0];
  }
  return text;
}

/// A sequence with two copies of a repeat, and a fragment of the repeat.
struct Repeats {
  std::string lead, first, spacer, second, tail, fragment;

  /// `every`: places from one change of the second copy to the next, 0 for equal copies.
  Repeats(Random& random, const std::string& alphabet, std::size_t longest, std::size_t every) {
    first = letters(random, alphabet, draw(random, longest / 4, longest));
    spacer = letters(random, alphabet, draw(random, 5, longest));
    second = every == 0 ? first : changed(random, alphabet, first, every);
    if (random() % 3 == 0) lead = letters(random, alphabet, draw(random, 1, longest / 2));
    if (random() % 3 == 0) tail = letters(random, alphabet, draw(random, 1, longest / 2));
    const std::size_t length = draw(random, first.size() / 2, first.size());
    fragment = first.substr(draw(random, 0, first.size() - length), length);
  }

  std::string whole() const { return lead + first + spacer + second + tail; }
};

std::string fasta(const FastaRows& records) {
  std::string text;
  for (const auto& [name, row] : records) text += ">" + name + "\n" + row + "\n";
  return text;
}

/// Whether a row has a gap between two of its letters.
bool has_inner_gap(const std::string& row) {
  const std::size_t first = row.find_first_not_of("-."), last = row.find_last_not_of("-.");
  return row.find_first_of("-.", first) < last;
}

/// The numbers of those families that have an inner gap in their last row; all are aligned in one
/// batch.
std::vector<std::size_t> torn_of(const std::vector<FastaRows>& families) {
  const Program program;
  std::string list;
  for (std::size_t k = 0; k < families.size(); ++k) {
    const std::string name = std::to_string(k);
    program.directory().write(name + ".fa", fasta(families[k]));
    list += name + "\t" + name + ".fa\n";
  }
  program.directory().write("list", list);
  const Outcome outcome = program.run({"batch", "list", "-O", "out", "-q", "-d", "none"});
  REQUIRE(outcome.exit_code == 0);
  std::vector<std::size_t> gapped;
  for (std::size_t k = 0; k < families.size(); ++k) {
    const FastaRows rows =
        parse_rows(file_bytes(program.directory().path("out/" + std::to_string(k) + ".afa")));
    REQUIRE(degapped(rows) == families[k]);
    if (has_inner_gap(rows.back().second)) gapped.push_back(k);
  }
  return gapped;
}

std::vector<std::size_t> torn_repeats(std::uint32_t seed, std::size_t count,
                                      const std::string& alphabet, std::size_t longest,
                                      std::size_t every, std::size_t fragment_every = 0) {
  Random random(seed);
  std::vector<FastaRows> families;
  for (std::size_t k = 0; k < count; ++k) {
    Repeats repeats(random, alphabet, longest, every);
    if (fragment_every > 0) {
      repeats.fragment = changed(random, alphabet, repeats.fragment, fragment_every);
    }
    families.push_back({{"whole", repeats.whole()}, {"fragment", repeats.fragment}});
  }
  return torn_of(families);
}

using Numbers = std::vector<std::size_t>;

}  // namespace

TEST_CASE("repeats: a fragment stands on one of two equal copies") {
  CHECK(torn_repeats(1, 40, kAminoAcids, 120, 0) == Numbers{});
  CHECK(torn_repeats(2, 12, kAminoAcids, 120, 10) == Numbers{});
  CHECK(torn_repeats(3, 12, kAminoAcids, 120, 0, 10) == Numbers{});
}

TEST_CASE("repeats: a fragment of a long terminal repeat, of nucleotides") {
  CHECK(torn_repeats(4, 12, kBases, 300, 0) == Numbers{});
  CHECK(torn_repeats(5, 12, kBases, 300, 20) == Numbers{});
}

TEST_CASE("repeats: a fragment of three equal domains") {
  Random random(6);
  std::vector<FastaRows> families;
  for (std::size_t k = 0; k < 8; ++k) {
    const Repeats repeats(random, kBases, 120, 0);
    families.push_back({{"whole", repeats.whole() + repeats.spacer + repeats.first},
                        {"fragment", repeats.fragment}});
  }
  CHECK(torn_of(families) == Numbers{});
}

TEST_CASE("repeats: reads with a tail of A, and across tandem repeats of a reference") {
  Random random(7);
  std::vector<FastaRows> families;
  for (std::size_t k = 0; k < 12; ++k) {
    const std::string transcript = letters(random, kBases, 200);
    families.push_back({{"transcript", transcript + std::string(draw(random, 15, 40), 'A')},
                        {"read", transcript.substr(draw(random, 120, 160)) +
                                     std::string(draw(random, 5, 15), 'A')}});
    const std::string unit = letters(random, kBases, draw(random, 10, 25));
    const std::string reference =
        letters(random, kBases, 60) + unit + unit + letters(random, kBases, 60);
    families.push_back(
        {{"reference", reference}, {"read", reference.substr(draw(random, 30, 60), 70)}});
  }
  CHECK(torn_of(families) == Numbers{});
}

TEST_CASE("repeats: a fragment that is added stands on one copy, too") {
  Random random(8);
  Numbers gapped, gapped_in_columns;
  for (std::size_t k = 0; k < 20; ++k) {
    const Repeats repeats(random, kAminoAcids, 120, 0);
    // A relative of the whole, whose copies are equal as well.
    const std::string copy = changed(random, kAminoAcids, repeats.first, 7);
    const std::string relative =
        repeats.lead + copy + changed(random, kAminoAcids, repeats.spacer, 7) + copy + repeats.tail;
    const Program program;
    program.directory().write("given.fa",
                              fasta({{"whole", repeats.whole()}, {"relative", relative}}));
    program.directory().write("new.fa", fasta({{"fragment", repeats.fragment}}));
    for (const bool keeps : {false, true}) {
      std::vector<std::string> arguments = {"add", "given.fa", "new.fa", "-q", "-d", "none"};
      if (keeps) arguments.push_back("--keep-columns");
      const Outcome outcome = program.run(arguments);
      REQUIRE(outcome.exit_code == 0);
      const FastaRows rows = parse_rows(outcome.out);
      REQUIRE(rows.size() == 3);
      if (has_inner_gap(rows.back().second)) (keeps ? gapped_in_columns : gapped).push_back(k);
    }
  }
  CHECK(gapped == Numbers{});
  CHECK(gapped_in_columns == Numbers{});
}
