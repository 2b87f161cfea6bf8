// SPDX-License-Identifier: Apache-2.0
// The command line of MAFFT 7.
#include <charconv>

#include "accord/base/error.hpp"
#include "app/names/mafft_files.hpp"
#include "app/names/old_program.hpp"
#include "base/paths.hpp"
#include "options/option_field.hpp"

namespace accord {
namespace {

using enum OptionFate;

constexpr std::string_view kMode =
    "the usual mode is more accurate; accord --mode local is the method of L-INS-i";
constexpr std::string_view kMotifs =
    "the usual mode is more accurate; accord --mode motifs is the method of E-INS-i";
constexpr std::string_view kAdd = "accord add IN VALUE";

std::vector<OldOption> mafft_options() {
  return {
      {"--auto", "", "choose a method by the size", nothing, kChosenBySize},
      {"--localpair", "", "L-INS-i: local pairs", nothing, kMode},
      {"--globalpair", "", "G-INS-i: global pairs", nothing, kMode},
      {"--genafpair", "", "E-INS-i: local pairs, long gaps", nothing, kMotifs},
      {"--6merpair --fastapair --blastpair --multipair", "", "distances", nothing, kChosenBySize},
      {"--maxiterate", "N", "cycles of refinement", nothing, "accord always refines"},
      {"--retree", "N", "guide trees", nothing, kChosenBySize},
      {"--fft --nofft --noscore", "", "how groups are aligned", nothing, kChosenBySize},
      {"--parttree --dpparttree --fastaparttree --large", "", "very large families", nothing,
       kChosenBySize},
      {"--partsize --groupsize --weighti --minimumweight --randomseed", "N", "details of methods",
       nothing, kChosenBySize},
      {"--memsave --nomemsave --memsavetree", "", "memory", nothing,
       "accord takes the memory that there is; accord --memory"},
      {"--averagelinkage --minimumlinkage --youngestlinkage", "", "guide tree", nothing,
       kChosenBySize},
      {"--mixedlinkage", "X", "guide tree", nothing, kChosenBySize},
      {"--thread", "N", "threads, -1 for all", becomes, "-j N; all for -1 and 0", true},
      {"--threadit --threadtb", "N", "threads of a step", nothing, "--thread counts"},
      {"--op --ep --lop --lep --lexp --LOP --LEXP --gop --gep --unalignlevel --shiftpenalty", "X",
       "gap costs", nothing, kTrainedCosts},
      {"--bl --jtt --tm", "N", "substitution matrix by number", nothing, kTrainedCosts},
      {"--kimura", "N", "nucleotide model", nothing, kTrainedCosts},
      {"--aamatrix", "FILE", "substitution matrix", becomes, "--matrix VALUE"},
      {"--fmodel --leavegappyregion --allowshift --legacygappenalty", "", "scores", nothing,
       kTrainedCosts},
      {"--amino", "", "proteins", becomes, "-t protein"},
      {"--nuc", "", "nucleotides", becomes, "-t dna"},
      {"--anysymbol", "", "letters that are not of the alphabet", becomes,
       "--case keep, as MAFFT does; accord takes every letter and *, other characters are an error",
       true},
      {"--text --hex2maffttext", "", "text, not sequences", refused,
       "accord aligns sequences of residues"},
      {"--reorder", "", "rows along the guide tree", becomes,
       "--order tree; added sequences stay in their order", true},
      {"--inputorder", "", "rows as in the input", nothing, "accord does so"},
      {"--preservecase", "", "keep the case of letters", becomes,
       "--case keep; without it and --anysymbol --case type", true},
      {"--quiet", "", "no progress", becomes, "-q"},
      {"--out", "FILE", "output", becomes, "-o FILE", true},
      {"--clustalout", "", "CLUSTAL", becomes, "-f clustal", true},
      {"--phylipout", "", "PHYLIP", becomes,
       "-f phylip-strict, names of 10; -f phylip, whole names, for --namelength above 10", true},
      {"--namelength", "N", "width of names", becomes, "see --phylipout; CLUSTAL has whole names",
       true},
      {"--treeout", "", "guide tree to IN.tree", becomes,
       "--tree-out IN.tree: Newick, leaves by name", true},
      {"--treein", "FILE", "guide tree", becomes,
       "--tree FILE, Newick or the four columns of MAFFT", true},
      {"--distout", "", "distances to IN.hat2", refused,
       "accord IN --dist-out FILE writes them as PHYLIP"},
      {"--add --addfragments --addfull --addlong", "FILE", "add sequences to the alignment IN",
       becomes, kAdd, true},
      {"--addprofile", "FILE", "add an alignment to the alignment IN", becomes,
       "accord merge IN FILE", true},
      {"--keeplength", "", "no new columns", becomes, "--keep-columns", true},
      {"--mapout", "", "columns of added residues to FILE.map", becomes, "--map FILE.map", true},
      {"--compactmapout", "", "a short table of insertions", refused,
       "--mapout has each residue; accord add --left-out has the stretches"},
      {"--adjustdirection --adjustdirectionaccurately", "", "turn nucleotides round", becomes,
       "--adjust-direction"},
      {"--merge", "TABLE", "merge the alignments in IN", becomes,
       "accord merge of the groups of TABLE", true},
      {"--seed", "FILE", "an alignment that stays", refused,
       "accord add ALIGNMENT IN keeps an alignment and adds IN"},
      {"--dash", "", "structures from a server", refused,
       "accord takes structure files: accord structures/ > out"},
  };
}

/// A number of an option, if it is one.
int number_of(const OldCall& call, std::string_view option) {
  const std::string& text = *call.value(option);
  int number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc() && end == text.data() + text.size()) return number;
  refuse_option(call.name + ": " + std::string(option) + " " + text, "not a whole number",
                "use a number such as 4");
}

/// What is the same for every output of MAFFT: format, case, file, threads.
std::vector<std::string> common_words(const OldCall& call) {
  std::vector<std::string> words = call.words();
  if (call.has("--thread") && number_of(call, "--thread") > 0) {
    append(words, {"-j", std::to_string(number_of(call, "--thread"))});
  }
  constexpr int kStrict = 10;
  const bool has_long_names = call.has("--namelength") && number_of(call, "--namelength") > kStrict;
  append(words, {"-o", call.has("--out") ? *call.value("--out") : "-", "-f",
                 call.has("--clustalout")   ? "clustal"
                 : !call.has("--phylipout") ? "fasta"
                 : has_long_names           ? "phylip"
                                            : "phylip-strict"});
  append(words,
         {"--case", call.has("--preservecase") || call.has("--anysymbol") ? "keep" : "type"});
  return words;
}

/// A file beside the input, such as its tree.
std::string beside_input(const OldCall& call, const std::string& option, const std::string& path,
                         const std::string& suffix) {
  if (path != "-") return path + suffix;
  refuse_option(call.name + ": " + option + " of standard input", "the file has no name",
                "name the input");
}

CommandPlan plan_addition(const OldCall& call, const std::string& option,
                          std::vector<std::string> words) {
  const std::string input = call.only_file();
  const std::string& added = *call.value(option);
  for (const char* const other : {"--treein", "--treeout", "--merge"}) {
    if (!call.has(other)) continue;
    refuse_option(call.name + ": " + other + " with " + option, "accord add uses no guide tree",
                  "leave it out");
  }
  if (option == "--addprofile") {
    for (const char* const other : {"--keeplength", "--mapout"}) {
      if (!call.has(other)) continue;
      refuse_option(call.name + ": " + other + " with " + option, "both alignments get columns",
                    "leave it out, or add the sequences with --add");
    }
    return {{command_line("merge", words, {input, added})}, {}};
  }
  if (call.has("--keeplength")) words.emplace_back("--keep-columns");
  if (call.has("--mapout")) {
    append(words, {"--map", beside_input(call, "--mapout", added, ".map")});
  }
  return {{command_line("add", words, {input, added})}, {}};
}

CommandPlan plan_mafft(const OldCall& call) {
  std::vector<std::string> words = common_words(call);
  if (call.name == "mafft-profile") return {{command_line("merge", words, call.files)}, {}};
  for (const char* const option : {"--add", "--addprofile"}) {
    if (call.has(option)) return plan_addition(call, option, std::move(words));
  }
  for (const char* const option : {"--keeplength", "--mapout"}) {
    if (!call.has(option)) continue;
    refuse_option(call.name + ": " + option, "no sequences are added",
                  "name them with --add or --addfragments");
  }
  const std::string input = call.only_file();
  if (call.has("--merge")) return plan_mafft_merge(input, *call.value("--merge"), words);
  CommandPlan plan;
  if (call.has("--reorder")) append(words, {"--order", "tree"});
  if (call.has("--treeout")) {
    append(words, {"--tree-out", beside_input(call, "--treeout", input, ".tree")});
  }
  if (call.has("--treein")) {
    append(words, {"--tree", mafft_tree_file(*call.value("--treein"), input, plan)});
  }
  plan.commands.push_back(command_line("align", words, {input}));
  return plan;
}

}  // namespace

OldProgram mafft_program() {
  return {.name = "mafft",
          .names = {"mafft", "linsi", "ginsi", "einsi", "fftns", "fftnsi", "nwns", "nwnsi",
                    "mafft-linsi", "mafft-ginsi", "mafft-einsi", "mafft-fftns", "mafft-fftnsi",
                    "mafft-nwns", "mafft-nwnsi", "mafft-profile"},
          .usage = "[options] IN > OUT ('-': stdin)",
          .options = mafft_options(),
          .differences =
              "Proteins are written in upper case, nucleotides in lower case, in lines of 60, in "
              "the order of the input, as MAFFT does; --anysymbol and --preservecase keep the "
              "case. All names of methods, such as linsi, are the "
              "same method of accord. An empty input is an error, and so are names that occur "
              "twice in --add and --merge.",
          .plan = plan_mafft,
          .version_on_stderr = true};
}

}  // namespace accord
