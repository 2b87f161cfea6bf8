// SPDX-License-Identifier: Apache-2.0
// Tracks: how they are read, their tables and classes, their model, and what they are worth.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "accord/base/error.hpp"
#include "base/log.hpp"
#include "engine/host/host_backend.hpp"
#include "io/families/family_reader.hpp"
#include "io/families/track_reader.hpp"
#include "method/track_weight.hpp"
#include "models/track_classes.hpp"
#include "support/sequences.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

template <class F>
Error error_of(const F& f) {
  try {
    f();
  } catch (const Error& error) {
    return error;
  }
  return {ErrorKind::internal, "no error"};
}

std::vector<SequenceRecord> two_records() { return {{"a first", "MKVLA"}, {"b", "MKV"}}; }

TrackSource source_of(const std::string& text) {
  TrackSource source;
  source.file = OptionFile{"t.fa", text};
  source.table = std::make_shared<const TrackTable>(built_in_track_table("ss3"));
  return source;
}

/// The error of tracks of two_records().
std::string refusal(const std::string& text) {
  std::vector<SequenceRecord> records = two_records();
  const Error error = error_of([&] { add_tracks(records, source_of(text), "s.fa"); });
  CHECK(error.kind() == ErrorKind::bad_input);
  CHECK_FALSE(error.hint().empty());
  return error.what();
}

std::string table_refusal(const std::string& text) {
  const Error error = error_of([&] { parse_track_table(text, "t"); });
  CHECK(error.kind() == ErrorKind::bad_input);
  return error.what();
}

/// A table of letters that are aligned with themselves `odds` times as often as by chance.
TrackTable table_of(const std::string& letters, double odds) {
  TrackTable table;
  table.letters = letters;
  const auto count = static_cast<double>(letters.size());
  const double others = (count - odds) / (count - 1);
  for (std::size_t a = 0; a < letters.size(); ++a) {
    table.frequencies.push_back(1 / count);
    table.log_odds.emplace_back(letters.size(), std::log(others));
    table.log_odds[a][a] = std::log(odds);
  }
  return table;
}

/// Relatives with a track that follows their residues: runs of H, E and C along the root.
std::vector<SequenceRecord> family_with_tracks() {
  const std::string plan = "CCCCHHHHHHHHHHCCCEEEEEE";
  SequenceGenerator generator(5);
  const Codes root = generator.background(150);
  std::vector<SequenceRecord> records;
  for (int k = 0; k < 6; ++k) {
    const std::string letters = letters_of(generator.mutate(root, 0.5, 0, 0));
    SequenceRecord record{std::to_string(k), letters};
    for (std::size_t i = 0; i < letters.size(); ++i) record.track += plan[i % plan.size()];
    records.push_back(record);
  }
  return records;
}

AlignSettings settings_with(std::optional<double> weight) {
  AlignSettings settings = make_settings({}, ResidueType::protein);
  TrackSource source = source_of("");
  source.weight = weight;
  use_tracks(source, settings);
  return settings;
}

TrackWeight estimate(std::vector<SequenceRecord> records) {
  HostBackend host;
  Scheduler scheduler(host);
  return estimate_track_weight(SequenceSet(std::move(records), ResidueType::protein),
                               settings_with(std::nullopt), scheduler);
}

}  // namespace

TEST_CASE("track reader: names, gaps and case") {
  const std::vector<NamedTrack> tracks =
      parse_tracks("; all\n>a x\r\nHH-e\n;HH\n.~C\n\n>b\n??\n", "t.fa");
  REQUIRE(tracks.size() == 2);
  CHECK(tracks[0].name == "a");
  CHECK(tracks[0].letters == "HHeC");
  CHECK(tracks[0].has_left_out);
  CHECK(tracks[1].letters == "??");
  CHECK_FALSE(tracks[1].has_left_out);
  std::vector<SequenceRecord> records = two_records();
  add_tracks(records, source_of(">b\nH-E?\n"), "s.fa");
  CHECK(records[0].track.empty());
  CHECK(records[1].track == "HE?");
}

