// SPDX-License-Identifier: Apache-2.0
// The command lines of FAMSA 2, Kalign 3 and ProbCons.
#include <cstdlib>

#include "accord/base/error.hpp"
#include "app/names/old_program.hpp"
#include "base/text.hpp"

namespace accord {
namespace {

using enum OptionFate;

std::vector<OldOption> famsa_options() {
  return {
      {"-t", "N", "threads, 0 for all", becomes, "-j N; all for 0", true},
      {"-v -vv", "", "times of steps", becomes, "-v"},
      {"-gt", "TREE", "guide tree: sl, slink, upgma, nj, or import FILE", becomes,
       "--tree upgma, nj or FILE; accord has its own for sl", true},
      {"-gt_import", "FILE", "guide tree to use", becomes, "--tree VALUE"},
      {"-gt_export", "", "write the guide tree only", becomes, "accord tree IN -o OUT", true},
      {"-dist_export", "", "write the distances only", becomes, "accord dist IN -f csv -o OUT",
       true},
      {"-pid", "", "identities, not distances", becomes, "--percent-id", true},
      {"-square_matrix", "", "the whole matrix", becomes, "accord dist writes the whole matrix",
       true},
      {"-medoidtree", "", "fast guide trees", nothing, kChosenBySize},
      {"-medoid_threshold -subtree_size -sample_size -cluster_fraction -cluster_iters -r "
       "-refine_mode",
       "X", "details of the method", nothing, kChosenBySize},
      {"-go -ge -tgo -tge -gsd -gsl", "X", "gap costs", nothing, kTrainedCosts},
      {"-dgr -dgo -dsp -fr", "", "details of the method", nothing, kChosenBySize},
      {"-keep-duplicates -keep_duplicates", "", "align equal sequences, too", nothing,
       "accord does so"},
      {"-gz", "", "pack the output", becomes, "the suffix .gz of OUT, which it must have", true},
      {"-gz-lev -gz_lev", "N", "how well to pack", nothing, "accord has one level"},
      {"-trim_columns", "X", "leave out columns with less than the share X of residues", becomes,
       "accord trim --max-gaps 1-X", true},
  };
}

/// The value of -gt as words of accord; for "import" the file is the first of `files`, and is
/// taken from them.
std::vector<std::string> tree_words(const OldCall& call, std::vector<std::string>& files) {
  if (!call.has("-gt")) return {};
  const std::string& tree = *call.value("-gt");
  if (tree == "sl" || tree == "slink") return {};
  if (tree == "upgma" || tree == "nj") return {"--tree", tree};
  if (tree == "import" && files.size() > 1) {
    const std::string file = files.front();
    files.erase(files.begin());
    return {"--tree", file};
  }
  refuse_option(call.name + ": -gt " + tree, "unknown guide tree",
                "use sl, upgma, nj, or import FILE");
}

/// "STDIN" and "STDOUT" as accord has them.
void name_streams(std::vector<std::string>& files) {
  for (std::string& file : files) {
    if (file == "STDIN" || file == "STDOUT") file = "-";
  }
}

CommandPlan plan_famsa(const OldCall& call) {
  std::vector<std::string> words = call.words(), files = call.files;
  const std::vector<std::string> tree = tree_words(call, files);
  constexpr std::size_t kMostFiles = 3;
  if (files.size() < 2 || files.size() > kMostFiles) {
    refuse_option(call.name, "one input or two, and one output are needed", "famsa IN OUT");
  }
  name_streams(files);
  const std::string output = files.back();
  files.pop_back();
  if (call.has("-gz") && !output.ends_with(".gz")) {
    refuse_option(call.name + ": -gz into " + output,
                  "accord packs an output whose name ends with .gz",
                  "name the output " + output + ".gz");
  }
  if (call.has("-t") && *call.value("-t") != "0") append(words, {"-j", *call.value("-t")});
  CommandPlan plan;
  if (call.has("-gt_export")) {
    const bool is_nj = call.has("-gt") && *call.value("-gt") == "nj";
    append(words, {"--method", is_nj ? "nj" : "upgma", "-o", output});
    plan.commands.push_back(command_line("tree", words, files));
    return plan;
  }
  if (call.has("-dist_export")) {
    if (call.has("-pid")) words.emplace_back("--percent-id");
    append(words, {"-f", "csv", "-o", output});
    plan.commands.push_back(command_line("dist", words, files));
    return plan;
  }
  std::string aligned = output;
  if (call.has("-trim_columns")) {
    plan.files.emplace_back();
    aligned = plan.files.back().path();
  }
  const std::vector<std::string> style = {"-f", "fasta", "--wrap", "0"};
  if (files.size() == 1) append(words, tree);
  append(words, {"-o", aligned, "--case", "upper"});
  append(words, style);
  plan.commands.push_back(command_line(files.size() == 1 ? "align" : "merge", words, files));
  if (call.has("-trim_columns")) {
    char* end = nullptr;
    const std::string& text = *call.value("-trim_columns");
    const double share = std::strtod(text.c_str(), &end);
    if (end == text.c_str() || *end != '\0' || !(share >= 0 && share <= 1)) {
      refuse_option(call.name + ": -trim_columns " + text, "no share", "use a number from 0 to 1");
    }
    std::vector<std::string> trim = {"--max-gaps", formatted("%.9g", 1 - share), "-o", output};
    append(trim, style);
    plan.commands.push_back(command_line("trim", trim, {aligned}));
  }
  return plan;
}

std::vector<OldOption> kalign_options() {
  return {
      {"-i --input -input -in", "FILE", "input (stdin)", becomes, "accord FILE", true},
      {"-o --output -output -out", "FILE", "output (stdout)", becomes, "-o FILE", true},
      {"-f --format -format", "FORMAT", "fasta, msf or clu", becomes, "-f FORMAT", true},
      {"-n --nthreads", "N", "threads", becomes, "-j VALUE"},
      {"--type", "TYPE", "protein, divergent, rna, dna or internal", becomes,
       "-t protein, rna or dna", true},
      {"--gpo --gpe --tgpe", "X", "gap costs", nothing, kTrainedCosts},
      {"-q --quiet", "", "no progress", becomes, "-q"},
  };
}

CommandPlan plan_kalign(const OldCall& call) {
  std::vector<std::string> words = call.words(), files = call.files;
  if (call.has("-i")) files.insert(files.begin(), *call.value("-i"));
  if (files.empty()) files.emplace_back("-");
  std::string format = call.has("-f") ? lower_case(*call.value("-f")) : "fasta";
  if (format.starts_with("clu")) format = "clustal";
  if (format == "fa" || format == "afa") format = "fasta";
  if (format != "fasta" && format != "msf" && format != "clustal") {
    refuse_option(call.name + ": -f " + format, "unknown format", "use fasta, msf or clu");
  }
  append(words, {"-o", call.has("-o") ? *call.value("-o") : "-", "-f", format});
  if (call.has("--type")) {
    const std::string& type = *call.value("--type");
    const bool is_protein = type == "protein" || type == "divergent";
    if (!is_protein && type != "rna" && type != "dna" && type != "internal") {
      refuse_option(call.name + ": --type " + type, "unknown type",
                    "use protein, divergent, rna, dna or internal");
    }
    append(words, {"-t", is_protein ? "protein" : type == "rna" ? "rna" : "dna"});
  }
  return {{command_line("align", words, files)}, {}};
}

std::vector<OldOption> probcons_options() {
  return {
      {"-clustalw", "", "CLUSTAL", becomes, "-f clustal", true},
      {"-c --consistency", "N", "rounds of consistency", becomes, "--consistency VALUE"},
      {"-ir --iterative-refinement", "N", "iterations of refinement", becomes, "--refine VALUE"},
      {"-pre --pre-training", "N", "rounds of training", nothing,
       "the parameters of accord are trained"},
      {"-a --alignment-order", "", "rows in the order of the alignment", becomes, "--order tree"},
      {"-v --verbose", "", "more messages", becomes, "-v"},
      {"-annot", "FILE", "reliability of columns", refused,
       "accord IN --confidence FILE says how sure each column is"},
      {"-pairs -viterbi", "", "alignments of pairs", refused, "accord IN of two sequences each"},
      {"-t --train -e --emissions", "FILE", "train parameters", refused,
       "accord takes parameters, --parameters FILE"},
      {"-p --paramfile", "FILE", "parameters", refused,
       "accord --parameters FILE, in another format ('accord help parameters')"},
  };
}

CommandPlan plan_probcons(const OldCall& call) {
  std::vector<std::string> words = call.words();
  if (call.files.empty()) refuse_option(call.name, "no input", "probcons IN > OUT");
  append(words, {"-f", call.has("-clustalw") ? "clustal" : "fasta"});
  return {{command_line("align", words, call.files)}, {}};
}

}  // namespace

OldProgram famsa_program() {
  return {.name = "famsa",
          .names = {"famsa"},
          .usage = "[options] IN [IN2] OUT (STDIN, STDOUT)",
          .options = famsa_options(),
          .differences =
              "FASTA with one line a row, letters in upper case, rows in the order of the input. "
              "Two inputs are alignments, which are merged.",
          .plan = plan_famsa};
}

OldProgram kalign_program() {
  return {.name = "kalign",
          .names = {"kalign"},
          .usage = "-i IN -o OUT [options]",
          .options = kalign_options(),
          .differences =
              "FASTA in lines of 60, letters in the case of the input, rows in its order. The "
              "words of Kalign on standard output before the alignment are not written.",
          .plan = plan_kalign,
          .takes_joined_values = true};
}

OldProgram probcons_program() {
  return {.name = "probcons",
          .names = {"probcons"},
          .usage = "[options] IN... > OUT",
          .options = probcons_options(),
          .differences =
              "FASTA in lines of 60, letters in the case of the input, rows in its order. Several "
              "inputs are one family.",
          .plan = plan_probcons};
}

}  // namespace accord
