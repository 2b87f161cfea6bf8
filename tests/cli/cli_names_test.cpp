// SPDX-License-Identifier: Apache-2.0
// accord as NAME: outputs in the form in which the other program writes them. The expected forms
// are those of MAFFT 7.505, MUSCLE 5.1 and 3.8, Clustal Omega 1.2.4, Kalign 3.3.5 and ProbCons
// 1.12 on these inputs; where a program is installed, it is run, too.
#include <doctest/doctest.h>

#include <algorithm>
#include <map>

#include "cli/program.hpp"
#include "support/paths.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

/// What does not depend on how sequences are aligned.
struct Form {
  std::vector<std::string> headers;
  std::vector<std::string> letters;  ///< without gaps, in the case in which they are written
  std::size_t line_width = 0;        ///< of the longest line of a sequence
  bool is_wrapped = false;           ///< whether a row has several lines
};

Form form_of(const std::string& fasta) {
  Form form;
  std::size_t begin = 0;
  while (begin < fasta.size()) {
    const std::size_t end = std::min(fasta.find('\n', begin), fasta.size());
    const std::string line = fasta.substr(begin, end - begin);
    begin = end + 1;
    if (line.starts_with('>')) {
      form.headers.push_back(line);
      form.letters.emplace_back();
      continue;
    }
    REQUIRE_FALSE(form.letters.empty());
    form.is_wrapped |= !form.letters.back().empty();
    form.line_width = std::max(form.line_width, line.size());
    for (const char c : line) {
      if (c != '-') form.letters.back() += c;
    }
  }
  return form;
}

/// Two proteins whose alignment has 90 columns, with blanks, bars and small letters, and RNA beside
/// DNA.
void write_inputs(const Program& program) {
  const ScratchDirectory& directory = program.directory();
  std::string unit = "MKVLAAGIVGLLVDE", lines;
  for (int k = 0; k < 6; ++k) lines += unit;
  directory.write("p.fa", ">a first one\n" + lines + "\n>b/2|x:y\nmkvla" + lines.substr(5, 40) +
                              "\n>c\n" + lines.substr(15) + "\n");
  directory.write("n.fa",
                  ">n1 first\nACGTTGCATGCATGCATGCTAGCAAGGCATGCAAGGATACAA\n"
                  ">n2\nACGTTGCATGCTTGCATGCTAGCGGCATGCAAGGATACAA\n"
                  ">n3\nacgttgcatgcttgcatgctagcggcatgcaaNgatacaa\n");
  directory.write("al.fa",
                  ">n1 first\nACGTTGCATGCATGCATGCTAGCAAGGCATGCAAGGATACAA\n"
                  ">n2\nACGTTGCATGCTTGCATGCTAGC--GGCATGCAAGGATACAA\n");
  directory.write("new.fa",
                  ">f1 frag\nTGCATGCTTGCATTTGCTAGCGGCATGCAAGG\n"
                  ">f2\nTTGTATCCTTGCATGCCGCTAGCATGCAAGCATGCAA\n");
  directory.write("m.fa",
                  ">a\nMKVLAAGIVGLLVDE\n>b\nMKVLAA-IVGLLVDE\n>c\nMRRLLLGIVGLWVDE\n"
                  ">d\nMRRLLLGIVGLWV-E\n>e\nMKLLLGIVGLWVDE\n");
  directory.write("g1.fa", ">a\nMKVLAAGIVGLLVDE\n>b\nMKVLAA-IVGLLVDE\n");
  directory.write("g2.fa", ">c\nMRRLLLGIVGLWVDE\n>d\nMRRLLLGIVGLWV-E\n");
  directory.write("table", "1 2\n3 4  # a group\n");
  directory.write("columns.tree", "1 2 0.1 0.1\n3 4 0.1 0.1\n1 3 0.2 0.3\n1 5 0.2 0.1\n");
}