TEST_CASE("track reader: what does not fit is refused with a line that names it") {
  CHECK(refusal(">a\nHHHH\n") == "t.fa: the track of \"a\" has 4 letters, the sequence 5 residues");
  CHECK(refusal(">b\nHxC\n") ==
        "t.fa: the track of \"b\" has the letter \"x\" for residue 2, which the table ss3 does not "
        "know");
  CHECK(refusal(">b\nHHC\n>c\nH\n") == "t.fa: a track of \"c\", which is no sequence of s.fa");
  CHECK(refusal(">c\nH\n>d\nH\n") ==
        "t.fa: none of 2 names is that of a sequence of s.fa; the first is \"c\"");
  CHECK(refusal(">b\nHHC\n>b\nHHC\n") == "t.fa:3: a second track of \"b\"");
  CHECK(refusal("HHC\n") == "t.fa:1: letters before the first name");
  CHECK(refusal("> \nHHC\n") == "t.fa:1: a track without a name");
  CHECK(refusal("\n") == "t.fa: no tracks");
  std::vector<SequenceRecord> twins = {{"b", "MKV"}, {"b", "MKV"}};
  CHECK(std::string(error_of([&] { add_tracks(twins, source_of(">b\nHHC\n"), "s.fa"); }).what()) ==
        "t.fa: a track of \"b\", and two sequences of that name in s.fa");
  TrackSource without_table = source_of(">b\nHHC\n");
  without_table.table = nullptr;
  std::vector<SequenceRecord> records = two_records();
  CHECK(error_of([&] { add_tracks(records, without_table, "s.fa"); }).kind() == ErrorKind::usage);
}

TEST_CASE("track reader: the hint for a wrong length names gaps and blanks that are left out") {
  const auto hint = [](const std::string& text) {
    std::vector<SequenceRecord> records = two_records();
    return error_of([&] { add_tracks(records, source_of(text), "s.fa"); }).hint();
  };
  CHECK(hint(">b\nH\n") == "a track has a letter for each residue, ? where nothing is known");
  for (const std::string text : {">b\nH-C\n", ">b\nH C\n", ">b\nH~C\n"}) {
    CHECK(hint(text) == "gaps and blanks are left out; write another letter, such as C for coil");
  }
}

TEST_CASE("track reader: letters of DSSP are those of ss3, and of no other table") {
  std::vector<SequenceRecord> records = {{"a", "MKVLAMKVLA"}};
  add_tracks(records, source_of(">a\nGHIEBTSPX?\n"), "s.fa");
  CHECK(records[0].track == "HHHEECCC??");
  TrackSource mu = source_of(">a\nGHIEBTSPX?\n");
  mu.table = std::make_shared<const TrackTable>(built_in_track_table("mu"));
  add_tracks(records, mu, "s.fa");
  CHECK(records[0].track == "GHIEBTSPX?");
}

namespace {

/// The tracks of lines of markup with the tag T.
std::string markup_tracks(const std::string& row, const std::string& line, const char* table) {
  StockholmMarkup markup;
  markup.of_residues = {{"a", "other", std::string(row.size(), 'H')}, {"a", "T", line}};
  TrackSource source;
  source.tag = "T";
  source.table = std::make_shared<const TrackTable>(built_in_track_table(table));
  return tracks_of_markup(markup, {{"a first", row}, {"b", row}}, source, "s.sto");
}

std::string markup_refusal(const std::string& row, const std::string& line, const char* table) {
  const Error error = error_of([&] { markup_tracks(row, line, table); });
  CHECK(error.kind() == ErrorKind::bad_input);
  CHECK_FALSE(error.hint().empty());
  return error.what();
}

}  // namespace

TEST_CASE("track reader: a line of markup has the letter of the residue in its column") {
  CHECK(markup_tracks("M-KV.L", "HHEC.E", "ss3") == ">a\nHECE\n");
  // Gaps at residues: unknown; `-` of DSSP is its blank, other tables do not know it.
  CHECK(markup_tracks("MKVLA-", "H._~-H", "ss3") == ">a\nH???C\n");
  CHECK(markup_tracks("MKVLA", "A._~-", "mu") == ">a\nA????\n");
  // Brackets: those whose partner stands at a gap are unpaired; `-` is an inner loop.
  CHECK(markup_tracks("AC-GU", "(<_>)", "rna") == ">a\n(<>)\n");
  CHECK(markup_tracks("ACG-U", "<-<>>", "rna") == ">a\n<..>\n");
  CHECK(markup_tracks("ACGUA", "A:~,a", "rna") == ">a\nA:?,a\n");
  CHECK(markup_refusal("MKV", "HxC", "ss3") ==
        "s.sto: #=GR T: the track of \"a\" has the letter \"x\" for residue 2, which the table ss3 "
        "does not know");
  CHECK(markup_refusal("ACG", "((.", "rna").starts_with("s.sto: #=GR T: the track of \"a\" has"));
  CHECK(markup_refusal("MKV", "HC", "ss3") ==
        "s.sto: #=GR T: the line of \"a\" has 2 characters for 3 columns");
}

