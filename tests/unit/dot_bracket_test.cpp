// SPDX-License-Identifier: Apache-2.0
// Dot-bracket strings, and tracks of nucleotides.
#include "io/formats/dot_bracket.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "accord/base/error.hpp"
#include "engine/host/host_backend.hpp"
#include "io/families/family_reader.hpp"
#include "method/track_weight.hpp"
#include "models/track_classes.hpp"

using namespace accord;

namespace {

constexpr const char* kLetters = "().";

/// The text of the error that `f` throws, and its kind.
template <class F>
std::string refusal(const F& f, ErrorKind kind = ErrorKind::bad_input) {
  try {
    f();
  } catch (const Error& error) {
    CHECK(error.kind() == kind);
    CHECK_FALSE(error.hint().empty());
    return error.what();
  }
  return "no error";
}

TrackSource source_of(const std::string& text, const std::string& table = "rna") {
  TrackSource source;
  source.file = OptionFile{"t.fa", text};
  source.table = std::make_shared<const TrackTable>(built_in_track_table(table));
  return source;
}

/// The track of the sequence ACGUACGU.
std::string track_of(const std::string& text) {
  std::vector<SequenceRecord> records = {{"a", "ACGUACGU"}};
  add_tracks(records, source_of(">a\n" + text + "\n"), "s.fa");
  return records[0].track;
}

/// Relatives of one length and structure that have three quarters of the root's letters, and more
/// by chance.
std::vector<SequenceRecord> family_with_structure() {
  std::mt19937 random(7);
  const auto letter = [&] { return "ACGU"[random() % 4]; };
  std::string root, structure;
  for (int k = 0; k < 8; ++k) structure += "((((((....))))))...";
  while (root.size() < structure.size()) root += letter();
  std::vector<SequenceRecord> records;
  for (int k = 0; k < 5; ++k) {
    SequenceRecord record{std::to_string(k), root};
    for (char& c : record.letters) c = random() % 4 == 0 ? letter() : c;
    record.track = structure;
    records.push_back(record);
  }
  return records;
}

double estimated_weight(std::vector<SequenceRecord> records) {
  AlignSettings settings = make_settings({}, ResidueType::rna);
  use_tracks(source_of(""), settings);
  HostBackend host;
  Scheduler scheduler(host);
  return estimate_track_weight(SequenceSet(std::move(records), ResidueType::rna), settings,
                               scheduler)
      .weight;
}

std::string track_refusal(const std::string& text) {
  return refusal([&] { track_of(text); });
}

}  // namespace

TEST_CASE("dot-brackets: brackets of all kinds, pseudoknots and WUSS") {
  CHECK(read_dot_bracket("((..))?.", kLetters, "").letters == "((..))?.");
  CHECK(read_dot_bracket("<[{(.)}]>", kLetters, "").letters == "((((.))))");
  CHECK(read_dot_bracket("((AA))aa", kLetters, "").letters == "(((())))");
  CHECK(read_dot_bracket("([)]", kLetters, "").letters == "(())");
  CHECK(read_dot_bracket(":<<__>>,", kLetters, "").letters == ".((..)).");
  CHECK(read_dot_bracket("", kLetters, "").letters.empty());
  CHECK(read_dot_bracket("-1", kLetters, "").letters == "-1");
}

TEST_CASE("dot-brackets: each pair has the places of its brackets") {
  const auto pairs_of = [](const std::string& text) {
    std::string found;
    for (const BasePair& pair : read_dot_bracket(text, kLetters, "").pairs) {
      CHECK(pair.probability == 1);
      found += std::to_string(pair.first) + "-" + std::to_string(pair.second) + " ";
    }
    return found;
  };
  CHECK(pairs_of("((..))?.") == "0-5 1-4 ");
  CHECK(pairs_of("(A<.)a>") == "0-4 1-5 2-6 ");
  CHECK(pairs_of("....").empty());
}

TEST_CASE("dot-brackets: what is written has the same pairs") {
  const auto written = [](const std::string& text) {
    return written_dot_bracket(read_dot_bracket(text, kLetters, ""));
  };
  CHECK(written("<[{(.)}]>?") == "((((.))))?");
  CHECK(written("AA((aa))") == "((AA))aa");
  CHECK(written("(A[.)a(])") == "(AB.)a(b)");
  CHECK(written("(A<.)a>") == "(AB.)ab");
  for (const std::string text : {"AA((aa))", "(A<.)a>", "([)]ABCabc", "((..))AB.ab"}) {
    const auto before = read_dot_bracket(text, kLetters, "").pairs;
    const auto after = read_dot_bracket(written(text), kLetters, "").pairs;
    REQUIRE(before.size() == after.size());
    for (std::size_t k = 0; k < before.size(); ++k) {
      CHECK(before[k].first == after[k].first);
      CHECK(before[k].second == after[k].second);
    }
  }
}

TEST_CASE("dot-brackets: letters of the table stay, and pair only if they are brackets") {
  CHECK(read_dot_bracket("(HH)_<>", "().H_<", "").letters == "(HH)_<)");
  CHECK(refusal([] { read_dot_bracket("<.", "().<", "x: "); }) ==
        "x: \"<\" for residue 1, whose pair is not closed");
}

