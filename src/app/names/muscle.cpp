// SPDX-License-Identifier: Apache-2.0
// The command lines of MUSCLE 5 and of MUSCLE 3.
#include <array>
#include <charconv>

#include "accord/base/error.hpp"
#include "app/names/old_program.hpp"

namespace accord {
namespace {

using enum OptionFate;

std::vector<OldOption> muscle5_options() {
  return {
      {"-align", "FILE", "input", becomes, "accord FILE", true},
      {"-super5", "FILE", "input, a large family", becomes,
       "accord FILE; accord knows large families by their size", true},
      {"-output", "FILE", "output", becomes, "-o VALUE"},
      {"-stratified", "", "an ensemble along four guide trees", becomes,
       "accord ensemble -n 4N for -replicates N (4)", true},
      {"-diversified", "", "an ensemble", becomes, "accord ensemble -n N for -replicates N (100)",
       true},
      {"-replicates", "N", "alignments of an ensemble", becomes, "-n", true},
      {"-perturb", "SEED", "seed of a single replicate", becomes,
       "a replicate of accord ensemble --seed SEED; 0: none", true},
      {"-perm", "PERM", "guide tree of a single replicate: none, abc, acb, bca", becomes,
       "the tree 0 to 3 of accord ensemble", true},
      {"-threads", "N", "threads", becomes, "-j VALUE"},
      {"-amino", "", "proteins", becomes, "-t protein"},
      {"-nt", "", "nucleotides", becomes, "-t dna"},
      {"-quiet", "", "no progress", becomes, "-q"},
      {"-log", "FILE", "messages", becomes, "--log VALUE"},
      {"-consiters -refineiters", "N", "rounds of the method", nothing, kTrainedCosts},
      {"-maxcc -disperse -efa_explode -efastats", "FILE", "judge or split an ensemble", refused,
       "accord ensemble --replicates-out, accord compare, accord convert --replicate NAME"},
      {"-addconfseq -letterconf", "FILE", "confidence by an ensemble", refused,
       "accord ensemble --columns-out, accord confidence"},
      {"-resample -fa2efa", "FILE", "make an ensemble of another", refused,
       "accord ensemble makes ensembles of sequences"},
  };
}

int count_of_muscle(const OldCall& call, std::string_view option, int standard) {
  const std::string* const text = call.value(option);
  if (text == nullptr) return standard;
  int number = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
  if (error == std::errc() && end == text->data() + text->size() && number >= 0) return number;
  refuse_option(call.name + ": " + std::string(option) + " " + *text, "not a whole number",
                "use a number such as 4");
}

/// One replicate of an ensemble: that of the parameters 1 and of a tree.
CommandPlan plan_replicate(const std::string& input, const OldCall& call,
                           const std::vector<std::string>& words) {
  const int seed = count_of_muscle(call, "-perturb", 0);
  const std::string perm = call.has("-perm") ? *call.value("-perm") : "none";
  constexpr std::array<std::string_view, 4> kPerms = {"none", "abc", "acb", "bca"};
  std::size_t tree = 0;
  while (tree < kPerms.size() && kPerms[tree] != perm) ++tree;
  if (tree == kPerms.size()) {
    refuse_option(call.name + ": -perm " + perm, "unknown word", "use none, abc, acb or bca");
  }
  CommandPlan plan;
  std::vector<std::string> made, written;  // what the ensemble, and what its replicate takes
  for (std::size_t at = 0; at < words.size(); ++at) {
    const bool is_output = words[at] == "-o" || words[at] == "-f" || words[at] == "--wrap";
    std::vector<std::string>& target = is_output ? written : made;
    target.push_back(words[at]);
    if (is_output) target.push_back(words[++at]);
  }
  plan.files.emplace_back();
  const std::string ensemble = plan.files.back().path();
  append(made, {"-n", "16", "--seed", std::to_string(seed), "-o", ensemble, "-f", "efa"});
  plan.commands.push_back(command_line("ensemble", made, {input}));
  append(written, {"--replicate", (seed == 0 ? "p0.t" : "p1.t") + std::to_string(tree)});
  plan.commands.push_back(command_line("convert", written, {ensemble}));
  return plan;
}

CommandPlan plan_muscle5(const OldCall& call) {
  if (!call.files.empty()) {
    refuse_option(call.name + ": '" + call.files.front() + "'", "no option stands before this file",
                  "muscle -align IN -output OUT");
  }
  const bool is_super5 = call.has("-super5");
  if (is_super5 == call.has("-align") || !call.has("-output")) {
    refuse_option(call.name, "no input or no output, or two inputs",
                  "muscle -align IN -output OUT");
  }
  const std::string& input = *call.value(is_super5 ? "-super5" : "-align");
  std::vector<std::string> words = call.words();
  const bool is_stratified = call.has("-stratified");
  constexpr int kTrees = 4, kStratified = 4, kDiversified = 100;
  if (is_stratified || call.has("-diversified")) {
    if (call.value("-output")->find('@') != std::string::npos) {
      refuse_option(call.name + ": -output with @", "accord names replicates itself",
                    "accord ensemble IN -o DIR/ writes a file for each");
    }
    const int count = is_stratified ? kTrees * count_of_muscle(call, "-replicates", kStratified)
                                    : count_of_muscle(call, "-replicates", kDiversified);
    append(words, {"-n", std::to_string(count), "-f", "efa"});
    return {{command_line("ensemble", words, {input})}, {}};
  }
  append(words, {"-f", "fasta", "--wrap", "80"});
  const bool is_plain = count_of_muscle(call, "-perturb", 0) == 0 &&
                        (!call.has("-perm") || *call.value("-perm") == "none");
  if (!is_plain) return plan_replicate(input, call, words);
  return {{command_line("align", words, {input})}, {}};
}

std::vector<OldOption> muscle3_options() {
  return {
      {"-in", "FILE", "input (stdin)", becomes, "accord FILE", true},
      {"-out", "FILE", "output (stdout)", becomes, "-o FILE", true},
      {"-profile", "", "align the alignments of -in1 and -in2", becomes, "accord merge", true},
      {"-in1", "FILE", "first alignment", becomes, "a file of accord merge", true},
      {"-in2", "FILE", "second alignment", becomes, "a file of accord merge", true},
      {"-clw -clwstrict", "", "CLUSTAL", becomes, "-f clustal", true},
      {"-msf", "", "MSF", becomes, "-f msf", true},
      {"-phyi -phys", "", "PHYLIP", becomes, "-f phylip-strict", true},
      {"-fasta", "", "FASTA", becomes, "-f fasta", true},
      {"-html", "", "a page", refused, "accord IN --html FILE writes a page"},
      {"-fastaout", "FILE", "output, FASTA", becomes, "-o VALUE -f fasta"},
      {"-clwout -clwstrictout", "FILE", "output, CLUSTAL", becomes, "-o VALUE -f clustal"},
      {"-msfout", "FILE", "output, MSF", becomes, "-o VALUE -f msf"},
      {"-phyiout -physout", "FILE", "output, PHYLIP", becomes, "-o VALUE -f phylip-strict"},
      {"-htmlout", "FILE", "a page", becomes, "--html VALUE"},
      {"-tree1", "FILE", "first guide tree", refused, "-tree2 is the guide tree of the alignment"},
      {"-tree2", "FILE", "guide tree", becomes, "--tree-out VALUE"},
      {"-usetree -usetree_nowarn", "FILE", "guide tree to use", becomes, "--tree VALUE"},
      {"-group", "", "rows along the guide tree", becomes, "--order tree, which is the usual order",
       true},
      {"-stable", "", "rows as in the input", becomes, "--order input", true},
      {"-maxiters", "N", "rounds of the method", nothing, "accord has one method for all sizes"},
      {"-maxhours", "H", "time", nothing, "accord ends when it is done; --time-limit of accord"},
      {"-diags -diags1 -diags2 -sv -sp -le -spn -brenner -dimer -anchors -noanchors -core -nocore",
       "", "details of the method", nothing, kChosenBySize},
      {"-distance1 -distance2 -cluster1 -cluster2 -root1 -root2 -weight1 -weight2 -objscore "
       "-sueff -smoothwindow -smoothscoreceil -minbestcolscore -minsmoothscore -hydro "
       "-hydrofactor -diagbreak -diaglength -diagmargin -anchorspacing -maxtrees",
       "X", "details of the method", nothing, kChosenBySize},
      {"-gapopen -gapextend -center", "X", "gap costs", nothing, kTrainedCosts},
      {"-matrix", "FILE", "substitution matrix", becomes, "--matrix VALUE"},
      {"-seqtype", "TYPE", "protein, dna, rna or auto", becomes, "-t VALUE"},
      {"-quiet", "", "no progress", becomes, "-q"},
      {"-verbose", "", "more messages", becomes, "-v"},
      {"-log -loga", "FILE", "messages", becomes, "--log VALUE"},
      {"-refine", "", "refine the alignment -in", refused,
       "accord IN aligns the sequences of an alignment anew"},
      {"-maketree", "", "a tree of the alignment -in", refused, "accord tree --aligned IN"},
      {"-spscore", "FILE", "score of an alignment", refused, "accord stats, accord confidence"},
  };
}

CommandPlan plan_muscle3(const OldCall& call) {
  if (!call.files.empty()) {
    refuse_option(call.name + ": '" + call.files.front() + "'", "no option stands before this file",
                  "muscle -in IN -out OUT");
  }
  std::vector<std::string> words = call.words();
  const bool names_outputs =
      call.has("-fastaout") || call.has("-clwout") || call.has("-msfout") || call.has("-phyiout");
  if (call.has("-out") || !names_outputs) {
    append(words, {"-o", call.has("-out") ? *call.value("-out") : "-", "-f",
                   call.has("-clw")    ? "clustal"
                   : call.has("-msf")  ? "msf"
                   : call.has("-phyi") ? "phylip-strict"
                                       : "fasta"});
  }
  append(words, {"--case", "upper"});
  if (call.has("-profile")) {
    if (!call.has("-in1") || !call.has("-in2")) {
      refuse_option(call.name + ": -profile", "two alignments are needed",
                    "muscle -profile -in1 A -in2 B -out OUT");
    }
    return {{command_line("merge", words, {*call.value("-in1"), *call.value("-in2")})}, {}};
  }
  append(words, {"--order", call.has("-stable") ? "input" : "tree"});
  return {{command_line("align", words, {call.has("-in") ? *call.value("-in") : "-"})}, {}};
}

}  // namespace

OldProgram muscle5_program() {
  return {.name = "muscle",
          .names = {"muscle", "muscle5"},
          .usage = "-align IN -output OUT [options]",
          .options = muscle5_options(),
          .differences =
              "FASTA in lines of 80, letters in the case of the input. Rows are in the order of "
              "the input; MUSCLE 5 promises none. The replicates of an ensemble have the names of "
              "accord, such as p3.t2. A line of muscle that has -in, -profile or no -align and no "
              "-super5 is one of version 3 ('accord as muscle3 --help').",
          .plan = plan_muscle5};
}

OldProgram muscle3_program() {
  return {.name = "muscle3",
          .names = {"muscle3"},
          .usage = "-in IN -out OUT [options]",
          .options = muscle3_options(),
          .differences =
              "FASTA in lines of 60, letters in upper case, rows along the guide tree, as version "
              "3 does; names are whole in CLUSTAL.",
          .plan = plan_muscle3,
          .failure_code = 2};
}

}  // namespace accord
