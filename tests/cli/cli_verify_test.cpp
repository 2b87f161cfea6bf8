// SPDX-License-Identifier: Apache-2.0
// `accord verify` as a user calls it.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>

#include "cli/program.hpp"
#include "io/files/sha256.hpp"
#include "support/paths.hpp"

using namespace accord;
using namespace accord::testing;
using Json = nlohmann::ordered_json;

namespace {

/// The example family in a directory, aligned, with its report.
class Published {
 public:
  explicit Published(const std::vector<std::string>& options = {}) {
    directory().write("in.fa", file_bytes(example_path()));
    align(options);
  }

  const ScratchDirectory& directory() const { return program_.directory(); }
  std::string bytes(const std::string& name) const {
    return file_bytes(program_.directory().path(name));
  }

  void align(const std::vector<std::string>& options) const {
    std::vector<std::string> line = {"in.fa", "-o", "out.fa", "--report", "r.json", "-d", "none"};
    line.insert(line.end(), options.begin(), options.end());
    const Outcome made = program_.run(line);
    CAPTURE(made.err);
    REQUIRE(made.exit_code == 0);
  }

  /// Replaces the first occurrence of a text in a file.
  void edit(const std::string& name, const std::string& old, const std::string& text) const {
    std::string all = bytes(name);
    const std::size_t at = all.find(old);
    REQUIRE(at != std::string::npos);
    directory().write(name, all.replace(at, old.size(), text));
  }

  /// Changes the report and states the checksum that its parameters then have.
  template <class Change>
  void rewrite_report(const Change& change) const {
    Json report = Json::parse(bytes("r.json"));
    change(report);
    report["parameters_sha256"] =
        sha256(report["accord_version"].get<std::string>() + "\n" + report["parameters"].dump());
    directory().write("r.json", report.dump(2));
  }

  Outcome run(std::vector<std::string> arguments) const {
    arguments.insert(arguments.begin(), "verify");
    arguments.insert(arguments.end(), {"-d", "none"});
    return program_.run(arguments);
  }
  Outcome verify(std::vector<std::string> options = {}) const {
    options.insert(options.begin(), {"in.fa", "out.fa", "r.json"});
    return run(options);
  }

  /// Checks that the alignment is verified.
  void check_verified(const std::vector<std::string>& options = {}) const {
    const Outcome outcome = verify(options);
    CAPTURE(outcome.err);
    CHECK(outcome.exit_code == 0);
    CHECK(!has(outcome.out, "differs"));
  }
  /// Checks that the alignment is not, with this failed check and this difference.
  void check_differs(const std::string& check, const std::string& difference,
                     const std::vector<std::string>& options = {}) const {
    const Outcome outcome = verify(options);
    CAPTURE(outcome.out);
    CAPTURE(outcome.err);
    CHECK(outcome.exit_code == 65);
    CHECK(has(outcome.out, "\n" + check + "\tdiffers\t"));
    CHECK(has(outcome.err, "accord: error: out.fa: not verified: "));
    CHECK(has(outcome.err, difference));
  }

 private:
  Program program_;
};

}  // namespace

TEST_CASE("verify: an alignment with its report, line by line") {
  const Published published;
  const Json report = Json::parse(published.bytes("r.json"));
  const auto text = [](const Json& value) { return value.get<std::string>(); };
  const Outcome outcome = published.verify({"--again"});
  CAPTURE(outcome.err);
  REQUIRE(outcome.exit_code == 0);
  CHECK(outcome.out ==
        "check\tresult\tdetail\nrows\tequal\t8 sequences, 107 columns\n"
        "report\tequal\tr.json\ninput\tequal\t" +
            sha256(published.bytes("in.fa")) + "\nversion\tequal\t" +
            text(report["accord_version"]) + "\nparameters\tequal\t" +
            text(report["parameters_sha256"]) + "\nalignment\tequal\t" +
            text(report["output"]["result_sha256"]) + "\nagain\tequal\tthe same rows\n");
  CHECK(published.verify({"-o", "v.tsv"}).out.empty());
  CHECK(has(outcome.out, published.bytes("v.tsv")));
}

