// SPDX-License-Identifier: Apache-2.0
// The files of a family in shards: cores, parts, and the families that are read in blocks.
#include "io/families/family_shards.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "io/families/shard_text.hpp"
#include "io/files/sha256.hpp"
#include "method/method_text.hpp"
#include "run/shard_run.hpp"
#include "support/paths.hpp"
#include "support/scratch.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

constexpr float kUnknown = std::numeric_limits<float>::quiet_NaN();

CoreFile small_core() {
  CoreFile core;
  core.family = "a.fa";
  core.sequences = 5;
  core.family_sha256 = "f00";
  core.type = ResidueType::rna;
  core.source.reading.lenient = true;
  core.source.reading.format = AlignmentFormat::stockholm;
  core.method = format_method({});
  core.settings_sha256 = settings_checksum(core.source, make_settings({}, core.type), core.type);
  core.nearest = 2;
  core.members = {{"x  a header\twith a tab", "ACgU"}, {"two words, and more", "", 9}};
  core.places = {3, 1};
  core.copies = {0, 4};
  core.msa = {6, {{0, 1, 2, 5}, {}}};
  core.tree = {2, {0}, {1}, {0.1, 1.0 / 3, 0}, true};
  core.confidence = Confidence{{{0.1f, 1.0f, 0.7f, kUnknown}, {}},
                               {0.25f, kUnknown, 1, 1, 1, 0},
                               {1, 1, 1, 0, 0, 1},
                               0.3,
                               7};
  core.posterior_cells = 12;
  core.posterior_bytes = 99;
  return core;
}

/// Where a sequence of four residues is placed in the core.
PlacedSequence small_placement() {
  return {{0, kInserted, kInserted, 4}, 1, 1.0f / 3, 0.1f, {{2, 1}, {2, 65536}, {0, 0}, {1, 7}}};
}

/// A file of a core, and a part of its family.
struct Files {
  ScratchDirectory directory;
  std::string core_path = directory.path("c.acc");
  CoreFile core;

  Files() {
    const CoreFile written = small_core();
    write_outputs({core_output(written, core_path)});
    core = read_core(core_path);
  }

  PartFile part(const std::string& name, std::size_t number, std::size_t count) const {
    PartFile part;
    part.path = directory.path(name);
    part.core = core.checksum;
    part.number = number;
    part.count = count;
    part.records.resize(part_size(core.sequences, number, count), {"s", "ACGU"});
    part.placed.resize(part.records.size());
    part.placed.back() = small_placement();
    return part;
  }
  void write(const PartFile& part) const { write_outputs({part_output(part, core.msa.columns)}); }
  PartFile read(const std::string& name) const {
    return read_part(directory.path(name), core, core_path);
  }
};

std::string message_of(const std::function<void()>& action) { return error_of(action).what(); }

/// The text with another in place of its first line's beginning, and its checksum made anew.
std::string with_checksum(std::string text) {
  text.erase(text.rfind(";sha256 "));
  return text + ";sha256 " + sha256(text) + "\n";
}

}  // namespace

TEST_CASE("shards: columns as runs and back") {
  const Files files;
  const ShardText text(files.core_path, "core");
  const auto runs = [&](const std::vector<std::uint32_t>& column, std::uint32_t columns) {
    const std::string written = format_columns(column, columns);
    CHECK(parse_columns(written, column.size(), columns, text) == column);
    return written;
  };
  constexpr std::uint32_t kI = kInserted;
  CHECK(runs({}, 0).empty());
  CHECK(runs({}, 7) == "7D");
  CHECK(runs({0, 1, 2}, 3) == "3M");
  CHECK(runs({kI, kI}, 2) == "2I2D");
  CHECK(runs({kI, 1, 2, kI, 5, kI}, 8) == "1I1D2M1I2D1M1I2D");
  for (const char* bad : {"", "4M", "2M", "3M1D", "3", "M3", "3X", "-3M", "3M 1D", "99999999999M",
                          "18446744073709551615D3M1D"}) {
    CAPTURE(bad);
    CHECK_THROWS_AS(parse_columns(bad, 3, 3, text), Error);
  }
}

TEST_CASE("shards: a placement is read back exactly") {
  const Files files;
  const ShardText text(files.core_path, "core");
  const PlacedSequence placed = small_placement();
  const std::string note = format_placement(placed, 6);
  CHECK(note == "1M2I3D1M1D 0.1 1 0.33333334 2:1,2:65536,0:0,1:7");
  const PlacedSequence read = parse_placement(note, 4, 6, 2, text);
  CHECK(read.column == placed.column);
  CHECK(read.nearest == placed.nearest);
  CHECK(read.distance == placed.distance);
  CHECK(read.accuracy == placed.accuracy);
  REQUIRE(read.residues.size() == 4);
  CHECK(read.residues[1].units == 65536);
  CHECK(read.residues[3].pairs == 1);
  for (const std::string& bad :
       {std::string("1M2I3D1M1D"), std::string("1M2I3D1M1D 0.1 2 0.3"), note + ",1:1",
        note.substr(0, note.size() - 4), note + "x", std::string("1M2I3D1M1D x 1 0.3")}) {
    CAPTURE(bad);
    CHECK_THROWS_AS(parse_placement(bad, 4, 6, 2, text), Error);
  }
}

