// SPDX-License-Identifier: Apache-2.0
// What the documentation of formats allows and other programs write, and files that contradict
// themselves: read as they are meant, or refused with the reason.
#include <doctest/doctest.h>

#include "cli/program.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

Outcome convert(const Program& program, const std::string& file, const std::string& text,
                const std::string& format = "fasta") {
  program.directory().write(file, text);
  return program.run({"convert", file, "-f", format});
}

/// The rows of a text in FASTA.
std::string rows_of(const Program& program, const std::string& file, const std::string& text) {
  const Outcome outcome = convert(program, file, text);
  CAPTURE(outcome.err);
  CHECK(outcome.exit_code == 0);
  return outcome.out;
}

/// The warnings about a text that is read.
std::string warnings_of(const Program& program, const std::string& file, const std::string& text,
                        const std::string& format = "fasta") {
  const Outcome outcome = convert(program, file, text, format);
  CAPTURE(outcome.err);
  CHECK(outcome.exit_code == 0);
  return outcome.err;
}

/// The error of a text that is refused.
std::string refusal(const Program& program, const std::string& file, const std::string& text) {
  const Outcome outcome = convert(program, file, text);
  CAPTURE(outcome.out);
  CHECK(outcome.exit_code == 65);
  CHECK(outcome.out.empty());
  return outcome.err;
}

/// A NEXUS text with a taxa block of a, b and c.
std::string nexus(const std::string& format, const std::string& rows,
                  const std::string& commands = "") {
  return "#NEXUS\nbegin taxa;\n dimensions ntax=3;\n taxlabels a b c;\nend;\nbegin characters;\n "
         "dimensions nchar=5;\n format datatype=" +
         format + ";\n" + commands + " matrix\n" + rows + ";\nend;\n";
}

}  // namespace

TEST_CASE("foreign NEXUS: sets of residues are the letters that stand for them") {
  const Program program;
  CHECK(rows_of(program, "b.nex", nexus("dna", "a A{CG}GTA\nb ACG(A T)A\nc {ac}CG{A,C,G,T}T\n")) ==
        ">a\nASGTA\n>b\nACGWA\n>c\nmCGNT\n");
  const std::string proteins = nexus("protein", "a M{DN}EKL\nb M{EQ}EKL\nc M{IL}EK{DE}\n");
  CHECK(rows_of(program, "p.nex", proteins) == ">a\nMBEKL\n>b\nMZEKL\n>c\nMJEK?\n");
  CHECK(has(warnings_of(program, "p.nex", proteins),
            "1 set of residues has no letter and is read as ?"));
  CHECK(has(refusal(program, "c.nex", nexus("dna", "a A{CGTA\nb ACGTA\nc ACGTA\n")),
            "a set is never closed by }"));
}

TEST_CASE("foreign NEXUS: equate replaces symbols, also by sets") {
  const Program program;
  const std::string rows = "a x1GTA\nb AyGT?\nc ACGTA\n";
  CHECK(rows_of(program, "a.nex", nexus("dna missing=? equate=\"x=A y={CT} 1 = (AG)\"", rows)) ==
        ">a\nARGTA\n>b\nAYGT?\n>c\nACGTA\n");
  CHECK(has(refusal(program, "b.nex", nexus("dna equate=\"x\"", rows)), "equate=\"x\""));
}