TEST_CASE("verify: formats, wrapping, order and case do not matter") {
  const Published published;
  for (const char* name :
       {"o.fa.gz", "o.clw", "o.sto", "o.phy", "o.msf", "o.nex", "o.a2m", "o.json"}) {
    for (const std::vector<std::string>& style :
         {std::vector<std::string>{}, {"--order", "tree", "--case", "upper", "--wrap", "7"}}) {
      CAPTURE(name);
      std::vector<std::string> options = {"-o", name};
      options.insert(options.end(), style.begin(), style.end());
      published.align(options);
      const Outcome outcome = published.run({"in.fa", name, "r.json"});
      CAPTURE(outcome.err);
      CHECK(outcome.exit_code == 0);
    }
  }
}

TEST_CASE("verify: the report has what aligning again needs") {
  const std::string matrix = source_dir() + "/datasets/substitution/blosum62.txt";
  const std::string parameters = source_dir() + "/datasets/parameters/msaprobs.json";
  for (const std::vector<std::string>& options :
       {std::vector<std::string>{"--refine", "0", "--consistency", "1", "--intermediates", "4"},
        {"--mode", "local", "--refine", "1"},
        {"--tree", "nj", "--type", "protein"},
        {"--large", "always", "--backbone", "4", "--effort", "high"},
        {"--matrix", matrix, "--gap-costs", "9,1.5"},
        {"--parameters", parameters}}) {
    CAPTURE(options.front());
    const Published published(options);
    published.check_verified({"--again"});
    CHECK(published.bytes("out.fa") != Published().bytes("out.fa"));
  }
}

TEST_CASE("verify: a guide tree of a file is named again") {
  const Published published;
  published.align({"--tree-out", "t.nwk", "--tree", "nj"});
  published.align({"--tree", "t.nwk"});
  check_refused(published.verify(), 2, "the guide tree was in the file t.nwk");
  published.check_verified({"--tree", "t.nwk", "--again"});
  published.check_differs("parameters", "tree is file in the report and upgma here",
                          {"--tree", "upgma"});
}

TEST_CASE("verify: odd sequences and several files") {
  const Published published;
  published.directory().write(
      "in.fa", ">a one\nMKVLAAGIVG\n>a two\nMKVLgIVG\n>\nMK*LXAAG\n>e\n\n>f 7\nMKV LAGIVG\n");
  published.directory().write("more.fa", ">a\nMKVLgIVG\n>a_2\nMKIVG\n");
  published.align(
      {"more.fa", "--order", "tree", "-o", "o.clw", "-o", "o.sto", "-o", "o.nex", "-q"});
  for (const char* name : {"out.fa", "o.clw", "o.sto", "o.nex"}) {
    CAPTURE(name);
    const Outcome outcome =
        published.run({"in.fa", name, "r.json", "--also", "more.fa", "--again", "-q"});
    CAPTURE(outcome.err);
    CHECK(outcome.exit_code == 0);
  }
  published.check_differs("rows", "row \"a_2\": residue 3, in column ");
}

TEST_CASE("verify: the input is read as the report says") {
  const Published published;
  published.directory().write("in.fa",
                              ">a\nACGTTGCAACCGGATTACAGATTACACCGGTTAAGGCC7TTAAGCAC\n"
                              ">b\nGTGCTTAAGGCCTTAACCGGTGTAATCTGTAATCCGGTTGCAACGT\n"
                              ">c\nACGTTGCAACCGGATTACAGATTCACCGGTTAAGGCCTTAAGCAC\n");
  published.align({"--lenient", "--adjust-direction", "--type", "dna", "-q"});
  REQUIRE(has(published.bytes("out.fa"), "_R_"));
  published.check_verified({"-q", "--again"});
}

TEST_CASE("verify: a changed letter") {
  const Published published;
  const FastaRows rows = parse_rows(published.bytes("out.fa"));
  const std::string& row = rows[1].second;
  const std::size_t column = row.find_first_not_of('-');
  const std::string name = rows[1].first;
  const std::string changed = row[column] == 'W' ? "Y" : "W";
  published.edit("out.fa", ">" + name + "\n" + row.substr(0, column + 1),
                 ">" + name + "\n" + row.substr(0, column) + changed);
  published.check_differs("rows", "residue 1, in column " + std::to_string(column + 1) + ", is " +
                                      changed + ", and " + row[column] + " in in.fa");
  CHECK(!has(published.verify().out, "alignment\t"));
}