TEST_CASE(
    "track reader: a family takes tracks where the run uses them, for the residues of their "
    "table") {
  FamilySource source;
  source.track = source_of(">b\nHHC\n");
  const auto error = [&] {
    return error_of([&] { make_family(two_records(), source, "s.fa"); }).kind();
  };
  CHECK(error() == ErrorKind::usage);
  source.takes_track = true;
  const SequenceSet set = make_family(two_records(), source, "s.fa");
  CHECK(set.track(1) == "HHC");
  const std::vector<std::uint32_t> members = {1};
  CHECK(set.subset(members).track(0) == "HHC");
  source.type = ResidueType::rna;
  CHECK(error() == ErrorKind::usage);
  source.type = ResidueType::protein;
  source.track.file.reset();
  CHECK(error() == ErrorKind::usage);  // a table alone
}

TEST_CASE("track table: scale, frequencies and errors") {
  const TrackTable table = parse_track_table(
      "# x\n# Background (of all): 1 3\n# Lambda: 0.5\n  a B\na 2 -1\nB -1 1\n", "t");
  CHECK(table.letters == "aB");
  CHECK(table.log_odds == std::vector<std::vector<double>>{{1, -0.5}, {-0.5, 0.5}});
  CHECK(table.frequencies == std::vector<double>{0.25, 0.75});
  CHECK(table.place_of('B') == 1);
  CHECK_FALSE(table.place_of('b'));
  CHECK(table_refusal("") == "t: no table of log odds");
  CHECK(table_refusal("A A\n") == "t:1: the letter A occurs twice");
  CHECK(table_refusal("A ?\n") == "t:1: not a letter of a track: \"?\"");
  CHECK(table_refusal("A\n") == "t:1: 1 letter; a track has 2 to 64");
  CHECK(table_refusal("A B\nA 1 x\n") == "t:2: not a number: \"x\"");
  CHECK(table_refusal("A B\nA 1\n") == "t:2: 1 number for 2 letters");
  CHECK(table_refusal("A B\nC 1 2\n") == "t:2: the letter C is not in the line of letters");
  CHECK(table_refusal("A B\nA 1 2\n") == "t: no line for the letter B");
  CHECK(table_refusal("A B\nA 1 2\nB 3 1\n") == "t: two numbers for the letters A and B");
  CHECK(table_refusal("A B\nA 1 2\nB 2 21\n") == "t: log odds of B beyond 20");
  CHECK(table_refusal("A ~\n") == "t:1: not a letter of a track: \"~\"");
  CHECK(table_refusal("\n#Lambda 0.5\n") == "t:2: no colon in front of the numbers");
  CHECK(table_refusal("# Background 1 1\n") == "t:1: no colon in front of the numbers");
  const auto background = [](const std::string& frequencies) {
    return table_refusal("# Background: " + frequencies + "\nA B\nA 1 2\nB 2 1\n");
  };
  CHECK(background("1") == "t: 1 frequency for 2 letters");
  CHECK(background("-1 -1") == "t: a frequency is not above 0");
  CHECK(background("1e-10 1") == "t: a frequency is below 1e-9 of the sum of all");
  CHECK(background("1e308 1e308") == "t: a frequency is below 1e-9 of the sum of all");
}

TEST_CASE("track classes: few letters stay apart, many become seven") {
  const TrackClasses few = reduce_track_letters(built_in_track_table("ss3"));
  CHECK(few.classes("HEC?x") == std::vector<std::uint8_t>{0, 1, 2, 7, 7});
  CHECK(few.log_odds[0][0] == doctest::Approx(0.991).epsilon(0.01));
  CHECK(few.log_odds[0][1] == doctest::Approx(-3.524).epsilon(0.01));
  for (std::size_t c = 0; c < ACCORD_CONTEXTS; ++c) CHECK(few.log_odds[c][7] == 0);

  const TrackTable mu = built_in_track_table("mu");
  const TrackClasses many = reduce_track_letters(mu);
  std::vector<std::uint8_t> found = many.classes(mu.letters);
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
  CHECK(found == std::vector<std::uint8_t>{0, 1, 2, 3, 4, 5, 6});

  // Letters that are alike become one class.
  const TrackTable single = table_of("abcdefg", 4);
  TrackTable doubled;
  doubled.letters = "abcdefgABCDEFG";
  for (std::size_t a = 0; a < 14; ++a) {
    doubled.frequencies.push_back(1.0 / 14);
    std::vector<double>& row = doubled.log_odds.emplace_back();
    for (std::size_t b = 0; b < 14; ++b) row.push_back(single.log_odds[a % 7][b % 7]);
  }
  const TrackClasses pairs = reduce_track_letters(doubled);
  CHECK(pairs.classes("abcdefg") == pairs.classes("ABCDEFG"));
  CHECK(pairs.log_odds[0][0] == doctest::Approx(std::log(4)));
}

