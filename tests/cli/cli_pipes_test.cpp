// SPDX-License-Identifier: Apache-2.0
// Outputs that are written at the end of a run: standard output and error, and pipes. What makes
// their text must still be there then, which AddressSanitizer sees (scripts/checks/sanitize.sh).
#include <doctest/doctest.h>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "app/all_commands.hpp"
#include "cli/program.hpp"
#include "support/paths.hpp"

namespace accord::testing {
namespace {

/// A command with its inputs, and the options that name its outputs. An option may need another
/// one, which stands behind it.
struct Case {
  std::string command, inputs;
  std::vector<std::string> outputs;
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all = {
      {"align",
       "s.fa --track t.fa --track-matrix ss3",
       {"out", "confidence", "html", "multiqc", "name-map", "tree-out", "dist-out", "report",
        "track-out"}},
      {"align", "x.pdb y.pdb", {"tm-scores", "superposed"}},
      {"add",
       "a.fa new.fa",
       {"out", "confidence", "html", "left-out --keep-columns", "map", "report"}},
      {"add", "core large.fa --shard 1/2", {"out"}},
      {"merge", "a.fa b.fa", {"out", "confidence", "html", "report"}},
      {"codon", "genes.fa", {"out", "html", "name-map", "protein-out"}},
      {"convert", "a.fa", {"out", "html", "name-map"}},
      {"trim", "a.fa --max-gaps 0.1", {"out", "complement", "map", "left-out", "html"}},
      {"compare", "a.fa a2.fa", {"out", "table", "html", "jalview"}},
      {"ensemble",
       "s.fa -n 2",
       {"out", "confidence", "html", "name-map", "replicates-out", "columns-out", "report"}},
      {"ensemble", "s.fa -n 2 --concatenate", {"out"}},
      {"confidence", "a.fa", {"out", "confidence", "html", "weights"}},
      {"confidence", "xy.fa --structures x.pdb --structures y.pdb", {"tm-scores", "superposed"}},
      {"stats", "a.fa", {"out"}},
      {"view", "a.fa", {"out"}},
      {"tree", "s.fa", {"out"}},
      {"dist", "s.fa", {"out"}},
      {"batch", "list -O many", {"plan", "report", "multiqc"}},
      {"core", "large.fa --large always --backbone 3", {"out"}},
      {"join",
       "core part",
       {"out", "confidence", "html", "multiqc", "name-map", "tree-out", "report"}},
      {"verify", "s.fa a.fa --again", {"out"}},
      // These are of phylogeny, which a build may lack.
      {"tree", "--ml dna.fa", {"models --model auto", "table"}},
      {"likelihood", "dna.fa", {"out", "models --model auto", "tree-out", "sites"}},
  };
  return all;
}

/// Makes the inputs of all cases.
void write_inputs(const Program& program) {
  const auto write = [&](const char* name, const char* text) {
    program.directory().write(name, text);
  };
  write("s.fa", ">a\nMKVLAAGIVGLP\n>b\nMKVLAGIVGP\n>c\nMKLAGIVWGP\n");
  write("t.fa", ">a\nHHHHHHEEEECC\n>b\nHHHHHEEEEC\n>c\nHHHHEEEEEC\n");
  write("new.fa", ">d\nMKVWLAAGIVGP\n>e\nMKAAGIVGP\n");
  write("genes.fa", ">a\nATGAAAGTTCTGGCTGCT\n>b\nATGAAAGTTGCTGCT\n>c\nATGAAACTTGCTGCT\n");
  write("dna.fa",
        ">a\nACGTACGTACGTTACG\n>b\nACGTACGAACGTTACG\n>c\nACCTACGTACGATACG\n>d\nACCTACGTCCGATACG\n");
  write("list", "x\ts.fa\n");
  const std::string structures = source_dir() + "/tests/data/structures/";
  program.directory().write("x.pdb", file_bytes(structures + "1orc.pdb"));
  program.directory().write("y.pdb", file_bytes(structures + "1a8o.pdb"));
  write("large.fa",
        ">a\nMKVLAAGIVGLP\n>b\nMKVLAGIVGP\n>c\nMKLAGIVWGP\n>d\nMKVLAAGIVP\n>e\nMKVLACGIVP\n");
  const Outcome made = program.shell(
      "set -e; export ACCORD_DEVICE=none\n"
      "$accord s.fa -q -o a.fa; $accord s.fa -q --refine 0 --consistency 0 -o a2.fa\n"
      "sed 's/>/>x/' a.fa >b.fa; $accord x.pdb y.pdb -q -o xy.fa\n"
      "$accord core large.fa -q --large always --backbone 3 --with-confidence -o core\n"
      "$accord add core large.fa -q --shard 1/1 -o part");
  REQUIRE_MESSAGE(made.exit_code == 0, made.err);
}

/// Runs a command with one of its outputs in a file, and in each kind of pipe, and compares them
/// without the numbers, some of which are times, and without the names of the outputs.
const char* const kScript = R"(
set -euo pipefail
export ACCORD_DEVICE=none
run() { rm -rf many; $accord $command $inputs $quiet "$@" $other; }
same() {
  for name in plain "$1"; do
    sed -E 's#/dev/stdout|/dev/stderr|fifo|plain##g; s/[-0-9.e+]//g' "$name" >"$name.letters"
  done
  cmp plain.letters "$1.letters"
}
run "--$output" plain
[[ -s plain ]]
run "--$output" /dev/stdout | cat >got; same got
run "--$output" - | cat >got; same got
run "--$output" /dev/stderr 2>got; same got
rm -f fifo; mkfifo fifo
cat fifo >got & run "--$output" fifo; wait "$!"; same got
)";

}  // namespace

/// Whether this build has an option of a command.
bool has_option(const std::string& name, const std::string& option) {
  for (const Command& command : all_commands()) {
    if (command.name != name) continue;
    for (const OptionSpec& spec : command.options) {
      if (spec.name == option) return true;
    }
  }
  return false;
}

TEST_CASE("cli pipes: every output of every command, in a file and in pipes") {
  const Program program;
  write_inputs(program);
  for (const Case& one : cases()) {
    for (const std::string& words : one.outputs) {
      const std::string output = words.substr(0, words.find(' '));
      std::string other = words.substr(output.size());
      if (output != "out" && one.command != "batch") other += " -o /dev/null";
      if (!has_option(one.command, output)) continue;
      CAPTURE(one.command);
      CAPTURE(output);
      const bool is_quiet = one.command != "compare" && one.command != "convert";
      const Outcome outcome = program.shell("command='" + one.command + "' inputs='" + one.inputs +
                                            "' output='" + output + "' other='" + other +
                                            "' quiet=" + (is_quiet ? "-q" : "") + "\n" + kScript);
      CHECK_MESSAGE(outcome.exit_code == 0, outcome.out, outcome.err);
    }
  }
}

TEST_CASE("cli pipes: the list of outputs has all options that write a file") {
  std::map<std::string, std::set<std::string>> listed;
  for (const Case& one : cases()) {
    for (const std::string& words : one.outputs) {
      listed[one.command].insert(words.substr(0, words.find(' ')));
    }
  }
  for (const Command& command : all_commands()) {
    for (const OptionSpec& option : command.options) {
      if (option.value != "FILE" || option.is_file || option.dash != Dash::output) continue;
      // 'join' refuses it, since a family in shards lacks these distances.
      if (command.name == "join" && option.name == "dist-out") continue;
      CAPTURE(command.name);
      CAPTURE(option.name);
      CHECK(listed[command.name].contains(option.name));
    }
  }
}

}  // namespace accord::testing