TEST_CASE("foreign NEXUS: names and numbers of the taxa block") {
  const Program program;
  const std::string rows = ">a\nACGTA\n>b\nACGAA\n>c\nACGCA\n";
  for (const char* format : {"dna nolabels", "dna labels=no", "dna nolabels interleave"}) {
    CAPTURE(format);
    CHECK(rows_of(program, "a.nex", nexus(format, "ACGTA\nACGAA\nACGCA\n")) == rows);
  }
  CHECK(rows_of(program, "i.nex",
                nexus("dna nolabels interleave=yes", "ACG\nACG\nACG\n\nTA\nAA\nCA\n")) == rows);
  CHECK(rows_of(program, "n.nex", nexus("dna", "1 ACGTA\n2 ACGAA\nc ACGCA\n")) == rows);
  for (const char* format :
       {"dna nolabels=no", "dna transpose=no interleave=no", "dna interleave=false"}) {
    CAPTURE(format);
    CHECK(rows_of(program, "y.nex", nexus(format, "a ACG\n TA\nb ACGAA\nc ACGCA\n")) == rows);
  }
  CHECK(has(refusal(program, "m.nex", nexus("dna nolabels", "ACGTA\nACGTA\nACGTA\nACGTA\n")),
            "more rows than there are taxa"));
  CHECK(has(warnings_of(program, "f.nex", nexus("dna", "a ACGTA\nb ACGAA\n")),
            "1 of 3 taxa have no row in the matrix, such as \"c\""));
  CHECK(has(
      refusal(program, "u.nex", "#NEXUS\nbegin data;\nformat nolabels;\nmatrix\nACG\n;\nend;\n"),
      "needs the names of a taxa block"));
}

TEST_CASE("foreign NEXUS: what is not read is said") {
  const Program program;
  const std::string rows = "a ACGTA\nb ACGAA\nc ACGCA\n";
  for (const char* format : {"dna transpose", "dna labels=right", "mixed(DNA:1-3,standard:4-5)",
                             "continuous", "restriction"}) {
    CAPTURE(format);
    CHECK(has(refusal(program, "a.nex", nexus(format, rows)), "is not read"));
  }
  CHECK(has(warnings_of(program, "e.nex", nexus("dna", rows, " eliminate 1-2;\n")),
            "'eliminate' is ignored"));
  CHECK(has(refusal(program, "r.nex",
                    nexus("dna interleave", "a ACG\nb AC\nc ACG\n\na TA\nb GAA\nc CA\n")),
            "not aligned: up to here row \"b\" has 2 columns"));
}

TEST_CASE("foreign blocks: lines of a block that differ in length, or are there twice") {
  const Program program;
  const std::string clustal = "CLUSTAL W (1.83) multiple sequence alignment\n\n";
  CHECK(has(refusal(program, "a.clw", clustal + "a ACGT\nb ACG\n\na ACGT\nb ACGTA\n"),
            "a.clw:5: not aligned"));
  CHECK(has(refusal(program, "a.sto", "# STOCKHOLM 1.0\na ACGT\nb ACG\n\na ACG\nb ACGT\n//\n"),
            "a.sto:4: not aligned"));
  CHECK(has(refusal(program, "b.sto", "# STOCKHOLM 1.0\na ACGT\na ACGA\nb ACGTACGT\n//\n"),
            "two rows are named \"a\""));
  CHECK(has(refusal(program, "a.msf",
                    "MSF: 7 Type: N Check: 0 ..\nName: a Len: 7\nName: b Len: 7\n//\n\na ACGT\nb "
                    "ACG\n\na ACG\nb ACGT\n"),
            "not aligned"));
  CHECK(has(refusal(program, "a.slx", "#=AU x\na ACGT\nb ACGT\n\na AC\na GT\nb ACGT\n"),
            "two rows are named \"a\""));
  CHECK(has(refusal(program, "a.phy", "2 7\na ACGT\nb ACG\n\nACG\nACGT\n"), "not aligned"));
  CHECK(has(refusal(program, "n.clw", clustal + "a ACGT\nb ACGT\n\na\nb\n"), "not CLUSTAL"));
}

TEST_CASE("foreign CLUSTAL: counts at the ends of lines, and markup of CLUSTAL X") {
  const Program program;
  const std::string head = "CLUSTAL W (1.83) multiple sequence alignment\n\n";
  const std::string rows = ">a/5-10\nAC-TCC\n>b\nACGAC-\n";
  // Residues so far, also from the number that the name says, or columns.
  CHECK(rows_of(program, "a.clw", head + "a/5-10 AC-T 7\nb ACGA 4\n\na/5-10 CC 9\nb C- 5\n") ==
        rows);
  CHECK(rows_of(program, "b.clw", head + "a/5-10 AC-T 3\nb ACGA 4\n\na/5-10 CC 5\nb C- 5\n") ==
        rows);
  CHECK(rows_of(program, "c.clw", head + "a/5-10 AC-T 4\nb ACGA 4\n\na/5-10 CC 6\nb C- 6\n") ==
        rows);
  // A block in the middle is missing.
  CHECK(has(refusal(program, "d.clw", head + "a ACGT 4\nb ACGA 4\n\na CC 10\nb C- 9\n"),
            "d.clw:6: row \"a\" does not have 10 residues up to here"));
  const std::string structure = head + "!SS_a HH..\na ACGT\nb ACGA\n  ***\n";
  CHECK(rows_of(program, "e.clw", structure) == ">a\nACGT\n>b\nACGA\n");
  CHECK(has(warnings_of(program, "e.clw", structure), "1 '!' of CLUSTAL X"));
}