TEST_CASE("verify: a row that is missing, renamed, additional, or cut off") {
  const Published published;
  const FastaRows rows = parse_rows(published.bytes("out.fa"));
  const auto write = [&](const FastaRows& changed) {
    std::string text;
    for (const auto& [name, row] : changed) text += ">" + name + "\n" + row + "\n";
    published.directory().write("out.fa", text);
  };
  const auto first_word = [](const std::string& header) {
    return header.substr(0, header.find(' '));
  };
  FastaRows missing = rows;
  missing.erase(missing.begin() + 2);
  write(missing);
  published.check_differs("rows",
                          "sequence \"" + first_word(rows[2].first) + "\" of in.fa has no row");
  FastaRows renamed = rows;
  renamed[3].first = "unknown";
  write(renamed);
  published.check_differs("rows", "row \"unknown\" is no sequence of in.fa");
  FastaRows additional = rows;
  additional.emplace_back("unknown", rows[0].second);
  write(additional);
  published.check_differs("rows", "row \"unknown\" is no sequence of in.fa");
  FastaRows twice = rows;
  twice.push_back(rows[0]);
  write(twice);
  published.check_differs("rows", "is no sequence of in.fa");
  FastaRows cut = rows;
  const std::size_t last = cut[0].second.find_last_not_of('-');
  cut[0].second[last] = '-';
  write(cut);
  published.check_differs("rows", "row \"" + first_word(rows[0].first) + "\" has ");
}

TEST_CASE("verify: a moved gap has another checksum, and aligning again finds its place") {
  const Published published;
  FastaRows rows = parse_rows(published.bytes("out.fa"));
  std::string* moved = nullptr;
  std::size_t gap = 0;
  for (auto& [name, row] : rows) {
    for (std::size_t c = 1; c < row.size() && moved == nullptr; ++c) {
      if (row[c] == '-' && row[c - 1] != '-') {
        moved = &row;
        gap = c;
      }
    }
  }
  REQUIRE(moved != nullptr);
  std::swap((*moved)[gap - 1], (*moved)[gap]);
  std::string text;
  for (const auto& [name, row] : rows) text += ">" + name + "\n" + row + "\n";
  published.directory().write("out.fa", text);
  published.check_differs("alignment", "SHA-256 of the alignment is ");
  published.check_differs(
      "again", " is in column " + std::to_string(gap + 1) + ", not " + std::to_string(gap),
      {"--again"});
  const Outcome without = published.run({"in.fa", "out.fa", "--again"});
  CHECK(without.exit_code == 65);
  CHECK(has(without.err, "is in column " + std::to_string(gap + 1)));
}

TEST_CASE("verify: a report of another version") {
  const Published published;
  published.rewrite_report([](Json& report) {
    report["accord_version"] = "0.0.1";
    report["options"]["no_option_of_this_version"] = 3;
  });
  published.check_differs("version", "and 0.0.1 in the report");
  const Outcome outcome = published.verify({"--again"});
  CHECK(has(outcome.out, "alignment\tequal\t"));
  CHECK(!has(outcome.out, "parameters\t"));
  CHECK(!has(outcome.out, "again\t"));
}

TEST_CASE("verify: other parameters") {
  const Published published;
  published.check_differs("parameters", "refine_iterations is 30 in the report and 3 here",
                          {"--refine", "3"});
  published.check_verified({"--refine", "30", "--tree", "upgma"});
  published.rewrite_report([](Json& report) { report["parameters"]["cutoff"] = 0.02; });
  published.check_differs("parameters", "cutoff is 0.02 in the report and 0.01 here");
  published.rewrite_report([](Json& report) {
    report["parameters"]["cutoff"] = 0.01;
    report["options"]["refine"] = 5;
    report["parameters"]["refine_iterations"] = 5;
  });
  published.check_verified();  // nothing but aligning again shows it
  const Outcome again = published.verify({"--again"});
  CHECK(has(again.out, "again\tequal") ==
        (Published({"--refine", "5"}).bytes("out.fa") == published.bytes("out.fa")));
}

