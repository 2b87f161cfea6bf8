// SPDX-License-Identifier: Apache-2.0
// The command lines of other programs: their tables, and the commands of accord that they become.
#include <doctest/doctest.h>

#include <algorithm>
#include <set>
#include <sstream>

#include "accord/base/error.hpp"
#include "app/all_commands.hpp"
#include "app/names/old_program.hpp"

using namespace accord;

namespace {

std::vector<std::string> words_in(const std::string& line) {
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

CommandPlan plan_of(const std::string& line) {
  std::vector<std::string> words = words_in(line);
  const std::string name = words.front();
  words.erase(words.begin());
  const OldProgram& program = program_of(name, words);
  return program.plan(read_old_call(program, name, words));
}

/// The commands of a line, "; " between them.
std::string commands_of(const std::string& line) {
  std::string text;
  for (const std::vector<std::string>& command : plan_of(line).commands) {
    text += text.empty() ? "" : "; ";
    for (std::size_t k = 0; k < command.size(); ++k) text += (k == 0 ? "" : " ") + command[k];
  }
  return text;
}

/// The message and the hint of a line that is refused.
std::string refusal_of(const std::string& line) {
  try {
    return "not refused: " + commands_of(line);
  } catch (const Error& error) {
    return std::string(error.what()) + " | " + error.hint();
  }
}

bool contains(const std::string& text, const std::string& part) {
  return text.find(part) != text.npos;
}

/// Whether a command of accord has an option, "--quiet" or "-q".
bool is_of_accord(const std::string& word) {
  for (const Command& command : all_commands()) {
    for (const OptionSpec& option : command.options) {
      if (word == "--" + option.name || word == std::string("-") + option.letter) return true;
    }
  }
  return false;
}

}  // namespace

TEST_CASE("names: every option of a table has one fate, a reason, and words of accord") {
  std::set<std::string> names;
  for (const OldProgram& program : old_programs()) {
    CAPTURE(program.name);
    for (const std::string_view name : program.names) CHECK(names.emplace(name).second);
    std::set<std::string> spellings;
    for (const OldOption& option : program.options) {
      CAPTURE(option.spellings);
      CHECK_FALSE(option.meaning.empty());
      CHECK_FALSE(option.accord.empty());
      CHECK_FALSE((option.is_read && option.fate != OptionFate::becomes));
      for (const std::string& spelling : words_in(std::string(option.spellings))) {
        CHECK(spelling.starts_with('-'));
        CHECK(spellings.insert(spelling).second);
      }
      if (option.is_read || option.fate != OptionFate::becomes) continue;
      for (const std::string& word : words_in(std::string(option.accord))) {
        if (word.starts_with('-')) CHECK(is_of_accord(word));
      }
      CHECK(contains(std::string(option.accord), "VALUE") == !option.value.empty());
    }
  }
}

TEST_CASE("names: every option that is read or refused is so") {
  for (const OldProgram& program : old_programs()) {
    for (const OldOption& option : program.options) {
      for (const std::string& spelling : words_in(std::string(option.spellings))) {
        CAPTURE(program.name);
        CAPTURE(spelling);
        std::vector<std::string> line = {spelling};
        if (!option.value.empty()) line.emplace_back("1");
        if (option.fate == OptionFate::refused) {
          CHECK_THROWS_AS(read_old_call(program, std::string(program.name), line), Error);
          continue;
        }
        const OldCall call = read_old_call(program, std::string(program.name), line);
        CHECK(call.options.size() == 1);
        CHECK(call.words().empty() == (option.is_read || option.fate == OptionFate::nothing));
      }
    }
  }
}

TEST_CASE("names: lines of mafft as callers write them") {
  CHECK(commands_of("mafft --auto x.fa") == "align -o - -f fasta --case type -- x.fa");
  // MAGUS, OrthoFinder, PhyloPhlAn, QIIME 2, augur.
  CHECK(commands_of("mafft --localpair --maxiterate 1000 --ep 0.123 --quiet --thread 2 --anysymbol "
                    "x.fa") == "align -q -j 2 -o - -f fasta --case keep -- x.fa");
  CHECK(commands_of("mafft --anysymbol --memsave x.fa") ==
        "align -o - -f fasta --case keep -- x.fa");
  CHECK(commands_of("mafft --quiet --anysymbol --thread 1 --auto x.fa") ==
        "align -q -j 1 -o - -f fasta --case keep -- x.fa");
  CHECK(commands_of("mafft --preservecase --inputorder --thread -1 --parttree x.fa") ==
        "align -o - -f fasta --case keep -- x.fa");
  CHECK(commands_of("mafft --preservecase --inputorder --thread 1 --keeplength --addfragments n.fa "
                    "a.fa") == "add -j 1 -o - -f fasta --case keep --keep-columns -- a.fa n.fa");
  CHECK(commands_of("mafft --reorder --anysymbol --nomemsave --adjustdirection --thread 2 x.fa") ==
        "align --adjust-direction -j 2 -o - -f fasta --case keep --order tree -- x.fa");
  CHECK(commands_of("mafft --add n.fa --keeplength --reorder --anysymbol --nomemsave "
                    "--adjustdirection --thread 1 a.fa") ==
        "add --adjust-direction -j 1 -o - -f fasta --case keep --keep-columns -- a.fa n.fa");
  CHECK(commands_of("mafft-linsi --amino -") == "align -t protein -o - -f fasta --case type -- -");
  CHECK(commands_of("mafft --retree 2 --clustalout --treeout --nuc x.fa") ==
        "align -t dna -o - -f clustal --case type --tree-out x.fa.tree -- x.fa");
  CHECK(contains(commands_of("mafft --phylipout x.fa"), "-f phylip-strict "));
  CHECK(contains(commands_of("mafft --phylipout --namelength 10 x.fa"), "-f phylip-strict "));
  CHECK(contains(commands_of("mafft --phylipout --namelength 30 x.fa"), "-f phylip "));
  CHECK(commands_of("mafft --keeplength --mapout --addfull n.fa a.fa --out o.fa") ==
        "add -o o.fa -f fasta --case type --keep-columns --map n.fa.map -- a.fa n.fa");
  CHECK(commands_of("mafft --addprofile b.fa a.fa") ==
        "merge -o - -f fasta --case type -- a.fa b.fa");
  CHECK(commands_of("mafft-profile a.fa b.fa") == "merge -o - -f fasta --case type -- a.fa b.fa");
  CHECK(contains(refusal_of("mafft --dash x.fa"), "mafft: --dash: accord does not do this"));
  CHECK(contains(refusal_of("mafft --bogus x.fa"), "no option '--bogus'"));
  CHECK(contains(refusal_of("mafft --preservecas x.fa"), "did you mean --preservecase?"));
  CHECK(contains(refusal_of("mafft --thread"), "--thread without its value"));
  CHECK(contains(refusal_of("mafft --thread x a.fa"), "--thread x: not a whole number"));
  CHECK(contains(refusal_of("mafft a.fa b.fa"), "unexpected file 'b.fa'"));
  CHECK(contains(refusal_of("mafft --keeplength x.fa"), "no sequences are added"));
  CHECK(contains(refusal_of("mafft --treeout -"), "the file has no name"));
  CHECK(contains(refusal_of("mafft --treein t --add n.fa a.fa"), "accord add uses no guide tree"));
  CHECK(contains(refusal_of("mafft --addprofile b.fa --mapout a.fa"), "--mapout with"));
}

TEST_CASE("names: lines of muscle, of version 5 and of version 3") {
  CHECK(commands_of("muscle -align x.fa -output y.fa -threads 2") ==
        "align -o y.fa -j 2 -f fasta --wrap 80 -- x.fa");
  CHECK(commands_of("muscle -super5 x.fa -output y.fa") ==
        "align -o y.fa -f fasta --wrap 80 -- x.fa");
  CHECK(commands_of("muscle5 -align x.fa -stratified -output y.efa -amino") ==
        "ensemble -o y.efa -t protein -n 16 -f efa -- x.fa");
  CHECK(commands_of("muscle -align x.fa -diversified -replicates 7 -output y.efa") ==
        "ensemble -o y.efa -n 7 -f efa -- x.fa");
  CHECK(commands_of("muscle -align x.fa -diversified -output y.efa") ==
        "ensemble -o y.efa -n 100 -f efa -- x.fa");
  const std::string one = commands_of("muscle -align x.fa -perturb 3 -perm acb -output y.fa");
  CHECK(contains(one, "ensemble -n 16 --seed 3 -o "));
  CHECK(contains(one, "; convert -o y.fa -f fasta --wrap 80 --replicate p1.t2 -- "));
  CHECK(commands_of("muscle -align x.fa -perturb 0 -perm none -output y.fa") ==
        "align -o y.fa -f fasta --wrap 80 -- x.fa");
  CHECK(contains(refusal_of("muscle -align x.fa"), "no output"));
  CHECK(contains(refusal_of("muscle -align x.fa -stratified -output a@.fa"), "-output with @"));
  CHECK(contains(refusal_of("muscle -align x.fa -perm x -output y"), "-perm x: unknown word"));
  CHECK(contains(refusal_of("muscle -maxcc x.efa -output y"), "muscle: -maxcc: accord does not"));

  CHECK(commands_of("muscle -in x.fa -out y.fa") ==
        "align -o y.fa -f fasta --case upper --order tree -- x.fa");
  CHECK(commands_of("muscle") == "align -o - -f fasta --case upper --order tree -- -");
  CHECK(commands_of("muscle3 -quiet -maxiters 2 -diags -stable -clwstrict") ==
        "align -q -o - -f clustal --case upper --order input -- -");
  CHECK(commands_of("muscle -profile -in1 a.fa -in2 b.fa -out c.fa") ==
        "merge -o c.fa -f fasta --case upper -- a.fa b.fa");
  CHECK(commands_of("muscle -in x.fa -phyiout p -tree2 t -usetree u -seqtype protein") ==
        "align -o p -f phylip-strict --tree-out t --tree u -t protein --case upper --order tree -- "
        "x.fa");
  CHECK(contains(refusal_of("muscle -in x.fa -refine"), "-refine: accord does not do this"));
  CHECK(contains(refusal_of("muscle x.fa"), "no option stands before this file"));
  CHECK(contains(refusal_of("muscle -profile -in1 a.fa"), "two alignments are needed"));
}

TEST_CASE("names: lines of clustalo, famsa, kalign and probcons") {
  CHECK(commands_of("clustalo -i x.fa -o /none/y --outfmt=clu --threads=4 --force --auto -v") ==
        "align -j 4 -v -o /none/y -f clustal -- x.fa");
  CHECK(commands_of("clustalo --infile=x --infmt=phy --seqtype=Protein --outfmt vie") ==
        "align -t protein --in-format phylip -o - -f fasta --wrap 0 -- x");
  CHECK(commands_of("clustalo -i - --guidetree-out=/none/t --distmat-out=/none/d --full "
                    "--output-order=tree-order --iter=2 --wrap=80 --outfmt=phy") ==
        "align --wrap 80 -o - -f phylip-strict --order tree --tree-out /none/t --dist-out /none/d "
        "-- -");
  CHECK(commands_of("clustalo --profile1 a --p2=b") == "merge -o - -f fasta -- a b");
  CHECK(commands_of("clustalo --p1 a -ix") == "add -o - -f fasta -- a x");
  CHECK(contains(refusal_of("clustalo -i x --outfmt=selex"), "accord only reads SELEX"));
  CHECK(contains(refusal_of("clustalo -i x --output-order=z"), "unknown word"));
  CHECK(contains(refusal_of("clustalo -i x --hmm-in=h"), "--hmm-in: accord does not do this"));
  CHECK(contains(refusal_of("clustalo"), "no input"));

  CHECK(commands_of("famsa -t 8 -keep-duplicates x y") ==
        "align -j 8 -o y --case upper -f fasta --wrap 0 -- x");
  CHECK(commands_of("famsa -gt import t STDIN STDOUT") ==
        "align --tree t -o - --case upper -f fasta --wrap 0 -- -");
  CHECK(commands_of("famsa -gt nj -gz x y.gz") ==
        "align --tree nj -o y.gz --case upper -f fasta --wrap 0 -- x");
  CHECK(commands_of("famsa -gt nj -gt_export x t") == "tree --method nj -o t -- x");
  CHECK(commands_of("famsa -dist_export -pid x d") == "dist --percent-id -f csv -o d -- x");
  CHECK(commands_of("famsa a b c") == "merge -o c --case upper -f fasta --wrap 0 -- a b");
  CHECK(contains(commands_of("famsa -trim_columns 0.25 x y"),
                 "; trim --max-gaps 0.75 -o y -f fasta --wrap 0 -- "));
  CHECK(contains(refusal_of("famsa -trim_columns 2 x y"), "no share"));
  CHECK(contains(refusal_of("famsa -gz x y"), "-gz into y"));
  CHECK(contains(refusal_of("famsa x"), "one output"));

  CHECK(commands_of("kalign -i x -o y -f clu -n 2") == "align -j 2 -o y -f clustal -- x");
  CHECK(commands_of("kalign --type internal --format fasta") == "align -o - -f fasta -t dna -- -");
  CHECK(commands_of("kalign a b c -o y") == "align -o y -f fasta -- a b c");
  CHECK(contains(refusal_of("kalign -i x -f nexus"), "-f nexus: unknown format"));

  CHECK(commands_of("probcons -c 2 -ir 100 -a -clustalw x") ==
        "align --consistency 2 --refine 100 --order tree -f clustal -- x");
  CHECK(contains(refusal_of("probcons -annot a x"), "-annot: accord does not do this"));
  CHECK(contains(refusal_of("probcons"), "no input"));
  CHECK(contains(refusal_of("tcoffee x"), "no program of this name"));
}