TEST_CASE("foreign Stockholm and SELEX: late headers, other gaps, markup of no row") {
  const Program program;
  const std::string rows = ">a\nACGT\n>b\nAC-T\n";
  CHECK(rows_of(program, "a.sto", "#=GF ID x\n# STOCKHOLM 1.0\na ACGT\nb AC.T\n//\n") == rows);
  CHECK(rows_of(program, "b.sto", "# STOCKHOLM 1.0\na ACGT\nb AC_T\n//\n") == rows);
  CHECK(rows_of(program, "a.slx", "#=AU x\na ACGT\nb AC.T\n//\n") == rows);
  CHECK(has(refusal(program, "b.slx", "#=AU x\na ACGT\n//\nb ACGT\n//\n"), "a second alignment"));
  CHECK(has(warnings_of(program, "c.sto",
                        "# STOCKHOLM 1.0\n#=GS z DE one\n#=GS z AC P1\na ACGT\nb AC.T\n//\n",
                        "stockholm"),
            "2 #=GS of other rows"));
}

TEST_CASE("foreign SELEX: rows alone, by the name of the file") {
  const Program program;
  const std::string rows = "seq1   MK.VL\nseq2   MKAVL\n";
  CHECK(rows_of(program, "a.slx", rows) == ">seq1\nMK-VL\n>seq2\nMKAVL\n");
  CHECK(rows_of(program, "a.selex", "# a comment\n" + rows + "\nseq1   AA\nseq2    A\n") ==
        ">seq1\nMK-VLAA\n>seq2\nMKAVL-A\n");
  CHECK(rows_of(program, "b.slx", "CLUSTAL W\n\na MK\nb MA\n") == ">a\nMK\n>b\nMA\n");
  CHECK(rows_of(program, "c.slx", ">a\nMK\n>b\nMA\n") == ">a\nMK\n>b\nMA\n");
  CHECK(has(refusal(program, "a.txt", rows), "not FASTA"));
}

TEST_CASE("foreign Stockholm: many tags, each of which is another line") {
  const Program program;
  constexpr int kTags = 400000;
  std::string text = "# STOCKHOLM 1.0\n";
  for (int k = 0; k < kTags; ++k) text += "#=GR a t" + std::to_string(k) + " 01\n";
  text += "a MK\nb MA\n";
  for (int k = 0; k < kTags / 10; ++k) text += "#=GC c" + std::to_string(k) + " 01\n";
  program.directory().write("tags.sto", text + "//\n");
  // Processor time of a look-up of each tag among all would be many minutes.
  const Outcome outcome =
      program.shell("ulimit -t 100; $accord convert tags.sto -f stockholm | grep -c '^#=G[RC]'");
  CHECK(outcome.out == std::to_string(kTags + kTags / 10) + "\n");
}

TEST_CASE("foreign SELEX: markup is kept by Stockholm") {
  const Program program;
  const std::string selex =
      "#=ID Fam\n#=AU me\n#=SQ a 1.0 x\na     AC.GT\n#=SS  HH.EE\nb     ACcGT\n#=CS  <<.>>\n"
      "#=RF  xx xx\n\na     A\nb     -\n#=RF  x\n";
  const Outcome outcome = convert(program, "a.slx", selex, "stockholm");
  CHECK(outcome.out ==
        "# STOCKHOLM 1.0\n#=GF ID   Fam\n#=GF AU   me\n\na            AC-GTA\n#=GR a SS    HH.EE.\n"
        "b            ACcGT-\n#=GC SS_cons <<.>>.\n#=GC RF      xx.xxx\n//\n");
  CHECK(has(outcome.err, "1 line of SELEX markup"));
  CHECK(
      has(convert(program, "s.slx", "#=RF x.x\na A-C\nb ACC\n", "stockholm").out, "#=GC RF x.x\n"));
  CHECK(convert(program, "b.slx", selex, "a2m").out == ">a\nAC.GTA\n>b\nACcGT-\n");
}

