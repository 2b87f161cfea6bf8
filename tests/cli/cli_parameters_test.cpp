// SPDX-License-Identifier: Apache-2.0
// --parameters: files of the user's own, and what the report says of them.
#include <doctest/doctest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "app/cli/messages.hpp"
#include "cli/program.hpp"
#include "io/files/sha256.hpp"
#include "models/parameter_set.hpp"
#include "support/paths.hpp"

namespace accord::testing {
namespace {

using Json = nlohmann::ordered_json;

const std::string kFamilies = source_dir() + "/datasets/simulated/";

/// The program in a directory with own.json: the protein set with other numbers; and bad.json, with
/// one out of range.
class ParameterProgram : public Program {
 public:
  ParameterProgram() {
    Json json = Json::parse(protein_parameter_text());
    json["name"] = "own";
    json["partition_function"]["temperature"] = 12;
    json["partition_function"]["gap_extend"] = -1.5;
    json["mixture"]["calibration"] = 0.5;
    json["consistency"]["self_weight"] = 3;
    json["consistency"]["self_weight_power"] = 0.5;
    text_ = json.dump(1);
    directory().write("own.json", text_);
    json["mixture"]["hmm_share"] = 1.5;
    directory().write("bad.json", json.dump());
  }
  const std::string& text() const { return text_; }

  Json report(const std::string& arguments) const {
    CHECK(shell("$accord -d none -q --report r.json " + arguments).exit_code == 0);
    return Json::parse(file_bytes(directory().path("r.json")));
  }

 private:
  std::string text_;
};

TEST_CASE("--parameters: the built-in file gives the same alignment, another one another") {
  const ParameterProgram program;
  const std::string family = kFamilies + "twilight_6.fa";
  const Outcome usual = program.run({family, "-d", "none"});
  const Outcome same = program.shell("$accord help parameters-protein > p.json && $accord " +
                                     family + " -d none --parameters p.json");
  CHECK(same.exit_code == 0);
  CHECK(same.out == usual.out);
  const Outcome custom = program.run({family, "-d", "none", "--parameters", "own.json"});
  CHECK(custom.exit_code == 0);
  CHECK(is_alignment(parse_rows(custom.out)));
  CHECK(custom.out != usual.out);
  for (const std::string command : {"dist", "tree", "check"}) {
    CAPTURE(command);
    const Outcome plain = program.run({command, family, "-d", "none"});
    const Outcome other = program.run({command, family, "-d", "none", "--parameters", "own.json"});
    CHECK(other.exit_code == 0);
    if (command != "check") CHECK(other.out != plain.out);
  }
  const Outcome sure = program.shell(
      "$accord " + family +
      " -d none -o a.fa && $accord confidence a.fa "
      "-d none --parameters own.json | md5sum; $accord confidence a.fa -d none | md5sum");
  CHECK(sure.out.substr(0, 32) != sure.out.substr(36, 32));
}

TEST_CASE("--parameters: the report names the set and its check sum") {
  const ParameterProgram program;
  const std::string family = kFamilies + "twilight_6.fa";
  const Json usual = program.report(family)["parameters"];
  CHECK(usual["parameter_set"] == "protein");
  CHECK(usual["parameter_set_sha256"] == sha256(protein_parameter_text()));
  const Json custom = program.report(family + " --parameters own.json")["parameters"];
  CHECK(custom["parameter_set"] == "own");
  CHECK(custom["parameter_set_sha256"] == sha256(program.text()));
  CHECK(custom["consistency_self_weight"].get<double>() ==
        doctest::Approx(3 * std::sqrt(0.6)).epsilon(1e-6));
  const Json dna = program.report(kFamilies + "dna_8.fa")["parameters"];
  CHECK(dna["parameter_set"] == "nucleotide");
}

TEST_CASE("--parameters: files that make no sense are refused") {
  const ParameterProgram program;
  const std::string family = kFamilies + "twilight_6.fa";
  const Outcome bad = program.run({family, "-d", "none", "--parameters", "bad.json"});
  CHECK(bad.exit_code == 65);
  CHECK(bad.out.empty());
  CHECK(has(bad.err, "bad.json: mixture.hmm_share is 1.5, not in [0, 1]"));
  CHECK(has(bad.err, "accord help parameters"));
  CHECK(program.run({family, "--parameters", "none.json"}).exit_code == 66);
  const Outcome other =
      program.run({kFamilies + "dna_8.fa", "-d", "none", "--parameters", "own.json"});
  CHECK(other.exit_code == 65);
  CHECK(has(other.err, "dna sequences, but protein parameters"));
}

TEST_CASE("--parameters: a batch uses them, and resumes only what they were used for") {
  const ParameterProgram program;
  program.directory().write("list", kFamilies + "twilight_6.fa\n");
  const std::string batch = "$accord batch list -O out -d none --resume ";
  const Outcome custom =
      program.run({kFamilies + "twilight_6.fa", "-d", "none", "--parameters", "own.json"});
  CHECK(has(program.shell(batch).err, "1 aligned"));
  CHECK(has(program.shell(batch + "--parameters own.json").err, "1 aligned"));
  CHECK(file_bytes(program.directory().path("out/twilight_6.afa")) == custom.out);
  CHECK(has(program.shell(batch + "--parameters own.json").err, "1 complete"));
  CHECK(has(program.shell(batch).err, "1 aligned"));
}

TEST_CASE("help parameters: the file is described, and the built-in ones are printed") {
  const Program program;
  CHECK(program.run({"help", "parameters"}).out == command_line_hint(format_parameter_fields()));
  CHECK(program.run({"help", "parameters-protein"}).out == protein_parameter_text());
  CHECK(program.run({"help", "parameters-nucleotide"}).out == nucleotide_parameter_text());
}

}  // namespace
}  // namespace accord::testing