TEST_CASE("verify: a damaged report, and that of another command") {
  const Published published;
  const std::string report = published.bytes("r.json");
  published.edit("r.json", "\"refine_iterations\": 30", "\"refine_iterations\": 31");
  check_refused(published.verify(), 65, "r.json: the parameters do not have the checksum");
  published.directory().write("r.json", report.substr(0, report.size() / 2));
  check_refused(published.verify(), 65, ": not valid JSON");
  published.directory().write("r.json", "{\"accord_version\": \"1\", \"command\": \"align\"}\n");
  check_refused(published.verify(), 65, "r.json: not a report of accord: 'parameters' is missing");
  const auto refuse = [&](const std::string& text, const std::string& part) {
    published.directory().write("r.json", text);
    const Outcome refused = published.verify();
    check_refused(refused, 65, part);
    CHECK(!has(refused.err, "json.exception"));
  };
  for (const char* shape : {"[]", "7", "null", "{\"command\": 7}"}) {
    refuse(shape, "r.json: not a report of accord: an entry has another type");
  }
  for (const char* text : {"", "no JSON", "{\"command\": \"align\"", "{\"a\": 1}x", "\xff{"}) {
    refuse(text, "r.json:1: not valid JSON");
  }
  refuse("{\"a\":\n1e999}", "r.json: a number that is too large");
  // The library would need a megabyte of stack for what is nested like this.
  for (const std::string open : {"[", "{\"a\":"}) {
    std::string deep = "{\"command\": \"align\", \"accord_version\": \"1\", \"parameters\": \n";
    for (int k = 0; k < 200'000; ++k) deep += open;
    refuse(deep, "r.json:2: JSON that is nested too deep");
  }
  std::string wide = "{";
  for (int k = 0; k < 20'000; ++k) wide += "\"" + std::to_string(k) + "\": 1,";
  refuse(wide + "\"command\": \"align\"}", "a JSON object with too many entries");
  published.directory().write("r.json", report);
  published.edit("r.json", "\"command\": \"align\"", "\"command\": \"add\"");
  check_refused(published.verify(), 2, "a report of accord add");
  check_refused(published.run({"in.fa", "out.fa", "none.json"}), 66, "none.json");
}

TEST_CASE("verify: the report of another input or alignment") {
  const Published published;
  const std::string input = published.bytes("in.fa"), report = published.bytes("r.json");
  published.directory().write("in.fa", input + "\n");  // the same sequences in other bytes
  published.check_differs("input", "SHA-256 of in.fa is " + sha256(input + "\n") + ", and " +
                                       sha256(input) + " in the report");
  published.directory().write("in.fa", input.substr(0, input.rfind('>')));
  published.align({});
  published.directory().write("r.json", report);
  published.check_differs("input", "SHA-256 of in.fa is ");
  published.directory().write("in.fa", input);
  published.align({"--refine", "0", "--consistency", "0"});
  published.directory().write("r.json", report);
  published.check_differs("alignment", "SHA-256 of the alignment is ");
}

TEST_CASE("verify: without a report only aligning again verifies") {
  const Published published({"--tree", "nj"});
  const Outcome rows = published.run({"in.fa", "out.fa"});
  CHECK(rows.exit_code == 65);
  CHECK(has(rows.out, "rows\tequal\t8 sequences"));
  CHECK(has(rows.err, "there is no report of the run that made out.fa"));
  CHECK(has(rows.err, "hint: name the report"));
  CHECK(published.run({"in.fa", "out.fa", "--again", "--tree", "nj"}).exit_code == 0);
  CHECK(published.run({"in.fa", "out.fa", "--again"}).exit_code == 65);
  check_refused(published.run({"in.fa"}), 2, "verify");
}

TEST_CASE("verify: a run with tracks, which the line names") {
  const std::vector<std::string> tracks = {"--track", source_dir() + "/datasets/example.ss3.fa",
                                           "--track-matrix", "ss3"};
  const Published published(tracks);
  const auto verified = [&](std::vector<std::string> more) {
    std::vector<std::string> line = {"in.fa", "out.fa", "r.json", "--again"};
    line.insert(line.end(), more.begin(), more.end());
    return published.run(line);
  };
  CHECK(verified(tracks).exit_code == 0);
  const Outcome none = verified({});
  CHECK(none.exit_code == 2);
  CHECK(none.err.find("r.json: the run had tracks") != std::string::npos);
  // Other tracks: all residues of the first sequence are unknown.
  std::string text = file_bytes(tracks[1]);
  const std::size_t begin = text.find('\n') + 1;
  for (std::size_t k = begin; text[k] != '>'; ++k) {
    if (text[k] != '\n') text[k] = '?';
  }
  published.directory().write("other.fa", text);
  const Outcome other = verified({"--track", "other.fa", "--track-matrix", "ss3"});
  CHECK(other.exit_code == 65);
  CHECK(other.err.find("track_sha256 is ") != std::string::npos);
}
