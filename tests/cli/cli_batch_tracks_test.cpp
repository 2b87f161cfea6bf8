// SPDX-License-Identifier: Apache-2.0
// accord batch with tracks: the alignments of single runs with the tracks of each family.
#include <doctest/doctest.h>

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/program.hpp"
#include "support/paths.hpp"

namespace accord::testing {
namespace {

namespace fs = std::filesystem;
using json = nlohmann::json;

const std::string kTrack = source_dir() + "/datasets/example.ss3.fa";
const std::string kStructures = source_dir() + "/tests/data/structures/";
const std::string kUse = " --track-matrix ss3 -d none -q ";

/// The program in a directory with two families, each with tracks.
class TrackBatch : public Program {
 public:
  TrackBatch() {
    write("in/all.fa", file_bytes(example_path()));
    write("tracks/all.fa", file_bytes(kTrack));
    write("in/few.fa", records(file_bytes(example_path()), 5));
    write("tracks/few.fa", records(file_bytes(kTrack), 5));
  }

  void write(const std::string& name, const std::string& text) const {
    directory().write(name, text);
  }

  /// `accord batch ARGUMENTS`, for proteins with the table ss3.
  Outcome batch(const std::string& arguments) const {
    return shell("$accord batch -O out --report report.json" + kUse + arguments);
  }

  std::string text_of(const std::string& name) const { return file_bytes(directory().path(name)); }

  /// The alignment of a single run.
  std::string single(const std::string& arguments) const {
    const Outcome outcome = shell("$accord --report single.json -d none -q " + arguments);
    CHECK(outcome.exit_code == 0);
    return outcome.out;
  }

  /// The family of the last report.
  json entry(const std::string& id) const {
    const json report = json::parse(text_of("report.json"));
    for (const json& family : report["families"]) {
      if (family["id"] == id) return family;
    }
    return {};
  }