TEST_CASE("shards: a core is read back, and is FASTA for others") {
  const Files files;
  const CoreFile& core = files.core;
  const CoreFile written = small_core();
  CHECK(core.checksum.size() == 64);
  CHECK(core.family == written.family);
  CHECK(core.sequences == 5);
  CHECK(core.family_sha256 == "f00");
  CHECK(core.type == ResidueType::rna);
  CHECK(!core.source.type);
  CHECK(core.source.reading.lenient);
  CHECK(core.source.reading.format == AlignmentFormat::stockholm);
  CHECK(core.method == written.method);
  CHECK(core.nearest == 2);
  REQUIRE(core.members.size() == 2);
  CHECK(core.members[0].header == "x  a header\twith a tab");
  CHECK(core.members[0].letters == "ACgU");
  CHECK(!core.members[0].name_bytes);
  CHECK(core.members[1].name() == "two words");
  CHECK(core.places == written.places);
  CHECK(core.copies == written.copies);
  CHECK(core.msa == written.msa);
  CHECK(same_bytes(core.tree, written.tree));
  REQUIRE(core.confidence);
  CHECK(core.confidence->residue[0][0] == 0.1f);
  CHECK(std::isnan(core.confidence->residue[0][3]));
  CHECK(std::isnan(core.confidence->column[1]));
  CHECK(core.confidence->column_residues == written.confidence->column_residues);
  CHECK(core.confidence->mean == 0.3);
  CHECK(core.confidence->pairs == 7);
  CHECK(core.posterior_cells == 12);
  CHECK(core.posterior_bytes == 99);
  FamilySource fasta;
  fasta.files = {files.core_path};
  const FamilyInput family = read_family(fasta);
  REQUIRE(family.set.size() == 2);
  CHECK(family.set.letters(0) == "ACgU");
}

TEST_CASE("shards: what is no whole core of this version is refused") {
  const Files files;
  const std::string text = file_bytes(files.core_path);
  const auto problem = [&](const std::string& changed, const char* kind = "core") {
    files.directory.write("bad.acc", changed);
    const std::string message =
        message_of([&] { ShardText read(files.directory.path("bad.acc"), kind); });
    CHECK(message.find("bad.acc: ") != std::string::npos);
    return message.substr(message.find("bad.acc: ") + 9);
  };
  CHECK(problem(">a\nACGU\n") == "no core of a family in shards");
  CHECK(problem("") == "no core of a family in shards");
  CHECK(problem("#accord x\n") == "the first line is damaged");
  CHECK(problem(text, "part") == "a core, not a part");
  for (const std::size_t size : {text.size() - 1, text.size() - 60, text.size() - 80}) {
    CHECK(problem(text.substr(0, size)) == "cut off");
  }
  std::string damaged = text;
  damaged[damaged.find("ACgU")] = 'G';
  CHECK(problem(damaged) == "damaged: its checksum is another one");
  std::string other = text;
  const std::string version = ACCORD_VERSION;
  other.replace(other.find(version), version.size(), "0.0.9");
  CHECK(problem(with_checksum(other)) == "made by accord 0.0.9, but this is accord " + version);
  const std::string shorter = text.substr(0, text.find(">two")) + ";sha256 ";
  files.directory.write("bad.acc", with_checksum(shorter));
  CHECK(message_of([&] {
          read_core(files.directory.path("bad.acc"));
        }).find("the members of the core are not all there") != std::string::npos);
}

TEST_CASE("shards: a core that was aligned with other parameters is refused, both are named") {
  const Files files;
  CHECK(run::settings_of_core(files.core, "c.acc").parameters.cutoff > 0);
  CoreFile other = files.core;
  MethodOptions method;
  method.set("refine", "3", "refine");
  other.method = format_method(method);
  const std::string version =
      settings_checksum(other.source, make_settings(method, ResidueType::rna), ResidueType::rna);
  CHECK(message_of([&] { run::settings_of_core(other, "c.acc"); }) ==
        "c.acc: aligned with the parameters " + other.settings_sha256.substr(0, 12) +
            ", but this program has " + version.substr(0, 12));
  other.method = "{}";
  CHECK(error_of([&] { run::settings_of_core(other, "c.acc"); }).kind() == ErrorKind::bad_input);
}