/// The line of a program, run by accord and, where it is installed, by itself: `line` begins with
/// its name. Checks that headers, letters, and the width of lines are the same; with `sorted`, in
/// any order. Returns the form of accord's output.
Form check_form(const Program& program, const std::string& line, bool sorted = false) {
  CAPTURE(line);
  const std::string name = line.substr(0, line.find(' '));
  const Outcome made = program.shell("$accord as " + line);
  CHECK(made.exit_code == 0);
  CHECK(is_alignment(parse_rows(made.out)));
  Form form = form_of(made.out);
  const Outcome real = program.shell("PATH=/usr/lib/mafft/bin:$PATH; type " + name +
                                     " >/dev/null 2>&1 || exit 77; " + line + " 2>/dev/null");
  if (real.exit_code == 77) {
    MESSAGE(name << " is not installed: its form is that of the test alone");
    return form;
  }
  REQUIRE(real.exit_code == 0);
  // Kalign writes who made it in front of the alignment.
  Form expected = form_of(real.out.substr(real.out.find('>')));
  CHECK(form.is_wrapped == expected.is_wrapped);
  if (form.is_wrapped) CHECK(form.line_width == expected.line_width);
  if (!sorted) {
    CHECK(form.headers == expected.headers);
    CHECK(form.letters == expected.letters);
    return form;
  }
  const auto pairs = [](const Form& some) {
    std::map<std::string, std::string> rows;
    for (std::size_t r = 0; r < some.headers.size(); ++r) rows[some.headers[r]] = some.letters[r];
    return rows;
  };
  CHECK(pairs(form) == pairs(expected));
  return form;
}

using Texts = std::vector<std::string>;

}  // namespace

TEST_CASE("as mafft: order, names, case and width of lines") {
  const Program program;
  write_inputs(program);
  const Form proteins = check_form(program, "mafft --quiet p.fa");
  CHECK(proteins.headers == Texts{">a first one", ">b/2|x:y", ">c"});
  CHECK(proteins.letters[1].starts_with("MKVLA"));
  CHECK(proteins.line_width == 60);
  CHECK(check_form(program, "mafft --quiet --preservecase p.fa").letters[1].starts_with("mkvla"));
  const Form dna = check_form(program, "mafft --auto --quiet n.fa");
  CHECK(dna.letters[2] == "acgttgcatgcttgcatgctagcggcatgcaangatacaa");
  CHECK(check_form(program, "mafft --preservecase --quiet n.fa").letters[2] ==
        "acgttgcatgcttgcatgctagcggcatgcaaNgatacaa");
  check_form(program, "linsi --quiet p.fa");
  check_form(program, "mafft --quiet --localpair --maxiterate 10 --thread 1 --anysymbol p.fa");
  check_form(program, "mafft --quiet --reorder p.fa", true);
  CHECK(check_form(program, "mafft --quiet - < n.fa").headers.size() == 3);
  // A single sequence stays, in small letters.
  program.directory().write("one.fa", ">x\nACGT\n");
  CHECK(program.run({"as", "mafft", "one.fa"}).out == ">x\nacgt\n");
}