TEST_CASE("foreign JSON: confidence is kept where there is a place for it, names as they are") {
  const Program program;
  program.directory().write("u.fa", ">a\nMKVLAW\n>b\nMKVAW\n>c x\nMKLAW\n");
  const std::string json = program.run({"align", "u.fa", "-d", "none", "-f", "json"}).out;
  const std::string stockholm = program.run({"align", "u.fa", "-d", "none", "-f", "stockholm"}).out;
  CHECK(convert(program, "a.json", json, "json").out == json);
  CHECK(convert(program, "a.json", json, "stockholm").out == stockholm);
  CHECK(convert(program, "a.json", json, "json").err.empty());
  CHECK(has(warnings_of(program, "a.json", json), "has no place in fasta: confidence"));
  program.directory().write("n.fa", ">d\nMKVLAW\n");
  CHECK(has(program.run({"add", "a.json", "n.fa", "-d", "none", "-f", "json"}).err,
            "has no place in json: confidence of the input"));
  CHECK(rows_of(
            program, "h.json",
            "{\"sequences\": [{\"name\": \"a\", \"header\": \"other words\", \"row\": \"AC\"}]}") ==
        ">a other words\nAC\n");
}

TEST_CASE("foreign MSF: checksums, lengths and weights") {
  const Program program;
  const auto msf = [](const std::string& length, const std::string& check,
                      const std::string& weight) {
    return "PileUp\n\n MSF: " + length + "  Type: N  Check: 1  ..\n\n Name: a oo  Len: " + length +
           "  Check: " + check + "  Weight: 1.0\n Name: b oo  Len: " + length +
           "  Check: 0  Weight: " + weight + "\n\n//\n\na ~~AC.GT\nb ACGTACG\n";
  };
  // 1*126 + 2*126 + 3*65 + 4*67 + 5*46 + 6*71 + 7*84
  CHECK(warnings_of(program, "a.msf", msf("7", "2085", "1.0")).empty());
  CHECK(has(warnings_of(program, "b.msf", msf("7", "2086", "1.0")),
            "1 of 2 rows does not have the checksum of the header, such as \"a\""));
  CHECK(has(warnings_of(program, "c.msf", msf("6", "2085", "1.0")),
            "the rows have 7 columns, the header says 6 of 2 rows"));
  std::string other = msf("7", "2085", "1.0");
  other.replace(other.find("MSF: 7"), 6, "MSF: 5");
  CHECK(has(warnings_of(program, "e.msf", other), "the rows have 7 columns, the header says 5"));
  // The number of residues, as some writers have it.
  std::string residues = msf("7", "2085", "1.0");
  residues.replace(residues.find("Len: 7"), 6, "Len: 4");
  CHECK(warnings_of(program, "f.msf", residues).empty());
  CHECK(has(refusal(program, "g.msf", msf("9", "2085", "1.0")),
            "row \"a\" has 7 columns, the header says 9"));
  CHECK(has(refusal(program, "h.msf", msf("7", "2085", "1.0") + "c ACGTACG\n"),
            "row \"c\" has no 'Name:' line"));
  std::string shorter = msf("7", "2085", "1.0");
  shorter.resize(shorter.find("b ACG"));
  CHECK(has(refusal(program, "i.msf", shorter), "row \"b\" has 0 columns"));
  CHECK(has(warnings_of(program, "d.msf", msf("7", "2085", "0.5")), "weights of MSF"));
}

