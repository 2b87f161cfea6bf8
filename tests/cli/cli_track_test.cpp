// SPDX-License-Identifier: Apache-2.0
// --track, --track-matrix and --track-weight.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "cli/program.hpp"
#include "support/paths.hpp"

using namespace accord;
using namespace accord::testing;
using json = nlohmann::json;

namespace {

constexpr std::size_t npos = std::string::npos;
const std::string kTrack = source_dir() + "/datasets/example.ss3.fa";

std::vector<std::string> line(std::vector<std::string> more) {
  std::vector<std::string> all = {example_path(), "--track-matrix", "ss3"};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

/// RNAs of one structure and of unlike letters: two stems within a third.
constexpr const char* kRna =
    ">r0\nAAACUUUCCUCGUAAUGCAACCAUUUGCAUGGCGAAAUUUCAAAUCCGUAAUUUGAAGGAGGAAA\n"
    ">r1\nCAUUUUAAUUCGGAGGAUUCCCUCCGAGAUACCAUCCUUGGUAUACUAAAAUG\n"
    ">r2\nUUGCUAACCUGAUAAGGUAAUCUCUCCGCUUACCUAAACCAGGCCCUCCUGGUCUCAGGUUA\n"
    ">r3\nGAUAACCUAGCGCACAAGUUCAGCUGCAAAACUUGUGCAACGGGGAAAUACCGUUGCGCUAGGU\n"
    ">r4\nUAUAUUAUCGAAAAGUAGAUACAUUACUUUUGCUCCGUUUUAAGGCCCGUAAAACCGUAAUAUA\n";
constexpr const char* kStructures =
    ">r0\n....(((((((...((((((....))))))........((((((.......)))))).)))))))\n"
    ">r1\n(((((((...((((((....))))))..((((((....))))))..)))))))\n"
    ">r2\n....(((((((...((((((.........))))))..((((((....))))))..)))))))\n"
    ">r3\n....(((((((...((((((.........))))))..((((((.......)))))).)))))))\n"
    ">r4\n(((((((...((((((.........)))))).....((((((.......))))))..)))))))\n";

std::vector<std::string> rna_line(std::vector<std::string> more) {
  std::vector<std::string> all = {"rna.fa", "--track-matrix", "rna", "--track"};
  all.insert(all.end(), more.begin(), more.end());
  return all;
}

/// Checks that an OpenCL device of the kind cpu, if there is one, writes the same alignment.
void check_on_device(const Program& program, std::vector<std::string> arguments,
                     const std::string& alignment) {
  constexpr int kNoDevice = 69;
  arguments.insert(arguments.end(), {"-d", "cpu"});
  const Outcome device = program.run(arguments);
  if (device.exit_code == kNoDevice) return;
  CAPTURE(device.err);
  CHECK(device.exit_code == 0);
  CHECK(device.out == alignment);
}

/// The share of the pairs of residues in the columns whose structure letters are the same.
double same_letters(const std::string& alignment) {
  const FastaRows rows = parse_rows(alignment), tracks = parse_rows(kStructures);
  REQUIRE(rows.size() == tracks.size());
  std::vector<std::string> columns(rows.front().second.size());
  for (std::size_t k = 0; k < rows.size(); ++k) {
    std::size_t i = 0;
    for (std::size_t column = 0; column < columns.size(); ++column) {
      if (rows[k].second[column] != '-') columns[column] += tracks[k].second.at(i++);
    }
  }
  double pairs = 0, same = 0;
  for (const std::string& letters : columns) {
    for (std::size_t a = 0; a < letters.size(); ++a) {
      pairs += static_cast<double>(a);
      same += static_cast<double>(std::count(letters.begin(), letters.begin() + a, letters[a]));
    }
  }
  return same / pairs;
}

}  // namespace

TEST_CASE("track: it changes the alignment, and the report has its weight") {
  const Program program;
  const Outcome plain = program.run({example_path()});
  const Outcome given =
      program.run(line({"--track", kTrack, "--track-weight", "1", "--report", "r.json"}));
  CAPTURE(given.err);
  REQUIRE(given.exit_code == 0);
  CHECK(given.out != plain.out);
  CHECK(degapped(parse_rows(given.out)) == degapped(parse_rows(plain.out)));
  json report = json::parse(file_bytes(program.directory().path("r.json")));
  CHECK(report["track"] == json{{"weight", 1.0}, {"agreement", nullptr}, {"pairs", 0}});
  REQUIRE(program.run(line({"--track", kTrack, "--report", "r.json"})).exit_code == 0);
  report = json::parse(file_bytes(program.directory().path("r.json")));
  CHECK(report["track"]["pairs"] == 28);
  CHECK(report["track"]["weight"] > 0.5);
  CHECK(report["track"]["weight"] <= 1);
  REQUIRE(program.run({example_path(), "--report", "r.json"}).exit_code == 0);
  CHECK(json::parse(file_bytes(program.directory().path("r.json")))["track"].is_null());
}

TEST_CASE("track: of unknown residues, or of the weight 0, changes nothing") {
  const Program program;
  const Outcome plain = program.run({example_path()});
  REQUIRE(program.shell("sed '/^>/!s/[A-Z]/?/g' " + kTrack + " > unknown.fa").exit_code == 0);
  for (const auto& more : {std::vector<std::string>{"--track", "unknown.fa"},
                           {"--track", "unknown.fa", "--track-weight", "2"},
                           {"--track", kTrack, "--track-weight", "0"}}) {
    const Outcome outcome = program.run(line(more));
    CAPTURE(outcome.err);
    CHECK(outcome.out == plain.out);
    const bool is_warned = outcome.err.find("fewer than two sequences have letters") < npos;
    CHECK(is_warned == (more[1] == "unknown.fa"));
  }
}

TEST_CASE("track: the report says that tracks are not used, and has the warning") {
  const Program program;
  REQUIRE(program.shell("head -n 2 " + kTrack + " > one.fa").exit_code == 0);
  REQUIRE(program.run(line({"--track", "one.fa", "--track-weight", "1", "--report", "r.json"}))
              .exit_code == 0);
  const json report = json::parse(file_bytes(program.directory().path("r.json")));
  CHECK(report["track"]["weight"] == 0);
  CHECK(report["warnings"].dump().find("fewer than two sequences") < npos);
}

TEST_CASE("track: a device finds the same bytes as the host, and a large family takes tracks") {
  const Program program;
  for (const auto& more : {std::vector<std::string>{}, {"--large", "always", "--backbone", "4"}}) {
    std::vector<std::string> options = {"--track", kTrack};
    options.insert(options.end(), more.begin(), more.end());
    const Outcome host = program.run(line(options));
    REQUIRE(host.exit_code == 0);
    check_on_device(program, line(options), host.out);
  }
}

TEST_CASE("track: structures of RNA bring its stems together, on the host as on a device") {
  const Program program;
  program.directory().write("rna.fa", kRna);
  program.directory().write("rna.db", kStructures);
  const Outcome plain = program.run({"rna.fa", "--fold", "never"});
  CHECK(same_letters(plain.out) < 0.8);
  const Outcome given = program.run(rna_line({"rna.db", "--report", "r.json"}));
  CAPTURE(given.err);
  REQUIRE(given.exit_code == 0);
  CHECK(same_letters(given.out) > 0.9);
  CHECK(degapped(parse_rows(given.out)) == degapped(parse_rows(kRna)));
  const json report = json::parse(file_bytes(program.directory().path("r.json")));
  CHECK(report["track"]["weight"] > 0.5);
  check_on_device(program, rna_line({"rna.db"}), given.out);
}

TEST_CASE("track: other brackets, DNA and a table of a file say the same") {
  const Program program;
  program.directory().write("rna.fa", kRna);
  program.directory().write("rna.db", kStructures);
  const Outcome plain = program.run({"rna.fa", "--fold", "never"});
  const Outcome given = program.run(rna_line({"rna.db"}));
  REQUIRE(
      program
          .shell("sed '/^>/!y/()./[]_/' rna.db > wuss.db; sed '/^>/!s/[().]/?/g' rna.db > no.db;"
                 "sed '/^>/!s/U/T/g' rna.fa > dna.fa")
          .exit_code == 0);
  CHECK(program.run(rna_line({"wuss.db"})).out == given.out);
  CHECK(program.run(rna_line({"no.db"})).out == plain.out);
  const std::string table = source_dir() + "/datasets/parameters/track_rna.tsv";
  CHECK(program.run({"rna.fa", "--track", "rna.db", "--track-matrix", table}).out == given.out);
  std::string dna = program.run({"dna.fa", "--track", "rna.db", "--track-matrix", "rna"}).out;
  REQUIRE_FALSE(dna.empty());
  for (char& c : dna) c = c == 'T' ? 'U' : c;
  CHECK(dna == given.out);
}

namespace {

/// A Stockholm text of an alignment with the letters of tracks as lines #=GR NAME TAG.
std::string stockholm(const FastaRows& rows, const FastaRows& tracks, const std::string& tag,
                      char gap) {
  std::string text = "# STOCKHOLM 1.0\n";
  for (std::size_t k = 0; k < rows.size(); ++k) {
    std::string letters = tracks[k].second;
    for (char& c : letters) c = c == '-' ? gap : c;
    text += rows[k].first + " " + rows[k].second + "\n#=GR " + tracks[k].first + " " + tag + " " +
            letters + "\n";
  }
  return text + "//\n";
}

}  // namespace

TEST_CASE("track: lines of a Stockholm file are the same as a file of tracks") {
  const Program program;
  const std::vector<std::string> named = {example_path(), "--track", kTrack, "--track-matrix",
                                          "ss3"};
  std::vector<std::string> with_tracks = named;
  with_tracks.insert(with_tracks.end(), {"--track-out", "tracks.afa", "--report", "file.json"});
  const Outcome given = program.run(with_tracks);
  REQUIRE(given.exit_code == 0);
  const FastaRows rows = parse_rows(given.out),
                  tracks = parse_rows(file_bytes(program.directory().path("tracks.afa")));
  program.directory().write("fam.sto", stockholm(rows, tracks, "SS", '.'));
  program.directory().write("mu.sto", stockholm(rows, tracks, "3Di", '-'));
  for (const auto& [file, tag] : {std::pair("fam.sto", "GR:SS"), {"mu.sto", "GR:3Di"}}) {
    const Outcome lines = program.run(
        {file, "--track", tag, "--track-matrix", "ss3", "--report", "r.json", "-o", "x.afa"});
    CAPTURE(lines.err);
    CHECK(lines.exit_code == 0);
    CHECK(file_bytes(program.directory().path("x.afa")) == given.out);
    const json report = json::parse(file_bytes(program.directory().path("r.json")));
    const json of_file = json::parse(file_bytes(program.directory().path("file.json")));
    CHECK(report["track"] == of_file["track"]);
    CHECK_FALSE(report["parameters"]["track_sha256"].get<std::string>().empty());
  }
  CHECK(program
            .run({"verify", "mu.sto", "x.afa", "r.json", "--track", "GR:3Di", "--track-matrix",
                  "ss3"})
            .exit_code == 0);
  check_refused(program.run({"fam.sto", "-q", "--track", "GR:3Di", "--track-matrix", "ss3"}), 65,
                "fam.sto: no sequence has a line #=GR 3Di");
  check_refused(program.run({example_path(), "--track", "GR:SS", "--track-matrix", "ss3"}), 65,
                "no sequence has a line #=GR SS");
  check_refused(program.run({"fam.sto", "-q", "--track", "GR:SS"}), 2, "no table of log odds");
  check_refused(program.run({"fam.sto", "-q", "--track", "GR:", "--track-matrix", "ss3"}), 2,
                "no tag");
  check_refused(program.run({"fam.sto", "-q", "--track", "GR:SS", "--track-matrix", "rna"}), 65,
                "the track of");
}

TEST_CASE("track: the consensus structure of a Stockholm file holds for all of its rows") {
  const Program program;
  const std::string rows[] = {"GGGAAACC-CGGGAAACC-C", "GGGAA-CC-CGGGAA-CC-C",
                              "GG-AAAC-CCGG-AAAC-CC"};
  const std::string structure = "(((...)):)<<<___>>->";
  std::string consensus = "# STOCKHOLM 1.0\n", of_rows = consensus;
  for (std::size_t k = 0; k < std::size(rows); ++k) {
    const std::string name = "r" + std::to_string(k);
    consensus += name + " " + rows[k] + "\n";
    of_rows += name + " " + rows[k] + "\n#=GR " + name + " SS " + structure + "\n";
  }
  program.directory().write("gc.sto", consensus + "#=GC SS_cons " + structure + "\n//\n");
  program.directory().write("gr.sto", of_rows + "//\n");
  const auto aligned = [&](const std::string& file, const std::string& track) {
    return program.run({file, "-q", "--track", track, "--track-matrix", "rna", "-f", "stockholm"});
  };
  const Outcome of_columns = aligned("gc.sto", "GC:SS_cons");
  CAPTURE(of_columns.err);
  CHECK(of_columns.exit_code == 0);
  CHECK(of_columns.out == aligned("gr.sto", "GR:SS").out);
  // A bracket whose partner stands at a gap is unpaired.
  CHECK(has(of_columns.out, "#=GR r2 SS"));
  check_refused(aligned("gr.sto", "GC:SS_cons"), 65, "no sequence has a line #=GC SS_cons");
  check_refused(aligned("gc.sto", "GR:SS_cons"), 65, "no sequence has a line #=GR SS_cons");
  check_refused(aligned("gc.sto", "GC:"), 2, "no tag");
  program.directory().write("list.tsv", "gc.sto\n");
  CHECK(program
            .shell("$accord batch list.tsv -O out -q --track GC:SS_cons --track-matrix rna "
                   "-f stockholm")
            .exit_code == 0);
  CHECK(program.shell("cat out/gc.*").out == of_columns.out);
}

TEST_CASE("track: Stockholm output has the tracks, and is read again with them") {
  const Program program;
  program.directory().write("rna.fa", kRna);
  program.directory().write("rna.db", kStructures);
  const Outcome given = program.run(rna_line({"rna.db"}));
  REQUIRE(program.run(rna_line({"rna.db", "-o", "x.sto", "--order", "tree"})).exit_code == 0);
  for (const char* row : {"#=GR r0 SS ", "#=GR r4 SS "}) {
    CHECK(has(file_bytes(program.directory().path("x.sto")), row));
  }
  CHECK(program
            .shell("$accord convert x.sto -f stockholm | "
                   "$accord - -q --track GR:SS --track-matrix rna | grep -c '>'")
            .out == "5\n");
  CHECK(program
            .shell("$accord rna.fa --track rna.db --track-matrix rna -o y.sto; "
                   "$accord y.sto -q --track GR:SS --track-matrix rna")
            .out == given.out);
  // The rows of a given alignment keep the lines that they have.
  program.directory().write("new.fa", ">n\nCAUUUUAAUUCGGAGGAUUCCCUCCGAGAUACCAUCC\n");
  program.directory().write(
      "all.db", std::string(kStructures) + ">n\n(((((((...((((((....))))))...))))))).\n");
  const Outcome added = program.run({"add", "y.sto", "new.fa", "-q", "--track", "all.db",
                                     "--track-matrix", "rna", "-f", "stockholm"});
  CAPTURE(added.err);
  REQUIRE(added.exit_code == 0);
  for (const char* row : {"#=GR r0 SS ", "#=GR n SS "}) {
    const std::size_t first = added.out.find(row);
    REQUIRE(first != npos);
    CHECK(added.out.find(row, first + 1) == npos);
  }
}

TEST_CASE("track: the output of RNAfold is read as sequences and as tracks") {
  const Program program;
  program.directory().write("rna.fa", kRna);
  program.directory().write("rna.db", kStructures);
  const FastaRows letters = parse_rows(kRna), structures = parse_rows(kStructures);
  std::string fold, more;
  for (std::size_t k = 0; k < letters.size(); ++k) {
    const std::string record =
        ">" + letters[k].first + "\n" + letters[k].second + "\n" + structures[k].second;
    fold += record + " (-12.30)\n";
    std::string other = structures[k].second;
    std::ranges::replace(other, '(', '{');
    std::ranges::replace(other, ')', '}');
    more += record + " (  0.00)\n" + other + " [-13.10]\n" + structures[k].second +
            " { -1.20 d=8.1}\n frequency of mfe structure in ensemble 0.2; ensemble diversity 9 \n";
  }
  const Outcome given = program.run(rna_line({"rna.db"}));
  for (const std::string& text : {fold, more}) {
    program.directory().write("rna.fold", text);
    CHECK(program.run(rna_line({"rna.fold"})).out == given.out);
    const Outcome both = program.run({"rna.fold", "--track", "rna.fold", "--track-matrix", "rna"});
    CAPTURE(both.err);
    CHECK(both.out == given.out);
    CHECK(both.err.empty());
  }
}

TEST_CASE("track: add and merge use tracks of rows and new sequences") {
  const Program program;
  const auto part = [](const std::string& text, std::size_t first, std::size_t last) {
    const FastaRows rows = parse_rows(text);
    std::string records;
    for (std::size_t k = first; k < last; ++k) {
      records += ">" + rows[k].first + "\n" + rows[k].second + "\n";
    }
    return records;
  };
  program.directory().write("rna.db", kStructures);
  program.directory().write("old.fa", part(kRna, 0, 3));
  program.directory().write("old.db", part(kStructures, 0, 3));
  program.directory().write("new.fa", part(kRna, 3, 5));
  program.directory().write("new.db", part(kStructures, 3, 5));
  for (const std::string name : {"old", "new"}) {
    REQUIRE(program
                .run({name + ".fa", "--track", name + ".db", "--track-matrix", "rna", "-o",
                      name + ".afa"})
                .exit_code == 0);
  }
  const std::vector<std::string> use = {"--track", "rna.db",   "--track-matrix",
                                        "rna",     "--report", "r.json"};
  for (std::vector<std::string> command :
       {std::vector<std::string>{"add", "old.afa", "new.fa"}, {"merge", "old.afa", "new.afa"}}) {
    CAPTURE(command[0]);
    const Outcome plain = program.run(command);
    command.insert(command.end(), use.begin(), use.end());
    const Outcome given = program.run(command);
    CAPTURE(given.err);
    REQUIRE(given.exit_code == 0);
    CHECK(same_letters(given.out) > same_letters(plain.out) + 0.05);
    const json report = json::parse(file_bytes(program.directory().path("r.json")));
    CHECK(report["track"]["weight"] > 0.5);
    CHECK_FALSE(report["parameters"]["track_sha256"].get<std::string>().empty());
    command.insert(command.end(), {"--track-weight", "0"});
    CHECK(program.run(command).out == plain.out);
  }
  check_refused(program.run({"add", "old.afa", "new.fa", "--track", "old.db"}), 2,
                "no table of log odds");
  check_refused(program.run({"merge", "old.afa", "new.afa", "--track-matrix", "rna"}), 2,
                "no tracks");
  check_refused(program.run({"add", "old.afa", "new.fa", "--shard", "1/2", "--track", "rna.db"}), 2,
                "--shard with options");
}

TEST_CASE("track: add takes lines of Stockholm files, and structures beside other tracks") {
  const Program program;
  const std::string data = source_dir() + "/tests/data/structures/";
  REQUIRE(
      program.run({data + "1orc.pdb", data + "1a8o.pdb", "-o", "two.afa", "--track-out", "t.afa"})
          .exit_code == 0);
  const auto text = [&](const char* name) {
    return parse_rows(file_bytes(program.directory().path(name)));
  };
  program.directory().write("two.sto", stockholm(text("two.afa"), text("t.afa"), "SS", '.'));
  const std::string letters = degapped(text("two.afa"))[0].second;
  program.directory().write("new.sto", "# STOCKHOLM 1.0\nn " + letters + "\n#=GR n SS " +
                                           degapped(text("t.afa"))[0].second + "\n//\n");
  const Outcome added = program.run({"add", "two.sto", "new.sto", "--track", "GR:SS",
                                     "--track-matrix", "ss3", "--report", "r.json"});
  CAPTURE(added.err);
  CHECK(added.exit_code == 0);
  const auto pairs = [&] {
    return json::parse(file_bytes(program.directory().path("r.json")))["track"]["pairs"];
  };
  CHECK(pairs() == 3);
  // A structure brings its track, if the others have tracks in the same letters.
  for (const char* track : {"GR:SS", "t.afa"}) {
    CHECK(program
              .run({"add", "two.sto", data + "2beg.cif.gz", "--track", track, "--track-matrix",
                    "ss3", "--report", "r.json"})
              .exit_code == 0);
    CHECK(pairs() == 21);
  }
  const Outcome structure = program.run({"add", "two.sto", data + "2beg.cif.gz"});
  CHECK(structure.exit_code == 0);
  CHECK(has(structure.err, "of structures, this run uses the sequences alone"));
}

TEST_CASE("track: what says nothing is refused") {
  const Program program;
  program.directory().write("dna.fa", ">a\nACGTACGTACGT\n>b\nACGTACGTACG\n");
  program.directory().write("a.ss3", ">a\nHHHHHHHHHHHH\n");
  check_refused(program.run({example_path(), "--track", kTrack}), 2, "no table of log odds");
  check_refused(program.run(line({})), 2, "no tracks");
  check_refused(program.run(line({"--track", kTrack, "--mode", "local"})), 2, "mode local");
  check_refused(program.run(line({"--track", kTrack, "--track-weight", "3"})), 2, "weight");
  check_refused(program.run(line({"--track", kTrack, "--track-weight", "much"})), 2, "number");
  check_refused(program.run({"dna.fa", "--track", "a.ss3", "--track-matrix", "ss3"}), 2,
                "nucleotides");
  program.directory().write("open.db", ">a\n((((....))).\n");
  const std::vector<std::string> rna = {"dna.fa", "--track", "open.db", "--track-matrix", "rna"};
  check_refused(program.run(rna), 65, "whose pair is not closed");
  check_refused(program.run({"dist", example_path(), "--track", kTrack}), 2, "--track");
}

TEST_CASE("track: no output replaces the tracks or their table") {
  const Program program;
  program.directory().write("t.fa", file_bytes(kTrack));
  program.directory().write("t.tsv",
                            file_bytes(source_dir() + "/datasets/parameters/track_ss3.tsv"));
  for (const std::string output : {"t.fa", "t.tsv"}) {
    const Outcome refused = program.run({example_path(), "--track", "t.fa", "--track-matrix",
                                         "t.tsv", "-o", output, "-f", "fasta"});
    CHECK(refused.exit_code == 2);
    CHECK(refused.err.find("the output " + output + " would replace the input") !=
          std::string::npos);
  }
}