TEST_CASE("dot-brackets: a bracket without a partner is refused") {
  const auto error = [](const std::string& text) {
    return refusal([&] { read_dot_bracket(text, kLetters, "x: "); });
  };
  CHECK(error("(.))") == "x: \")\" for residue 4, which closes no pair");
  CHECK(error(".(<.)") == "x: \"<\" for residue 3, whose pair is not closed");
  CHECK(error("<([.") == "x: \"<\" for residue 1, whose pair is not closed");
  CHECK(error("(]") == "x: \"]\" for residue 2, which closes no pair");
  CHECK(error("a.A") == "x: \"a\" for residue 1, which closes no pair");
}

TEST_CASE("tracks of nucleotides: the dot is a letter where the table has it") {
  CHECK(track_of("((....))") == "((....))");
  CHECK(track_of("--((..~..))--") == "((....))");
  CHECK(track_of("<<____>>") == "((....))");
  CHECK(track_of("(..)????") == "(..)????");
  CHECK(parse_tracks(">a\nH.H-\n", "t").front().letters == "HH");
  CHECK(parse_tracks(">a\n(.)-\n", "t", "().").front().letters == "(.)");
}

TEST_CASE("tracks of nucleotides: what does not fit is refused with a line that names it") {
  CHECK(track_refusal("((..))") ==
        "t.fa: the track of \"a\" has 6 letters, the sequence 8 residues");
  CHECK(track_refusal("((.1..))") ==
        "t.fa: the track of \"a\" has the letter \"1\" for residue 4, which the table rna does not "
        "know");
  CHECK(track_refusal("((...)))") ==
        "t.fa: the track of \"a\" has \")\" for residue 8, which closes no pair");
}

TEST_CASE("tracks of nucleotides: tables of other residues, and turned sequences, are refused") {
  FamilySource source;
  source.takes_track = true;
  const auto error = [&](const std::string& letters) {
    return refusal(
        [&] {
          make_family({{"a", letters}, {"b", letters}}, source, "s.fa");
        },
        ErrorKind::usage);
  };
  source.track = source_of(">a\nHHHHHHHH\n", "ss3");
  CHECK(error("ACGUACGU") == "s.fa: tracks (t.fa) of nucleotides, and the table ss3");
  source.track = source_of(">a\n((....))\n");
  CHECK(error("MKVLAWMK") == "s.fa: tracks (t.fa) of proteins, and the table rna");
  source.adjust_direction = true;
  CHECK(error("ACGUACGU") == "s.fa: tracks (t.fa) of sequences that may be turned round");
  source.adjust_direction = false;
  for (const ResidueType type : {ResidueType::rna, ResidueType::dna}) {
    source.type = type;
    CHECK(make_family({{"a", "ACGUACGU"}, {"b", "ACGU"}}, source, "s.fa").track(0) == "((....))");
  }
  // A table of a file is for all residues.
  source.track = source_of(">a\nxxyyyyzz\n");
  source.track.table = std::make_shared<const TrackTable>(
      parse_track_table("x y z\nx 1 -1 -2\ny -1 1 -1\nz -2 -1 1\n", "t.tsv"));
  CHECK(make_family({{"a", "ACGUACGU"}}, source, "s.fa").track(0) == "xxyyyyzz");
}

TEST_CASE("tracks of nucleotides: a weight below 1 is a share of right letters") {
  AlignSettings settings = make_settings({}, ResidueType::rna);
  TrackSource source = source_of("");
  const auto factor = [&](double weight, std::size_t c, std::size_t d) {
    source.weight = weight;
    use_tracks(source, settings);
    const accord_model tables = build_track_model(settings.parameters, ResidueType::rna).tables;
    const double power = settings.parameters.track.hmm_factor;
    return std::log(tables.hmm.context[c * ACCORD_SYMBOLS + d]) / power;
  };
  const TrackClasses classes = reduce_track_letters(built_in_track_table("rna"));
  CHECK(classes.classes("().?") == std::vector<std::uint8_t>{0, 1, 2, 7});
  const auto near = [](double value) { return doctest::Approx(value).epsilon(1e-4); };
  for (std::size_t d = 0; d < 3; ++d) {
    const double log = classes.log_odds[0][d];
    CHECK(factor(1, 0, d) == near(log));
    CHECK(factor(0.5, 0, d) == near(std::log(0.5 + 0.5 * std::exp(log))));
    CHECK(factor(2, 0, d) == near(2 * log));
  }
  CHECK(factor(0.5, 0, 7) == 0);
}

TEST_CASE("tracks of nucleotides: wrong letters lower the weight, shuffled ones have none") {
  std::vector<SequenceRecord> records = family_with_structure();
  const double good = estimated_weight(records);
  CHECK(good > 0.9);
  std::mt19937 random(3);
  for (SequenceRecord& record : records) {
    const auto part = static_cast<std::ptrdiff_t>(record.track.size() / 4);
    std::shuffle(record.track.begin(), record.track.begin() + part, random);
  }
  const double worse = estimated_weight(records);
  CHECK(worse < good - 0.1);
  CHECK(worse > 0.3);
  for (SequenceRecord& record : records) {
    std::shuffle(record.track.begin(), record.track.end(), random);
  }
  CHECK(estimated_weight(records) == 0);
}