TEST_CASE("shards: parts are read back, and only with their core") {
  const Files files;
  CHECK(part_size(5, 1, 2) == 3);
  CHECK(part_size(5, 2, 2) == 2);
  CHECK(part_size(2, 3, 7) == 0);
  files.write(files.part("p1.acc", 1, 2));
  const PartFile part = files.read("p1.acc");
  CHECK(part.number == 1);
  CHECK(part.count == 2);
  REQUIRE(part.records.size() == 3);
  CHECK(part.records[2].letters == "ACGU");
  CHECK(!part.placed[0]);
  REQUIRE(part.placed[2]);
  CHECK(part.placed[2]->column == small_placement().column);

  CoreFile other = small_core();
  other.nearest = 1;
  write_outputs({core_output(other, files.directory.path("other.acc"))});
  other = read_core(files.directory.path("other.acc"));
  CHECK(message_of([&] { read_part(part.path, other, "other.acc"); }) ==
        part.path + ": placed in the core " + files.core.checksum.substr(0, 12) +
            ", but other.acc is the core " + other.checksum.substr(0, 12));

  PartFile few = files.part("few.acc", 2, 2);
  few.records.pop_back();
  few.placed.pop_back();
  files.write(few);
  CHECK(message_of([&] {
          files.read("few.acc");
        }).find("its 1 sequence is not the part 2/2 of 5") != std::string::npos);
  PartFile plain = files.part("plain.acc", 1, 2);
  plain.placed.back()->residues.clear();
  files.write(plain);
  CHECK(message_of([&] { files.read("plain.acc"); }).find("without confidence") !=
        std::string::npos);
}

TEST_CASE("shards: each part once, and all of them") {
  const Files files;
  const auto problem = [&](const std::vector<std::pair<std::size_t, std::size_t>>& shards) {
    std::vector<PartFile> parts;
    for (const auto& [number, count] : shards) {
      parts.push_back(files.part(std::to_string(parts.size()), number, count));
      parts.back().path = "p" + std::to_string(parts.size());
    }
    return message_of([&] { check_parts(parts); });
  };
  const PartFile one = files.part("a", 1, 2), two = files.part("b", 2, 2);
  CHECK_NOTHROW(check_parts({one, two}));
  CHECK_NOTHROW(check_parts({two, one}));
  CHECK(problem({{2, 3}}) == "2 of 3 shards are missing: 1/3, 3/3");
  CHECK(problem({{3, 3}, {1, 3}}) == "1 of 3 shards is missing: 2/3");
  CHECK(problem({{1, 9}}) == "8 of 9 shards are missing: 2/9, 3/9, 4/9, 5/9, 6/9, ...");
  CHECK(problem({{1, 2}, {2, 2}, {1, 2}}) == "p1 and p3 are both the shard 1/2");
  CHECK(problem({{1, 2}, {2, 3}}) == "p2 is the shard 2/3, but p1 the shard 1/2");
}

TEST_CASE("shards: a family that is read in blocks is the family") {
  const ScratchDirectory directory;
  std::string text = "; a comment\n\n";
  std::uint32_t state = 1;
  const auto random = [&] { return (state = state * 1664525 + 1013904223) >> 8; };
  for (int k = 0; text.size() < (std::size_t{9} << 20); ++k) {
    text += "> s" + std::to_string(k) + " some > thing\n";
    const std::size_t length = k == 7 ? 5'000'000 : random() % 9000;
    for (std::size_t i = 0; i < length; ++i) {
      text += "ACDEFGHIKLMNPQRSTVWYacdxXB*?-."[random() % 30];
      if (i % 70 == 69) text += '\n';
    }
    text += "\n";
  }
  std::string carriage = text;
  for (char& c : carriage) c = c == '\n' ? '\r' : c;
  const std::vector<std::pair<std::string, std::string>> kTexts = {
      {"a.fa", text},
      {"b.fa", carriage},
      {"c.fa", ">one\nACDE\n>two\nAC\n"},
      {"d.sto", "# STOCKHOLM 1.0\none AC-DE\ntwo .CDDE\n//\n"}};
  for (const auto& [name, content] : kTexts) {
    directory.write(name, content);
    write_output(directory.path(name + ".gz"), content);
    for (const std::string& file : {name, name + ".gz"}) {
      CAPTURE(file);
      FamilySource source;
      source.files = {directory.path(file)};
      source.type = ResidueType::protein;
      const FamilyInput whole = read_family(source);
      std::size_t k = 0, different = 0;
      for_each_sequence(source, [&](SequenceRecord&& record) {
        REQUIRE(k < whole.set.size());
        const SequenceRecord& expected = whole.set.record(whole.set.from_input(k++));
        different += record.header != expected.header || record.letters != expected.letters;
      });
      CHECK(k == whole.set.size());
      CHECK(different == 0);
    }
  }
  // A complaint names the line of the file.
  for (const std::string& all : {text, carriage}) {
    directory.write("f.fa", all + ">last\nAC%D\n");
    FamilySource bad;
    bad.files = {directory.path("f.fa")};
    const std::string message = error_of([&] { read_family(bad); }).what();
    CHECK(error_of([&] { for_each_sequence(bad, [](SequenceRecord&&) {}); }).what() == message);
  }
  FamilySource none;
  none.files = {directory.path("none.fa")};
  CHECK(error_of([&] { for_each_sequence(none, [](SequenceRecord&&) {}); }).kind() ==
        ErrorKind::no_input);
  none.files = {directory.path("e.fa")};
  directory.write("e.fa", "");
  CHECK(error_of([&] { for_each_sequence(none, [](SequenceRecord&&) {}); }).kind() ==
        ErrorKind::bad_input);
}
