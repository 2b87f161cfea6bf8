// SPDX-License-Identifier: Apache-2.0
// What every command does, where phylogeny has a part in it.
#include <doctest/doctest.h>

#include <nlohmann/json.hpp>
#include <string>

#include "cli/program.hpp"

using namespace accord;
using namespace accord::testing;

TEST_CASE("cli bench: the likelihood, as text and as JSON") {
  const Program program;
  const std::string command =
      "${accord}_bench --sequences 4 --length 30 --taxa 5 --states 4 --tips 5 --patterns 20 "
      "--repeats 1 --device none --threads 2";
  const Outcome text = program.shell(command);
  CHECK(text.exit_code == 0);
  CHECK(has(text.out, "\nneighbor_joining"));
  CHECK(has(text.out, "\nlikelihood"));
  const nlohmann::json json = nlohmann::json::parse(program.shell(command + " --json").out);
  CHECK(json["tips"] == 5);
  REQUIRE(json["results"].size() == 4);
  CHECK(json["results"][3]["work"] == 4 * 20 * 4 * 4);  // nodes, patterns, states, categories
  const Outcome states = program.shell("${accord}_bench --states 5 --device none");
  CHECK(states.exit_code == 2);
  CHECK(has(states.err, "not 4, 20 or 61"));
}

TEST_CASE("likelihood: errors are said as those of other commands") {
  const Program program;
  program.directory().write("in.fa", ">a\nMKV\n>b\nMKL\n");
  program.directory().write("bad", "nothing that is known\n");
  check_refused(program.run({"likelihood", "-", "--tree", "-"}), 2, "stdin is named twice");
  for (const std::string line :
       {"likelihood in.fa --model ''", "tree in.fa --ml --model ''", "likelihood in.fa --fit ''"}) {
    CAPTURE(line);
    check_refused(program.shell("$accord " + line), 2, " is empty");
  }
  CHECK(program.run({"likelihood", "in.fa", "--model", "lg"}).exit_code == 0);
  const Outcome bad = program.run({"likelihood", "bad"});
  check_refused(bad, 65, "bad");
  CHECK(!has(bad.err, "Newick"));
  program.shell("mkdir d; printf '(a:1,b:1);' >t.nwk");
  check_refused(program.run({"likelihood", "in.fa", "--tree", "t.nwk", "--tree-out", "d/../t.nwk"}),
                2, "would replace the input");
}

TEST_CASE("likelihood: whole names of NEXUS, and trees with such labels") {
  const Program program;
  program.directory().write(
      "a.nex",
      "#NEXUS\nbegin data;\ndimensions ntax=3 nchar=12;\nformat datatype=dna;\nmatrix\n"
      "'Homo sapiens' ACGTACGTACGT\n'Homo erectus' ACGAACGTACGT\n'Pan x' ACGCACTTACGA\n;\nend;\n");
  program.directory().write("t.dnd", "(('Homo sapiens':1,'Homo erectus':1):1,'Pan x':2);\n");
  CHECK(program.run({"likelihood", "a.nex", "--tree", "t.dnd", "--model", "JC", "-q"}).exit_code ==
        0);
}

TEST_CASE("without phylogeny: the same alignments and trees, and no likelihoods") {
  const Program program;
  program.directory().write("in.fa", ">a\nMKVLAAGIVG\n>b\nMKVLAGIVG\n>c\nMRVLAAGLVG\n");
  for (const std::string line : {"align in.fa", "tree in.fa", "dist in.fa"}) {
    CAPTURE(line);
    const Outcome whole = program.shell("$accord " + line + " --device none");
    const Outcome part = program.shell("${accord}_without_phylogeny " + line + " --device none");
    CHECK(part.exit_code == 0);
    CHECK(part.out == whole.out);
  }
  program.directory().write("msa.fa", ">a\nMKVLAAGIVG\n>b\nMKVLA-GIVG\n>c\nMRVLAAGLVG\n");
  CHECK(program.run({"likelihood", "msa.fa", "--device", "none"}).exit_code == 0);
  check_refused(program.shell("${accord}_without_phylogeny likelihood msa.fa"), 66,
                "cannot open likelihood");  // it takes the word for a file
  CHECK(program.run({"tree", "in.fa", "--ml", "--device", "none"}).exit_code == 0);
  check_refused(program.shell("${accord}_without_phylogeny tree in.fa --ml"), 2,
                "has no option '--ml'");
}