 private:
  /// The first records of a FASTA text.
  static std::string records(const std::string& text, int count) {
    std::size_t end = 0;
    for (int k = 0; k < count; ++k) end = text.find("\n>", end) + 1;
    return text.substr(0, end);
  }
};

TEST_CASE("cli batch: tracks of a folder, a pattern or a list are those of single runs") {
  const TrackBatch program;
  const std::string all = program.single("in/all.fa --track tracks/all.fa --track-matrix ss3");
  const std::string few = program.single("in/few.fa --track tracks/few.fa --track-matrix ss3");
  const json report = json::parse(program.text_of("single.json"));
  program.write("list",
                "all\tin/all.fa\t\t\ttracks/all.fa\nfew\tin/few.fa\t\t9\ttracks/few.fa\n"
                "plain\tin/few.fa\t\t\t\n");
  CHECK(program.shell("$accord batch in -O out --track tracks --plan plan" + kUse).exit_code == 0);
  CHECK(has(program.text_of("plan"), "\ttracks/few.fa\n"));
  for (const char* arguments : {"in --track tracks", "in --track tracks/{}.fa", "list",
                                "list --track nowhere/{}", "plan"}) {
    CAPTURE(arguments);
    fs::remove_all(program.directory().path("out"));
    const Outcome outcome = program.batch(arguments);
    CAPTURE(outcome.err);
    CHECK(outcome.exit_code == 0);
    CHECK(program.text_of("out/all.afa") == all);
    CHECK(program.text_of("out/few.afa") == few);
    const json entry = program.entry("few");
    CHECK(entry["track"] == report["track"]);
    for (const char* name : {"track_sha256", "track_matrix_sha256", "track_weight"}) {
      CHECK(entry[name] == report["parameters"][name]);
    }
  }
  const std::string plain = program.single("in/few.fa");
  CHECK(plain != few);
  REQUIRE(program.batch("list").exit_code == 0);
  CHECK(program.text_of("out/plain.afa") == plain);
  CHECK_FALSE(program.entry("plain").contains("track_weight"));
}

TEST_CASE("cli batch: tracks that do not fit are errors of their family alone") {
  const TrackBatch program;
  program.write("in/bad.fa", program.text_of("in/few.fa"));
  program.write("in/none.fa", program.text_of("in/few.fa"));
  program.write("in/dna.fa", ">a\nACGTACGTACGT\n>b\nACGTACGTACG\n");
  program.write("tracks/dna.fa", ">a\nHHHHHHHHHHHH\n");
  program.write("tracks/bad.fa", program.text_of("tracks/few.fa") + "H\n");
  const Outcome outcome = program.shell(
      "$accord batch in -O out --report report.json -d none -j 1 --track tracks "
      "--track-matrix ss3");
  CHECK(outcome.exit_code == 4);
  CHECK(has(outcome.err, "family bad failed: tracks/bad.fa: the track of "));
  CHECK(has(outcome.err, "family none failed: cannot open tracks/none.fa"));
  CHECK(has(outcome.err, "family dna failed: in/dna.fa: tracks (tracks/dna.fa) of nucleotides"));
  CHECK(program.entry("all")["status"] == "aligned");
  CHECK(program.entry("few")["status"] == "aligned");
  for (const char* id : {"bad", "none", "dna"}) CHECK(program.entry(id)["status"] == "failed");
}

TEST_CASE("cli batch: --resume does again families of other tracks") {
  const TrackBatch program;
  const auto aligned = [&](const std::string& arguments) {
    CHECK(program.batch(arguments + " --resume").exit_code == 0);
    std::string ids;
    for (const char* id : {"all", "few"}) {
      if (program.entry(id)["status"] == "aligned") ids += id;
    }
    return ids;
  };
  CHECK(aligned("in --track tracks") == "allfew");
  CHECK(aligned("in --track tracks/{}.fa").empty());
  std::string changed = program.text_of("tracks/few.fa");
  changed[changed.find('\n') + 1] = '?';
  program.write("tracks/few.fa", changed);
  CHECK(aligned("in --track tracks") == "few");
  CHECK(aligned("in --track tracks --track-weight 0.5") == "allfew");
}

TEST_CASE("cli batch: a warning of tracks names the family") {
  const TrackBatch program;
  program.shell("sed -i '/^>/!s/[A-Z]/?/g' tracks/few.fa");
  const Outcome outcome =
      program.shell("$accord batch in -O out -d none --track tracks --track-matrix ss3");
  CHECK(outcome.exit_code == 0);
  CHECK(has(outcome.err, "in/few.fa: tracks: fewer than two sequences"));
  CHECK(program.text_of("out/few.afa") == program.single("in/few.fa"));
}

TEST_CASE("cli batch: structures bring their tracks, from files and folders") {
  const TrackBatch program;
  for (const char* name : {"1orc.pdb", "1a8o.pdb", "2beg.cif.gz"}) {
    program.write(std::string("all/") + name, file_bytes(kStructures + name));
  }
  program.write("list", "folder\tall/\nchains\tall/2beg.cif.gz:A,B\nall/2beg.cif.gz\nin/few.fa\n");
  REQUIRE(program.shell("$accord batch list -O out -d none -q --report report.json").exit_code ==
          0);
  CHECK(program.text_of("out/folder.afa") == program.single("all"));
  CHECK(program.text_of("out/chains.afa") == program.single("all/2beg.cif.gz:A,B"));
  const json report = json::parse(program.text_of("single.json"));
  CHECK(program.entry("chains")["track"] == report["track"]);
  CHECK(program.entry("chains")["track_matrix_sha256"] ==
        report["parameters"]["track_matrix_sha256"]);
  CHECK(program.text_of("out/few.afa") == program.single("in/few.fa"));
  // Other chains of a file are another family.
  program.write("list", "chains\tall/2beg.cif.gz:A,C\nfolder\tall\n");
  REQUIRE(program.shell("$accord batch list -O out -d none -q --report report.json --resume")
              .exit_code == 0);
  CHECK(program.entry("chains")["status"] == "aligned");
  CHECK(program.entry("folder")["status"] == "complete");
  // A weight is for structures, a table for files of tracks.
  program.write("list", "folder\tall\nfew\tin/few.fa\nall\tin/all.fa\t\t\ttracks/all.fa\n");
  REQUIRE(program.batch("list --track-weight 0.5").exit_code == 0);
  CHECK(program.text_of("out/folder.afa") == program.single("all --track-weight 0.5"));
  CHECK(program.text_of("out/few.afa") == program.single("in/few.fa"));
}

TEST_CASE("cli batch: tracks that say nothing are refused before any family") {
  const TrackBatch program;
  const std::string batch = "$accord batch in -O out -d none ";
  check_refused(program.shell(batch + "--track tracks/few.fa --track-matrix ss3"), 2,
                "one file of tracks, and many families");
  check_refused(program.shell(batch + "--track tracks"), 2, "no table of log odds");
  check_refused(program.shell(batch + "--track-matrix ss3"), 2, "no tracks");
  check_refused(program.shell(batch + "--track-weight 1"), 2, "no tracks");
  check_refused(program.shell(batch + "--track GR:SS --track-matrix ss3 --mode local"), 2,
                "mode local");
  check_refused(program.shell("$accord in/few.fa --track tracks --track-matrix ss3"), 2,
                "one family, and tracks of many");
  program.write("tracks/few.faa", "");
  check_refused(program.shell(batch + "--track tracks --track-matrix ss3"), 65,
                "two files of tracks for the family few");
  program.write("list", "a\tin/few.fa\t\tx\ttracks/few.fa\n");
  check_refused(program.shell("$accord batch list -O out"), 65, "no number of cells");
  CHECK_FALSE(fs::exists(program.directory().path("out")));
}

}  // namespace
}  // namespace accord::testing