TEST_CASE("foreign PHYLIP: names in every block, several data sets, options") {
  const Program program;
  CHECK(rows_of(program, "a.phy", "2 8\na ACGT\nb ACGA\n\na CCCC\nb C-CC\n") ==
        ">a\nACGTCCCC\n>b\nACGAC-CC\n");
  CHECK(rows_of(program, "b.phy",
                "2 8\nHomo sap  ACGT\nHomo ere  ACGA\n\nHomo sap  CCCC\n"
                "Homo ere  C-CC\n") == ">Homo_sap\nACGTCCCC\n>Homo_ere\nACGAC-CC\n");
  CHECK(has(refusal(program, "c.phy", "2 4\na ACGT\nb ACGA\n2 4\na ACGT\nb ACGA\n"),
            "c.phy:4: a second alignment in one file"));
  CHECK(has(refusal(program, "d.phy", "2 4 W\nWEIGHTS   1111\na ACGT\nb ACGA\n"),
            "the options \"W\" of the first line are not read"));
}

TEST_CASE("foreign FASTA and PIR: comments, titles that are missing, rows without letters") {
  const Program program;
  CHECK(rows_of(program, "a.fa", ";one\n>a x\n;two\nAC\n;three\nGT\n>b\nACGA\n") ==
        ">a x\nACGT\n>b\nACGA\n");
  CHECK(has(refusal(program, "a.pir", ">P1;a\nMKV*\n>P1;b\ntitle\nMKV*\n"),
            "sequence \"a\" has no '*' at its end"));
  CHECK(rows_of(program, "b.pir",
                "C; A sample alignment of MODELLER\nC;and more\n\n"
                ">P1;a\nstructureX:a:1:A:4:A::::\nMKVL*\n\n>P1;b\nsequence:b::::::::\nMK-L*\n") ==
        ">a structureX:a:1:A:4:A::::\nMKVL\n>b sequence:b::::::::\nMK-L\n");
  CHECK(convert(program, "c.ali", "R; note\n>P1;a\n\nMKVL*\n").exit_code == 0);
  CHECK(
      has(refusal(program, "b.fa", ">a\n>b\nACGT\n"), "row \"b\" has 4 columns, row \"a\" has 0"));
}

TEST_CASE("foreign files: what is no text is called by its name") {
  const Program program;
  const auto error_of = [&](const char* script) {
    const Outcome outcome = program.shell(script);
    CHECK(outcome.exit_code == 65);
    return outcome.err;
  };
  CHECK(has(error_of("printf '\\377\\376>\\0a\\0\\n\\0A\\0' > a; $accord a"), "UTF-16"));
  CHECK(has(error_of("printf '>a\\nAC\\n' | gzip | gzip > a.gz; $accord a.gz"), "packed twice"));
  CHECK(has(error_of("printf '>a\\nAC\\n' > b; tar cf b.tar b; $accord b.tar"), "a tar archive"));
  CHECK(has(error_of("printf 'PK\\003\\004 x' > b.zip; $accord b.zip"), "a zip archive"));
}

TEST_CASE("foreign files: letters of another type than the file names") {
  const Program program;
  for (const auto& [name, text] : std::vector<std::pair<const char*, std::string>>{
           {"a.nex", nexus("protein", "a ACGTA\nb ACGAA\nc ACGCA\n")},
           {"a.msf", "MSF: 4 Type: P Check: 0 ..\nName: a Len: 4\n//\na ACGT\n"},
           {"a.pir", ">P1;a\n\nACGTACGT*\n"},
           {"a.json",
            "{\"type\": \"protein\", \"sequences\": [{\"name\": \"a\", \"row\": \"ACGT\"}]}"}}) {
    const char* const file = name;
    CAPTURE(file);
    CHECK(has(warnings_of(program, file, text),
              "the file says protein, but its letters are those of dna"));
    CHECK(program.run({"convert", file, "--type", "protein"}).err.empty());
  }
}

