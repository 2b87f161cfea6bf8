// SPDX-License-Identifier: Apache-2.0
// The command line of Clustal Omega 1.2.
#include "accord/base/error.hpp"
#include "app/names/old_program.hpp"
#include "base/paths.hpp"
#include "base/text.hpp"

namespace accord {
namespace {

using enum OptionFate;

std::vector<OldOption> clustalo_options() {
  return {
      {"-i --in --infile", "FILE", "input, - for stdin", becomes, "accord FILE", true},
      {"--profile1 --p1", "FILE", "first alignment", becomes,
       "accord merge FILE FILE; with -i: accord add FILE IN", true},
      {"--profile2 --p2", "FILE", "second alignment", becomes, "accord merge FILE FILE", true},
      {"--is-profile", "", "the profiles are alignments", nothing, "accord takes them so"},
      {"--dealign", "", "take gaps out", nothing, "accord does so"},
      {"-t --seqtype", "TYPE", "Protein, RNA or DNA", becomes, "-t TYPE", true},
      {"--infmt", "FORMAT", "format of the input", becomes, "--in-format FORMAT", true},
      {"-o --out --outfile", "FILE", "output, - for stdout", becomes,
       "-o FILE; a file that is there is an error without --force", true},
      {"--force", "", "replace outputs that are there", becomes, "accord does so", true},
      {"--outfmt", "FORMAT", "format of the output", becomes,
       "-f FORMAT: a2m, fa, fasta, vie: fasta; phy: phylip-strict; selex is refused", true},
      {"--wrap", "N", "columns of a line", becomes, "--wrap VALUE"},
      {"--residuenumber --resno", "", "counts in CLUSTAL", refused,
       "accord writes CLUSTAL without counts"},
      {"--output-order", "ORDER", "input-order or tree-order", becomes, "--order input or tree",
       true},
      {"--guidetree-in", "FILE", "guide tree to use", becomes, "--tree VALUE"},
      {"--guidetree-out", "FILE", "guide tree", becomes, "--tree-out FILE", true},
      {"--distmat-out", "FILE", "distances", becomes,
       "--dist-out FILE: 1 - expected accuracy of pairs, PHYLIP", true},
      {"--distmat-in", "FILE", "distances to use", refused,
       "accord tree --from-distances FILE makes a tree, which --tree of accord takes"},
      {"--clustering-out --posterior-out", "FILE", "details of the method", refused,
       "accord confidence says how sure the alignment is"},
      {"--percent-id", "", "distances as identities", refused,
       "accord dist --percent-id ALIGNMENT"},
      {"--hmm-in --hmm-batch", "FILE", "a profile HMM", refused,
       "accord add ALIGNMENT IN aligns with an alignment"},
      {"--threads", "N", "threads", becomes, "-j VALUE"},
      {"--auto --full --full-iter --pileup --use-kimura", "", "details of the method", nothing,
       kChosenBySize},
      {"--iterations --iter --max-guidetree-iterations --max-hmm-iterations --cluster-size --trans "
       "--MAC-RAM",
       "N", "details of the method", nothing, kChosenBySize},
      {"--pseudo", "FILE", "pseudo-counts", nothing, "the parameters of accord are trained"},
      {"--maxnumseq", "N", "refuse more sequences", becomes, "--max-seqs VALUE"},
      {"--maxseqlen", "N", "refuse longer sequences", becomes, "--max-length VALUE"},
      {"-l --log", "FILE", "messages", becomes, "--log VALUE"},
      {"-v --verbose", "", "more messages", becomes, "-v"},
  };
}

/// accord's name of a format of Clustal Omega; `option` names the option in messages.
std::string format_of(const OldCall& call, const std::string& option, bool is_input) {
  const std::string word = lower_case(*call.value(option));
  if (word == "a2m" || word == "fa" || word == "fasta" || word == "vie" || word == "vienna") {
    return "fasta";
  }
  if (word == "clu" || word == "clustal") return "clustal";
  if (word == "msf") return "msf";
  if (word == "phy" || word == "phylip") return is_input ? "phylip" : "phylip-strict";
  if (word == "st" || word == "stockholm") return "stockholm";
  if (word == "selex" && is_input) return "selex";
  refuse_option(call.name + ": " + option + " " + word,
                word == "selex" ? "accord only reads SELEX" : "unknown format",
                "use fasta, clustal, msf, phylip or stockholm");
}

/// The type, order and outputs of a line.
std::vector<std::string> words_of_clustalo(const OldCall& call) {
  std::vector<std::string> words = call.words();
  if (call.has("-t")) append(words, {"-t", lower_case(*call.value("-t"))});
  if (call.has("--infmt")) append(words, {"--in-format", format_of(call, "--infmt", true)});
  if (!call.has("--force")) {
    for (const char* const option : {"-o", "--guidetree-out", "--distmat-out", "-l"}) {
      const std::string* const path = call.value(option);
      if (path == nullptr || *path == "-" || !path_exists(*path)) continue;
      throw Error(ErrorKind::cannot_create,
                  call.name + ": " + *path + " is there already, and there is no --force",
                  "add --force, or choose another name");
    }
  }
  append(words, {"-o", call.has("-o") ? *call.value("-o") : "-", "-f",
                 call.has("--outfmt") ? format_of(call, "--outfmt", false) : "fasta"});
  const bool is_vienna =
      call.has("--outfmt") && lower_case(*call.value("--outfmt")).starts_with("vie");
  if (is_vienna && !call.has("--wrap")) append(words, {"--wrap", "0"});
  return words;
}

CommandPlan plan_clustalo(const OldCall& call) {
  std::vector<std::string> words = words_of_clustalo(call);
  if (!call.files.empty()) {
    refuse_option(call.name + ": '" + call.files.front() + "'", "no option stands before this file",
                  "clustalo -i IN -o OUT");
  }
  if (call.has("--profile1") || call.has("--profile2")) {
    std::vector<std::string> files;
    for (const char* const option : {"--profile1", "--profile2", "-i"}) {
      if (call.has(option)) files.push_back(*call.value(option));
    }
    for (const char* const option : {"--guidetree-out", "--distmat-out", "--output-order"}) {
      if (!call.has(option)) continue;
      refuse_option(call.name + ": " + option + " with --profile1",
                    "accord keeps the alignments, and makes no tree", "leave it out");
    }
    const bool adds = call.has("-i");
    if (adds && files.size() > 2) {
      refuse_option(call.name + ": -i with two profiles", "which of them do they belong to?",
                    "accord merge A B, then accord add AB IN");
    }
    return {{command_line(adds ? "add" : "merge", words, files)}, {}};
  }
  if (!call.has("-i")) refuse_option(call.name, "no input", "clustalo -i IN -o OUT");
  if (call.has("--output-order")) {
    const std::string& order = *call.value("--output-order");
    if (order != "input-order" && order != "tree-order") {
      refuse_option(call.name + ": --output-order " + order, "unknown word",
                    "use input-order or tree-order");
    }
    append(words, {"--order", order == "tree-order" ? "tree" : "input"});
  }
  if (call.has("--guidetree-out")) append(words, {"--tree-out", *call.value("--guidetree-out")});
  if (call.has("--distmat-out")) append(words, {"--dist-out", *call.value("--distmat-out")});
  return {{command_line("align", words, {*call.value("-i")})}, {}};
}

}  // namespace

OldProgram clustalo_program() {
  return {.name = "clustalo",
          .names = {"clustalo"},
          .usage = "-i IN -o OUT [options]",
          .options = clustalo_options(),
          .differences =
              "FASTA in lines of 60, letters in the case of the input, rows in its order; an "
              "output that is there is not replaced without --force, as Clustal Omega does. An "
              "aligned input is aligned anew.",
          .plan = plan_clustalo,
          .takes_joined_values = true};
}

}  // namespace accord