TEST_CASE("as mafft: sequences that are added, turned round, merged, and the files beside") {
  const Program program;
  write_inputs(program);
  const Form added = check_form(program, "mafft --quiet --add new.fa al.fa");
  CHECK(added.headers == Texts{">n1 first", ">n2", ">f1 frag", ">f2"});
  const std::string keep = "mafft --quiet --keeplength --mapout ";
  check_form(program, keep + "--addfragments new.fa --adjustdirection al.fa");
  const Outcome kept = program.shell("$accord as " + keep + "--add new.fa al.fa");
  CHECK(kept.out.starts_with(">n1 first\nacgttgcatgcatgcatgctagcaaggcatgcaaggatacaa\n"));
  // Letter, place, column: two residues of f1 are in no column, as MAFFT has it, too.
  const std::string map = file_bytes(program.directory().path("new.fa.map"));
  CHECK(
      map.starts_with(">f1 frag\n# letter, position in the original sequence, position in the "
                      "reference alignment\nt, 1, 5\ng, 2, 6\n"));
  std::size_t outside = 0;
  for (std::size_t at = map.find(", -\n"); at != map.npos; at = map.find(", -\n", at + 1)) {
    ++outside;
  }
  CHECK(outside == 2);
  CHECK(has(map, "\ng, 32, 36\n>f2\n"));
  program.directory().write("back.fa",
                            ">n1\nACGTTGCATGCATGCATGCTAGCAAGGCATGCAAGGATACAA\n"
                            ">f2\nTTGTATCCTTGCATGCCGCTAGCATGCAAGCATGCAA\n"
                            ">n4\nACGTTGCATGCATGCATGCTAGCAAGGCATGCAAGGAT\n");
  CHECK(check_form(program, "mafft --quiet --adjustdirection back.fa").headers[1] == ">_R_f2");
  CHECK(check_form(program, "mafft --quiet --merge table m.fa").headers.size() == 5);
  const Outcome merged = program.shell("$accord as mafft --quiet --merge table m.fa");
  CHECK(has(merged.out, ">b\nMKVLAA-IVGLLVDE\n"));
  program.directory().write("bad", "1 3\n2 4\n");
  check_refused(program.shell("$accord as mafft --merge bad m.fa"), 1, "row 3 is not where");
  program.directory().write("bad", "1 9\n");
  check_refused(program.shell("$accord as mafft --merge bad m.fa"), 1, "'9' is no row");
  check_form(program, "mafft-profile g1.fa g2.fa");
  check_form(program, "mafft --quiet --treein columns.tree m.fa");
  CHECK(program.shell("$accord as mafft --quiet --treeout p.fa").exit_code == 0);
  CHECK(file_bytes(program.directory().path("p.fa.tree")).ends_with(");\n"));
  program.directory().write("nwk", "((a:1,b:1):1,(c:1,(d:1,e:1):1):1);\n");
  CHECK(program.shell("$accord as mafft --quiet --treein nwk m.fa").exit_code == 0);
  program.directory().write("bad", "1 2 0.1 0.1\n2 3 0.1 0.1\n");
  check_refused(program.shell("$accord as mafft --treein bad m.fa"), 1, "joins no two clusters");
}

TEST_CASE("as mafft: formats, failures, and what is said on stderr") {
  const Program program;
  write_inputs(program);
  CHECK(program.shell("$accord as mafft --quiet --clustalout p.fa").out.starts_with("CLUSTAL"));
  CHECK(program.shell("$accord as mafft --phylipout n.fa")
            .out.starts_with(" 3 42\nn1        acgttgcatg"));
  const Outcome said = program.shell("$accord as mafft --auto --retree 2 --thread 1 n.fa");
  CHECK(has(said.err, "mafft: without effect here: --auto --retree 2\n"));
  CHECK(program.shell("$accord as mafft --auto --quiet n.fa").err.empty());
  check_refused(program.shell("$accord as mafft none.fa"), 1, "cannot open none.fa");
  check_refused(program.shell("$accord as mafft --bogus n.fa"), 1, "no option '--bogus'");
  check_refused(program.shell("$accord as mafft --seed g1.fa p.fa"), 1, "--seed: accord does not");
  check_refused(program.shell("$accord as"), 1, "as: no name of a program");
  const Outcome version = program.shell("$accord as mafft --version");
  CHECK(version.out.empty());
  CHECK(version.err.starts_with("accord "));
  const Outcome help = program.shell("$accord as linsi --help");
  CHECK(help.out.starts_with("usage: accord as mafft "));
  CHECK(has(help.out, "\n  --thread N               threads, -1 for all; becomes: -j N; all"));
  CHECK(program.shell("$accord as --help").out == program.shell("$accord help as").out);
}