TEST_CASE("foreign distances: upper triangles, a sign, tables of R, few digits") {
  const Program program;
  const auto tree = [&](const std::string& text) {
    program.directory().write("d", text);
    return program.run({"tree", "--from-distances", "d", "--method", "nj", "-d", "none"}).out;
  };
  const std::string square =
      tree("4\na 0 0.05 0.09 0.09\nb 0.05 0 0.1 0.1\nc 0.09 0.1 0 0.08\nd 0.09 0.1 0.08 0\n");
  CHECK(square == "((a:0.02,b:0.03):0.02,(c:0.04,d:0.04):0.01);\n");
  for (const char* text :
       {"4\na 0.05 0.09 0.09\nb 0.1 0.1\nc 0.08\nd\n",
        "4\na 0 0.05 0.09 0.09\nb 0 0.1 0.1\nc 0 0.08\nd 0\n",
        "4\na 0 +0.05 0.09 9e-2\nb .05 0 0.1 0.1\nc 0.09 0.1 0 0.08\nd 0.09 0.1 0.08 0\n",
        "a\tb\tc\td\na\t0\t0.05\t0.09\t0.09\nb\t0.05\t0\t0.1\t0.1\nc\t0.09\t0.1\t0\t0.08\nd\t0.09\t"
        "0.1\t0.08\t0\n",
        "\"a\",\"b\",\"c\",\"d\"\n\"a\",0,0.05,0.09,0.09\n\"b\",0.05,0,0.1,0.1\n\"c\",0.09,0.1,0,"
        "0.08\n\"d\",0.09,0.1,0.08,0\n"}) {
    CAPTURE(text);
    CHECK(tree(text) == square);
  }
  CHECK(tree("3\nHomo sap  0.3 0.7\nHomo ere  0.6\nPan troglo\n") ==
        tree("3\nHomo sap  0 0.3 0.7\nHomo ere  0.3 0 0.6\nPan troglo0.7 0.6 0\n"));
}

TEST_CASE("foreign distances: trees of few digits, of whatever size the distances are") {
  const Program program;
  for (const auto& [power, tree] : std::vector<std::pair<std::string, std::string>>{
           {"", "((a:2,b:3):2,(c:4,d:4):1);\n"},
           {"e-1", "((a:0.2,b:0.3):0.2,(c:0.4,d:0.4):0.1);\n"},
           {"e-6", "((a:2e-06,b:3e-06):2e-06,(c:4e-06,d:4e-06):1e-06);\n"},
           {"e4", "((a:20000,b:30000):20000,(c:40000,d:40000):10000);\n"}}) {
    const std::string unit = power;
    CAPTURE(unit);
    const auto text = "4\na 5" + unit + " 9" + unit + " 9" + unit + "\nb 10" + unit + " 10" + unit +
                      "\nc 8" + unit + "\nd\n";
    program.directory().write("d", text);
    CHECK(program.run({"tree", "--from-distances", "d", "--method", "nj", "-d", "none"}).out ==
          tree);
  }
  // Average linkage: heights 0.05, 0.15 and 0.35; and with thirds.
  program.directory().write("u", "4\na 0.1 0.3 0.7\nb 0.3 0.7\nc 0.7\nd\n");
  CHECK(program.run({"tree", "--from-distances", "u"}).out ==
        "(d:0.35,(c:0.15,(b:0.05,a:0.05):0.1):0.2);\n");
  program.directory().write("v", "4\na 1.1 3.3 7.7\nb 3.3 7.7\nc 7.7\nd\n");
  CHECK(program.run({"tree", "--from-distances", "v"}).out ==
        "(d:3.85,(c:1.65,(b:0.55,a:0.55):1.1):2.2);\n");
}

TEST_CASE("outputs: distances are not written under the suffix of another format") {
  const Program program;
  program.directory().write("a.fa", ">a\nMKVLAW\n>b\nMKVLAY\n");
  for (const char* file : {"d.json", "d.nex.gz", "d.fa", "d.sto"}) {
    CAPTURE(file);
    const Outcome outcome = program.run({"dist", "--aligned", "a.fa", "-o", file});
    CHECK(outcome.exit_code == 2);
    CHECK(has(outcome.err, "no distances are written as"));
  }
  for (const char* file : {"d.phy", "d.dist", "d"}) {
    CHECK(program.run({"dist", "--aligned", "a.fa", "-o", file}).exit_code == 0);
  }
  CHECK(program.run({"dist", "--aligned", "a.fa", "-o", "d.fa", "-f", "tsv"}).exit_code == 0);
}

