// SPDX-License-Identifier: Apache-2.0
// Which options decide an alignment, by the checksum of the parameters in its report and by what
// `batch --resume` takes for complete. An option fails that stands neither in a table of the
// library (method_options, input_options), whose options the unit tests walk, nor in one of this
// file.
#include <doctest/doctest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <vector>

#include "app/all_commands.hpp"
#include "cli/program.hpp"
#include "io/families/input_options.hpp"
#include "method/method_options.hpp"
#include "support/paths.hpp"

using namespace accord;
using namespace accord::testing;
using json = nlohmann::json;

namespace {

using Arguments = std::vector<std::string>;

/// An option that decides an alignment, and an input whose alignment shows it.
struct Deciding {
  std::string name;
  Arguments line;         ///< the option on a line
  std::string input;      ///< one that it changes the result of; a failure is another result
  Arguments others = {};  ///< options that stand there with it and without it
  std::string plain = "family.fa";  ///< an input that both lines align
};

const std::vector<Deciding> kDeciding = {
    {"lenient", {"--lenient"}, "odd.fa"},
    {"type", {"--type", "dna"}, "family.fa"},
    {"in-format", {"--in-format", "fasta"}, "family.phy"},
    {"gaps", {"--gaps", "error"}, "gaps.fa"},
    {"adjust-direction", {"--adjust-direction"}, "turned.fa", {}, "turned.fa"},
    {"parameters", {"--parameters", "own.json"}, "family.fa"},
    {"matrix", {"--matrix", "blosum62.txt"}, "family.fa"},
    {"gap-costs", {"--gap-costs", "5,1"}, "family.fa", {"--matrix", "blosum62.txt"}},
    {"tree", {"--tree", "nj"}, "family.fa"},
    {"prune", {"--prune"}, "two.fa", {"--tree", "three.nwk"}, "three.fa"},
    {"fold", {"--fold", "never"}, "hairpins.fa", {"--type", "rna"}, "hairpins.fa"},
    {"consistency", {"--consistency", "0"}, "family.fa"},
    {"intermediates", {"--intermediates", "1"}, "family.fa"},
    {"large", {"--large", "always"}, "family.fa", {"--backbone", "4"}},
    {"backbone", {"--backbone", "4"}, "family.fa", {"--large", "always"}},
    {"effort", {"--effort", "max"}, "many.fa", {"--large", "always", "--backbone", "60"}},
    {"mode", {"--mode", "local"}, "family.fa"},
    {"refine", {"--refine", "0"}, "family.fa"}};

/// An option that decides no alignment.
struct Neutral {
  std::string name;
  Arguments line;
};

const std::vector<Neutral> kNeutral = {{"max-seqs", {"--max-seqs", "99"}},
                                       {"max-length", {"--max-length", "999"}},
                                       {"out", {"-o", "o.sto"}},
                                       {"format", {"-f", "clustal"}},
                                       {"wrap", {"--wrap", "0"}},
                                       {"case", {"--case", "upper"}},
                                       {"confidence", {"--confidence", "c.tsv"}},
                                       {"html", {"--html", "p.html"}},
                                       {"multiqc", {"--multiqc", "m_mqc.tsv"}},
                                       {"name-map", {"--name-map", "n.tsv"}},
                                       {"order", {"--order", "tree"}},
                                       {"tree-out", {"--tree-out", "t.nwk"}},
                                       {"dist-out", {"--dist-out", "d.phy"}},
                                       {"report", {"--report", "other.json"}},
                                       {"device", {"-d", "none"}},
                                       {"threads", {"-j", "2"}},
                                       {"memory", {"--memory", "2G"}},
                                       {"time-limit", {"--time-limit", "500"}},
                                       {"kernel-dir", {"--kernel-dir", source_dir() + "/kernels"}},
                                       {"device-memory", {"--device-memory", "50%"}},
                                       {"verbose", {"-v"}},
                                       {"quiet", {"-q"}},
                                       {"progress", {"--progress", "none"}},
                                       {"log", {"--log", "log.txt"}},
                                       {"trace", {"--trace", "trace.json"}}};

/// Options of other commands that report how an alignment was made: `in` names an input, `plan`
/// aligns nothing, `track-out` needs tracks, `tm-scores` structures; the others have cases of their
/// own below.
const Arguments kOthers = {"in",        "keep-columns",  "left-out",  "map",        "out-dir",
                           "plan",      "shard",         "resume",    "keep-going", "beside",
                           "track-out", "allow-outside", "tm-scores", "superposed"};

Arguments joined(Arguments first, const Arguments& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

struct SettingsProgram : Program {
  SettingsProgram() {
    const ScratchDirectory& files = directory();
    const std::string family = random_fasta(12, 40);
    files.write("family.fa", family);
    files.write("many.fa", random_fasta(80, 20));
    files.write("odd.fa", ">a\nMKV7LAAGIV\n>b\nMKVLAGIV\n");
    files.write("gaps.fa", ">a\nMKV-LAAGIV\n>b\nMKVLAGIV\n");
    files.write("family.phy", "2 8\na  MKVLAGIV\nb  MKV-AGIV\n");
    files.write("hairpins.fa",
                ">a\nGGCAUCGAAAAGAUGCCAAUCC\n>b\nACCGUAGGAACUUACUACGG\n>c\nGACUGUUCGCAGUCAAGG\n");
    files.write("turned.fa",
                ">a\nACGGTTAACCTTGGATCTGATAC\n>b\nACGGTTAACCTGGATCTGATAC\n"
                ">c\nGTATCAGATCCAAGGTTAACCGT\n");
    files.write("three.fa", ">a\nMKVLAAGIV\n>b\nMKVLAGIV\n>c\nMKVAGIV\n");
    files.write("two.fa", ">a\nMKVLAAGIV\n>b\nMKVLAGIV\n");
    files.write("three.nwk", "((a:1,b:1):1,c:2);\n");
    json parameters = json::parse(run({"help", "parameters-protein"}).out);
    parameters["refinement"]["iterations"] = 1;
    parameters["consistency"]["rounds"] = 0;
    files.write("own.json", parameters.dump());
    shell("cp " + source_dir() + "/datasets/substitution/blosum62.txt .");
    shell("mkdir in; cp family.fa in/");
  }

  /// The report of a line.
  json report_of(Arguments line) const {
    if (std::ranges::find(line, "--report") == line.end()) line = joined(line, {"--report", "r"});
    const auto path = std::ranges::find(line, "--report") + 1;
    const Outcome outcome = run(joined(line, {"-j", "1"}));
    CAPTURE(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    return json::parse(file_bytes(directory().path(*path)));
  }

  /// Whether a batch with these options takes what one without them has written for complete.
  bool is_complete(const Arguments& options) const {
    shell("rm -rf out");
    const Arguments line = {"batch", "in", "-O", "out"};
    REQUIRE(run(line).exit_code == 0);
    const Outcome outcome =
        run(joined(joined(line, {"--resume", "--report", "batch.json"}), options));
    CAPTURE(outcome.err);
    const json report = json::parse(file_bytes(directory().path("batch.json")));
    return report["families"][0]["status"] == "complete";
  }
};

const Command& command_named(const std::vector<Command>& commands, const std::string& name) {
  return *std::ranges::find(commands, name, &Command::name);
}

bool has_option(const Command& command, const std::string& name) {
  return std::ranges::find(command.options, name, &OptionSpec::name) != command.options.end();
}

}  // namespace

TEST_CASE("settings: every option is known to decide an alignment or not to") {
  std::set<std::string> known(kOthers.begin(), kOthers.end());
  for (const MethodOption& option : method_options()) known.insert(option.field.name);
  for (const InputOption& option : input_options()) known.insert(option.field.name);
  for (const Neutral& option : kNeutral) known.insert(option.name);
  const std::vector<Command> commands = all_commands();
  for (const char* name : {"align", "batch", "add", "merge"}) {
    for (const OptionSpec& option : command_named(commands, name).options) {
      CHECK_MESSAGE(known.contains(option.name), name, " --", option.name);
    }
  }
}

TEST_CASE("settings: what changes a result changes the checksum of the parameters") {
  const SettingsProgram program;
  for (const Deciding& option : kDeciding) {
    CAPTURE(option.name);
    const Arguments without = joined({option.input}, option.others);
    const Outcome before = program.run(without), after = program.run(joined(without, option.line));
    CHECK((before.exit_code == 0 || after.exit_code == 0));
    CHECK(before.out != after.out);
    const Arguments plain = joined({option.plain}, option.others);
    CHECK(program.report_of(plain)["parameters_sha256"] !=
          program.report_of(joined(plain, option.line))["parameters_sha256"]);
  }
}

TEST_CASE("settings: the other options change neither the result nor the checksum") {
  const SettingsProgram program;
  const json first = program.report_of({"family.fa"});
  const auto check = [&](const Arguments& line) {
    const json report = program.report_of(line);
    CHECK(report["parameters_sha256"] == first["parameters_sha256"]);
    CHECK(report["output"]["result_sha256"] == first["output"]["result_sha256"]);
  };
  check({"--in", "family.fa"});
  for (const Neutral& option : kNeutral) {
    CAPTURE(option.name);
    if (option.name != "threads") check(joined({"family.fa"}, option.line));
  }
  CHECK(program.run({"family.fa", "-j", "1"}).out == program.run({"family.fa", "-j", "2"}).out);
}

TEST_CASE("settings: the rounds of small families decide those of inserted segments") {
  const SettingsProgram program;
  const json usual = program.report_of({"family.fa"});
  const json same = program.report_of({"family.fa", "--consistency", "2"});
  CHECK(usual["parameters"]["consistency_rounds"] == same["parameters"]["consistency_rounds"]);
  CHECK(usual["parameters"]["cutoff"] == 0.01);  // as the file has it, in single precision
  CHECK(usual["parameters"]["consistency_rounds_large"] == 1);
  CHECK(same["parameters"]["consistency_rounds_large"] == 2);
  CHECK(usual["parameters_sha256"] != same["parameters_sha256"]);
}

TEST_CASE("settings: a batch goes on only with what the same settings have made") {
  const SettingsProgram program;
  const std::vector<Command> commands = all_commands();
  const Command batch = command_named(commands, "batch");
  for (const Deciding& option : kDeciding) {
    if (!has_option(batch, option.name) || option.name == "prune") continue;
    CAPTURE(option.name);
    CHECK_FALSE(program.is_complete(joined(option.line, option.others)));
  }
  CHECK(program.run({"batch", "in", "-O", "out", "--prune"}).exit_code == 2);
  for (const Neutral& option : kNeutral) {
    if (!has_option(batch, option.name) || option.name == "report") continue;
    CAPTURE(option.name);
    CHECK(program.is_complete(option.line) == (option.name != "format"));
  }
  CHECK(program.is_complete({"--keep-going"}));
  CHECK(program.is_complete({"--shard", "1/1"}));
  CHECK_FALSE(program.is_complete({"--beside", "tree"}));
}

TEST_CASE("settings: those of given alignments are in the checksum, too") {
  const SettingsProgram program;
  program.directory().write("rows.fa", ">a\nMKV-AGIV\n>b\nMKVLAGIV\n");
  program.directory().write("new.fa", ">c\nMKVLPPPPAGIV\n");
  program.directory().write("more.fa", ">d\nMK-LAGIV\n");
  for (const Arguments& line :
       {Arguments{"add", "rows.fa", "new.fa"}, Arguments{"merge", "rows.fa", "more.fa"}}) {
    const json first = program.report_of(line);
    for (const Arguments& option :
         {Arguments{"--parameters", "own.json"}, Arguments{"--lenient"},
          Arguments{"--in-format", "fasta"}, Arguments{"--type", "dna"}}) {
      CAPTURE(option.front());
      CHECK(program.report_of(joined(line, option))["parameters_sha256"] !=
            first["parameters_sha256"]);
    }
    CHECK(program.report_of(joined(line, {"-o", "x.sto"}))["parameters_sha256"] ==
          first["parameters_sha256"]);
  }
  const Arguments add = {"add", "rows.fa", "new.fa", "--keep-columns"};
  const json kept = program.report_of(add);
  CHECK(kept["parameters_sha256"] !=
        program.report_of({"add", "rows.fa", "new.fa"})["parameters_sha256"]);
  CHECK(kept["parameters_sha256"] ==
        program.report_of(joined(add, {"--left-out", "l.tsv"}))["parameters_sha256"]);
}