TEST_CASE("as muscle: version 5 and version 3") {
  const Program program;
  write_inputs(program);
  const Form fifth =
      check_form(program, "muscle -align p.fa -output o >/dev/null && cat o && rm o; true", true);
  CHECK(fifth.line_width == 80);
  CHECK(fifth.headers == Texts{">a first one", ">b/2|x:y", ">c"});
  CHECK(fifth.letters[1].starts_with("mkvla"));
  const Outcome ensemble = program.shell(
      "$accord as muscle -align p.fa -stratified -replicates 1 -output o.efa && cat o.efa");
  CHECK(ensemble.out.starts_with("<p0.t0\n>a first one\n"));
  CHECK(std::count(ensemble.out.begin(), ensemble.out.end(), '<') == 4);
  const Outcome one =
      program.shell("$accord as muscle -align p.fa -perturb 3 -perm abc -output o && cat o");
  CHECK(form_of(one.out).line_width == 80);
  check_refused(program.shell("$accord as muscle -align none.fa -output o"), 1, "cannot open");
  check_refused(program.shell("$accord as muscle -align p.fa"), 1, "no output");

  const Form third = check_form(program, "muscle3 -in p.fa -quiet", true);
  CHECK(third.line_width == 60);
  CHECK(third.letters[0].starts_with("MKVLA"));
  CHECK(check_form(program, "muscle3 -quiet < p.fa", true).headers.size() == 3);
  CHECK(program.shell("$accord as muscle -in p.fa -stable").out.starts_with(">a first one\n"));
  CHECK(program.shell("$accord as muscle -in p.fa -clw").out.starts_with("CLUSTAL"));
  check_form(program, "muscle3 -profile -in1 g1.fa -in2 g2.fa -quiet");
  check_refused(program.shell("$accord as muscle -in none.fa"), 2, "cannot open none.fa");
  check_refused(program.shell("$accord as muscle3 -bogus"), 1, "no option '-bogus'");
}

TEST_CASE("as clustalo: outputs that are there, formats, profiles") {
  const Program program;
  write_inputs(program);
  const Form plain = check_form(program, "clustalo -i p.fa");
  CHECK(plain.line_width == 60);
  CHECK(plain.letters[1].starts_with("mkvla"));
  check_form(program, "clustalo --in=- --infmt=fa --seqtype=Protein --threads=1 < p.fa");
  check_form(program, "clustalo -i n.fa --outfmt=vienna --auto");
  check_form(program, "clustalo -i p.fa --wrap=25 --output-order=tree-order", true);
  check_form(program, "clustalo --profile1 g1.fa --profile2=g2.fa");
  CHECK(program.shell("$accord as clustalo -i n.fa -o o.aln --outfmt=clu && cat o.aln")
            .out.starts_with("CLUSTAL"));
  check_refused(program.shell("$accord as clustalo -i n.fa -o o.aln"), 1, "is there already");
  CHECK(program.shell("$accord as clustalo -i n.fa -o o.aln --force --outfmt=phy && cat o.aln")
            .out.starts_with(" 3 42\nn1        ACGTTGCATG"));
  CHECK(program
            .shell("$accord as clustalo -i p.fa --guidetree-out=t --distmat-out=d --full && "
                   "cat t d")
            .exit_code == 0);
  CHECK(file_bytes(program.directory().path("d")).starts_with("3\na "));
  check_refused(program.shell("$accord as clustalo -i n.fa --hmm-in=h"), 1, "--hmm-in");
}

TEST_CASE("as famsa, kalign and probcons") {
  const Program program;
  write_inputs(program);
  const Outcome famsa = program.shell("$accord as famsa -t 1 -gt upgma p.fa o && cat o");
  CHECK(form_of(famsa.out).line_width >= 90);
  CHECK(form_of(famsa.out).letters[1].starts_with("MKVLA"));
  CHECK(program.shell("$accord as famsa -gz p.fa o.gz && zcat o.gz").out ==
        program.shell("$accord as famsa STDIN STDOUT < p.fa").out);
  const Outcome trimmed = program.shell("$accord as famsa -trim_columns 1 p.fa STDOUT");
  CHECK(form_of(trimmed.out).line_width <= 45);
  check_form(program, "kalign -i p.fa");
  check_form(program, "kalign -f fasta < n.fa");
  check_form(program, "kalign g1.fa g2.fa -f fasta");
  check_form(program, "probcons p.fa");
  check_form(program, "probcons -c 1 -ir 10 -a p.fa", true);
  check_refused(program.shell("$accord as probcons -annot a p.fa"), 1, "-annot");
}