TEST_CASE("foreign NEXUS: trees with the numbers of the taxa block") {
  const Program program;
  program.directory().write("a.fa", ">a\nMKVLAW\n>b\nMKVAW\n>3\nMKLAW\n>d\nMKLAWG\n");
  program.directory().write("t",
                            "#NEXUS\nbegin taxa;\ndimensions ntax=4;\ntaxlabels d a b 3;\nend;\n"
                            "begin trees;\ntree x = [&R] ((1:1,2:2):1,(b:1,3:2):1);\nend;\n");
  const Outcome outcome =
      program.run({"align", "a.fa", "--tree", "t", "-d", "none", "--tree-out", "o", "-o", "x"});
  CAPTURE(outcome.err);
  CHECK(outcome.exit_code == 0);
  CHECK(program.shell("cat o").out == "[&R]((d:1,a:2):1,(b:1,3:2):1);\n");
}

TEST_CASE("trees: --prune never leaves out a sequence of an alignment to be made") {
  const Program program;
  program.directory().write("a.fa", ">a\nMKVLAW\n>b\nMKVAW\n>c\nMKLAW\n");
  program.directory().write("t", "(a,b);");
  const Outcome outcome = program.run({"align", "a.fa", "--tree", "t", "--prune", "-d", "none"});
  CHECK(outcome.exit_code == 65);
  CHECK(has(outcome.err, "1 of 3 sequences is not in the tree: \"c\""));
  CHECK(has(outcome.err, "never a sequence of an alignment to be made"));
}

TEST_CASE("formats: what they have no place for is said: case, descriptions, names that begin so") {
  const Program program;
  const std::string masked = ">a one\nACgtA\n>b\nACGTA\n";
  for (const char* format : {"a2m", "a3m"}) {
    CAPTURE(format);
    CHECK(has(warnings_of(program, "a.fa", masked, format),
              "2 lower-case letters of match columns are written in upper case"));
  }
  CHECK(warnings_of(program, "a.fa", masked, "stockholm").empty());
  for (const char* format : {"clustal", "phylip", "msf", "nexus"}) {
    CAPTURE(format);
    CHECK(has(warnings_of(program, "a.fa", masked, format),
              std::string("the descriptions behind 1 name have no place in ") + format));
  }
  const std::string odd = ">#x\nACGTA\n>_x\nACGAA\n>!y\nACGCA\n>//\nACGGA\n";
  const Outcome stockholm = convert(program, "o.fa", odd, "stockholm");
  CHECK(has(stockholm.err, "stockholm: the row \"#x\" is named \"_x_2\""));
  CHECK(rows_of(program, "o.sto", stockholm.out) ==
        ">_x_2\nACGTA\n>_x\nACGAA\n>!y\nACGCA\n>//\nACGGA\n");
  for (const char* format : {"clustal", "phylip", "msf", "nexus", "json"}) {
    CAPTURE(format);
    CHECK(rows_of(program, std::string("o.") + format, convert(program, "o.fa", odd, format).out) ==
          odd);
  }
}

TEST_CASE("inputs: the same file under another name is named twice") {
  const Program program;
  program.directory().write("a.fa", ">a\nMKV\n>b\nMKV\n");
  for (const char* other : {"./a.fa", "link", "hard"}) {
    CAPTURE(other);
    program.shell("ln -sf a.fa link; ln -f a.fa hard");
    const Outcome outcome = program.run({"align", "a.fa", other});
    CHECK(outcome.exit_code == 2);
    CHECK(has(outcome.err, "is named twice"));
  }
}

TEST_CASE("alignments that are aligned anew: match columns that are lost are said") {
  const Program program;
  program.directory().write("a.a3m", ">q\nMKVLA\n>b\nMKaVLA\n");
  const Outcome outcome = program.run({"align", "a.a3m", "-d", "none"});
  CHECK(outcome.exit_code == 0);
  CHECK(has(outcome.err, "aligned anew, without the markup: which columns are match columns"));
  program.directory().write("list.tsv", "a\ta.a3m\n");
  CHECK(has(program.run({"batch", "list.tsv", "--out-dir", "out", "-d", "none"}).err,
            "which columns are match columns"));
}