TEST_CASE("track model: pairs without tracks keep the model of letters") {
  std::vector<SequenceRecord> records = family_with_tracks();
  Parameters parameters = settings_with(1.0).parameters;
  const SequenceSet with(records, ResidueType::protein);
  const PosteriorFamily family(with, parameters);
  REQUIRE(family.of_tracks() != nullptr);
  CHECK(family.of_tracks()->model.contexts == nullptr);
  const PosteriorModel by_letters =
      build_posterior_model(default_parameters(ResidueType::protein), ResidueType::protein);
  CHECK(std::memcmp(&family.model.tables, &by_letters.tables, sizeof(accord_model)) == 0);
  const accord_recursion& hmm = family.of_tracks()->model.tables.hmm;
  CHECK(hmm.context[0] > 1);
  CHECK(hmm.context[1] < 1);
  CHECK(hmm.context[7] == 1);
  CHECK(has_track(with, 0, *parameters.track.classes));
  for (SequenceRecord& record : records) record.track.assign(record.letters.size(), '?');
  const SequenceSet unknown(records, ResidueType::protein);
  CHECK_FALSE(has_track(unknown, 0, *parameters.track.classes));
  CHECK(PosteriorFamily(unknown, parameters).of_tracks() == nullptr);
  parameters.track.weight = 0;
  CHECK(PosteriorFamily(with, parameters).of_tracks() == nullptr);
}

TEST_CASE("track weight: high for tracks that follow the residues, near 0 for shuffled ones") {
  const std::vector<SequenceRecord> records = family_with_tracks();
  const TrackWeight good = estimate(records);
  CHECK(good.pairs == 15);
  CHECK(good.weight > 0.8);
  std::vector<SequenceRecord> shuffled = records;
  std::mt19937 random(3);
  for (SequenceRecord& record : shuffled) {
    std::shuffle(record.track.begin(), record.track.end(), random);
  }
  CHECK(estimate(shuffled).weight < 0.1);
  // The order of the input does not matter.
  std::vector<SequenceRecord> turned(records.rbegin(), records.rend());
  CHECK(estimate(turned).weight == good.weight);
  for (SequenceRecord& record : shuffled) record.track.clear();
  CHECK(estimate(shuffled).pairs == 0);
  CHECK(estimate(shuffled).weight == 0);
}

TEST_CASE("track weight: 0 with a warning for tracks that are not used") {
  HostBackend host;
  Scheduler scheduler(host);
  std::vector<SequenceRecord> records = family_with_tracks();
  const auto found = [&](std::optional<double> weight) {
    const WarningScope scope;
    const std::optional<TrackWeight> track =
        with_track_weight(SequenceSet(records, ResidueType::protein), settings_with(weight),
                          scheduler)
            .track;
    REQUIRE(track);
    const std::vector<Warning>& warnings = scope.warnings();
    for (const Warning& warning : warnings) CHECK_FALSE(warning.hint.empty());
    return std::pair(track->weight, warnings.empty() ? std::string() : warnings.front().text);
  };
  CHECK(found(1.5) == std::pair(1.5, std::string()));
  CHECK(found(std::nullopt).second.empty());
  // Letters of each sequence that never meet their like.
  for (std::size_t k = 0; k < records.size(); ++k) {
    std::string& track = records[k].track;
    for (std::size_t i = 0; i < track.size(); ++i) track[i] = "HEC"[(i / 10 + k) % 3];
  }
  CHECK(found(std::nullopt) ==
        std::pair(0.0, std::string("the tracks agree no more than by chance, and are not used")));
  CHECK(found(1.5) == std::pair(1.5, std::string()));
  for (std::size_t k = 1; k < records.size(); ++k) records[k].track.clear();
  const std::string too_few =
      "tracks: fewer than two sequences have letters for half of their residues, so that tracks "
      "are not used";
  CHECK(found(std::nullopt) == std::pair(0.0, too_few));
  CHECK(found(1.5) == std::pair(0.0, too_few));
  CHECK(found(0.0) == std::pair(0.0, std::string()));
}
