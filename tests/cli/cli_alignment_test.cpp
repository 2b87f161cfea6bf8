// SPDX-License-Identifier: Apache-2.0
// Alignments as other programs write them: columns, names, match columns and markup through the
// commands that read and write alignments.
#include <doctest/doctest.h>

#include "cli/program.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

/// What `accord convert` makes of a text.
std::string converted(const Program& program, const char* file, const std::string& text,
                      const std::string& format, bool is_lenient = false) {
  program.directory().write(file, text);
  std::vector<std::string> arguments = {"convert", file, "-f", format};
  if (is_lenient) arguments.emplace_back("--lenient");
  const Outcome outcome = program.run(arguments);
  CAPTURE(outcome.err);
  CHECK(outcome.exit_code == 0);
  return outcome.out;
}

/// The error of a text that is refused.
std::string refusal(const Program& program, const char* file, const std::string& text,
                    const std::string& command = "convert") {
  program.directory().write(file, text);
  const Outcome outcome = program.run({command, file});
  CAPTURE(outcome.out);
  CHECK(outcome.exit_code == 65);
  CHECK(outcome.out.empty());
  return outcome.err;
}

// As ColabFold writes it: a first line with lengths and numbers of the chains, NUL bytes between
// what its databases gave.
const std::string kColabFold =
    std::string("#9\t1\n>101\nMKVLA-WGG\n>UniRef100_A\t120\nMKaaVLACWGG\n") + '\0' +
    ">101\nMKVLA-WGG\n>MGYP1\n-KVLAC--G\n" + '\0';

// As HH-suite writes it: secondary structure before the query, which has a gap in a match column.
const std::string kHhSuite =
    "#A3M#\n>ss_pred PSIPRED\nHHEC\n>ss_conf PSIPRED confidence\n9987\n>q query\nAC-E\n>h1\n"
    "ACgDE\n>h2\n-CDEk\n";

// As Pfam has it, wrapped in blocks.
const std::string kPfam =
    "# STOCKHOLM 1.0\n#=GF ID   Fam\n#=GF CC   two words\n#=GS a/1-5 AC P1.1\n#=GS a/1-5 DE  one\n"
    "\na/1-5         AC.DE\n#=GR a/1-5 SS HH.EE\nb/3-7         ACgD-\n#=GC SS_cons  HH.EE\n"
    "#=GC RF       xx.x.\n\na/1-5         F\n#=GR a/1-5 SS C\nb/3-7         F\n#=GC SS_cons  C\n"
    "#=GC RF       x\n//\n";

}  // namespace

TEST_CASE("alignments: --lenient keeps the columns of aligned input, whatever the format") {
  const Program program;
  const std::string rows = ">a\nAC-TTCGT\n>b\nACGTACG-\n";
  CHECK(converted(program, "a.fa", ">a\nAC!TTCGT\n>b\nACGTACG/\n", "fasta", true) == rows);
  CHECK(converted(program, "t.fa", ">a\nAC~TTCGT\n>b\nACGTACG~\n", "fasta") == rows);
  CHECK(converted(program, "a.a2m", ">a\nAC!TTCGT\n>b\nACGTACG/\n", "fasta", true) == rows);
  CHECK(converted(program, "a.a3m", ">a\nAC!TTCGT\n>b\nACGTACG/\n", "fasta", true) == rows);
  CHECK(converted(program, "a.phy", "2 8\na AC!TTCGT\nb ACGTACG/\n", "fasta", true) == rows);
  CHECK(converted(program, "a.sto", "# STOCKHOLM 1.0\na AC!TTCGT\nb ACGTACG/\n//\n", "fasta",
                  true) == rows);
  CHECK(converted(program, "a.pir", ">P1;a\n\nAC!TTCGT*\n>P1;b\n\nACGTACG/*\n", "fasta", true) ==
        rows);
  const Outcome lenient = program.run({"convert", "a.fa", "--lenient"});
  CHECK(has(lenient.err, "2 characters read as gaps: '!', '/'"));
  for (const char* command : {"stats", "trim"}) {
    CAPTURE(command);
    CHECK(program.run({command, "a.fa", "--lenient"}).exit_code == 0);
  }
  // One of the six columns that both have differs: T against A.
  CHECK(has(program.run({"dist", "--aligned", "a.fa", "--lenient"}).out, "0.166667"));
  // Sequences that are not aligned have no columns.
  CHECK(program.run({"align", "a.fa", "--lenient", "-q"}).exit_code == 0);
  program.directory().write("u.fa", ">a\n1 ACGT\n>b\n1 ACGT\n");
  CHECK(program.run({"align", "u.fa", "--lenient", "--gaps", "error", "-q"}).out ==
        ">a\nACGT\n>b\nACGT\n");
}

TEST_CASE("alignments: '?' is a residue that is not known, in every format") {
  const Program program;
  const std::string rows = ">a\nAC?TTCGT\n>b\nAC-TACG?\n";
  for (const auto& [name, text] : std::vector<std::pair<const char*, std::string>>{
           {"a.fa", rows},
           {"a.phy", "2 8\na         AC?TTCGT\nb         AC-TACG?\n"},
           {"a.clw",
            "CLUSTAL W (1.83) multiple sequence alignment\n\n\na  AC?TTCGT 8\nb  AC-TACG? "
            "7\n   ** * ** \n"},
           {"a.sto", "# STOCKHOLM 1.0\na AC?TTCGT\nb AC.TACG?\n//\n"},
           {"a.nex",
            "#NEXUS\nbegin data;\ndimensions ntax=2 nchar=8;\nformat datatype=dna missing=x "
            "gap=-;\nmatrix\na ACxTTCGT\nb AC-TACGX\n;\nend;\n"}}) {
    const char* const file = name;
    CAPTURE(file);
    CHECK(converted(program, file, text, "fasta") == rows);
    for (const char* format : {"clustal", "stockholm", "phylip", "phylip-strict", "msf", "nexus",
                               "json", "a2m", "a3m"}) {
      CAPTURE(format);
      const std::string written = std::string("again.") + format;
      CHECK(program.run({"convert", file, "-f", format, "-o", written}).exit_code == 0);
      CHECK(program.run({"convert", written, "-q"}).out == rows);
    }
  }
  // The aligner takes it for N or X and keeps it.
  program.directory().write("u.fa", ">a\nMKVLA?WGG\n>b\nMKVLACWGG\n");
  CHECK(program.run({"u.fa"}).out == ">a\nMKVLA?WGG\n>b\nMKVLACWGG\n");
  CHECK(has(program.run({"stats", "a.fa"}).out, "\tdna\t"));
}

TEST_CASE("alignments: names with blanks are kept where the format has them") {
  const Program program;
  const std::string nexus =
      "#NEXUS\nbegin data;\ndimensions ntax=3 nchar=4;\nformat datatype=dna;\nmatrix\n"
      "'Homo sapiens' ACGT\n'Homo erectus' ACGA\nHomo_sapiens ACGC\n;\nend;\n";
  program.directory().write("a.nex", nexus);
  const Outcome fasta = program.run({"convert", "a.nex", "--name-map", "map.tsv"});
  CHECK(fasta.out == ">Homo_sapiens_2\nACGT\n>Homo_erectus\nACGA\n>Homo_sapiens\nACGC\n");
  CHECK(has(fasta.err,
            "2 names are changed where a format has no blanks in names: \"Homo sapiens\" "
            "(sequence 1) is Homo_sapiens_2, \"Homo erectus\" (sequence 2) is "
            "Homo_erectus"));
  CHECK(file_bytes(program.directory().path("map.tsv")) ==
        "name\theader\twithout_blanks\nHomo sapie\tHomo sapiens\tHomo_sapiens_2\nHomo erect\tHomo "
        "erectus\tHomo_erectus\nHomo_sapie\tHomo_sapiens\tHomo_sapiens\n");
  for (const char* format : {"nexus", "json"}) {
    CAPTURE(format);
    const std::string file = std::string("b.") + format;
    CHECK(program.run({"convert", "a.nex", "-q", "-f", format, "-o", file}).exit_code == 0);
    const std::string again = program.run({"convert", file, "-q", "-f", "nexus"}).out;
    CHECK(has(again, "'Homo sapiens' ACGT\n    'Homo erectus' ACGA\n    Homo_sapiens   ACGC\n"));
  }
  // Columns of ten characters.
  program.directory().write("a.phy", " 2 4\nH. sapiensACGT\nH. erectusACGA\n");
  CHECK(program.run({"convert", "a.phy", "-f", "phylip-strict"}).out ==
        " 2 4\nH. sapiensACGT\nH. erectusACGA\n");
  program.directory().write("b.phy", " 2 4\nSeq 1     ACGT\nSeq 2     ACGA\n");
  CHECK(has(program.run({"convert", "b.phy", "-f", "nexus"}).out,
            "'Seq 1' ACGT\n    'Seq 2' ACGA\n"));
  // Every other format has the same unique names.
  for (const char* format : {"clustal", "stockholm", "phylip", "msf", "a2m", "a3m"}) {
    CAPTURE(format);
    CHECK(has(program.run({"convert", "a.phy", "-f", format}).out, "H._sapiens"));
  }
}

TEST_CASE("alignments: trees and tables have whole names, and trees with such labels are read") {
  const Program program;
  program.directory().write(
      "a.nex",
      "#NEXUS\nbegin data;\ndimensions ntax=3 nchar=12;\nformat datatype=dna;\nmatrix\n"
      "'Homo sapiens' ACGTACGTACGT\n'Homo erectus' ACGAACGTACGT\n'Pan x' ACGCACTTACGA\n;\nend;\n");
  const std::string labels = "(('Homo sapiens':1,'Homo erectus':1):1,'Pan x':2);\n";
  program.directory().write("t.dnd", labels);
  const Outcome aligned = program.run({"a.nex", "--tree", "t.dnd", "--tree-out", "out.dnd", "-q"});
  CHECK(aligned.exit_code == 0);
  CHECK(file_bytes(program.directory().path("out.dnd")) == labels);
  program.directory().write("u.dnd", "((Homo_sapiens:1,Homo_erectus:1):1,\"Pan x\":2);\n");
  CHECK(program.run({"a.nex", "--tree", "u.dnd", "-q"}).out == aligned.out);
  CHECK(has(program.run({"dist", "--aligned", "a.nex", "-f", "tsv", "-q"}).out,
            "name\tHomo sapiens\tHomo erectus\tPan x\n"));
  CHECK(has(program.run({"dist", "--aligned", "a.nex", "-q"}).out, "\nHomo_sapiens "));
}

TEST_CASE("alignments: '.' in PHYLIP and NEXUS repeats the first row, or is refused") {
  const Program program;
  const std::string rows = ">a\nACGT-ACG\n>b\nACCT-AC-\n";
  CHECK(converted(program, "a.phy", "2 8\na ACGT-ACG\nb ..C....-\n", "fasta") == rows);
  CHECK(converted(program, "i.phy", "2 8\na ACGT\nb ..C.\n\n-ACG\n...-\n", "fasta") == rows);
  CHECK(has(refusal(program, "b.phy", "2 8\na AC.T-ACG\nb ACCT-AC-\n"), "'.' repeats the first"));
  const auto nexus = [](const std::string& format, const std::string& a, const std::string& b) {
    return "#NEXUS\nbegin data;\ndimensions nchar=8;\nformat " + format + ";\nmatrix\na " + a +
           "\nb " + b + "\n;\nend;\n";
  };
  CHECK(converted(program, "a.nex", nexus("matchchar=. gap=-", "ACGT-ACG", "..C....-"), "fasta") ==
        rows);
  CHECK(converted(program, "g.nex", nexus("gap=.", "ACGT.ACG", "ACCT.AC."), "fasta") == rows);
  CHECK(
      has(refusal(program, "b.nex", nexus("gap=-", "ACGT-ACG", "..C....-")), "'.' has no meaning"));
  CHECK(has(refusal(program, "c.nex", nexus("matchchar=.", "AC.T-ACG", "ACCT-AC-")),
            "repeats the first row"));
}

TEST_CASE("alignments: a file that is cut off is refused, and says what is missing") {
  const Program program;
  for (const char* command : {"convert", "align"}) {
    CAPTURE(command);
    CHECK(has(refusal(program, "a.sto", "# STOCKHOLM 1.0\na ACGT\nb ACGA\n", command),
              "no '//' at its end"));
    CHECK(has(refusal(program, "a.msf",
                      "!!NA_MULTIPLE_ALIGNMENT 1.0\n\n  MSF: 60  Type: N  Check: 1 ..\n\n"
                      "  Name: a  Len: 60  Check: 1  Weight: 1.00\n"
                      "  Name: b  Len: 60  Check: 1  Weight: 1.00\n\n//\n\n"
                      "a ACGTACGTAC GTACGTACGT\nb ACGTACGTAC GTACGTACGT\n",
                      command),
              "row \"a\" has 20 columns, the header says 60"));
    CHECK(has(
        refusal(program, "a.json",
                "{\"columns\": 5, \"sequences\": [{\"name\": \"a\", \"row\": \"ACGT\"}]}", command),
        "'columns' says 5"));
    CHECK(has(refusal(program, "a.clw", "CLUSTAL W\n\na ACGT\nb ACGA\n\na ACGT\n", command),
              "row \"b\" has 4 columns, row \"a\" has 8"));
    CHECK(has(refusal(program, "b.sto", "# STOCKHOLM 1.0\na ACGT\nb ACGA\n\na ACGT\n//\n", command),
              "row \"b\" has 4 columns"));
    CHECK(has(refusal(program, "a.slx", "#=ID x\na ACGT\nb ACGA\n\na ACGT\n", command), "columns"));
    CHECK(has(refusal(program, "a.phy", "2 8\na ACGT\nb ACGA\n\nACGT\n", command), "columns"));
    CHECK(has(refusal(program, "a.nex",
                      "#NEXUS\nbegin data;\ndimensions nchar=8;\nformat interleave;\nmatrix\na "
                      "ACGT\nb ACGA\n\na ACGT\nb AC",
                      command),
              "never closed"));
    CHECK(has(refusal(program, "a.pir", ">P1;a\n\nACGT*\n>P1;b\n\nAC", command),
              "\"b\" has no '*' at its end"));
  }
}

TEST_CASE("alignments: several in one file are refused") {
  const Program program;
  const std::string clustal = "CLUSTAL W (1.83) multiple sequence alignment\n\n\na ACGT\nb ACGA\n";
  const std::string nexus = "begin data;\nmatrix\na ACGT\nb ACGA\n;\nend;\n";
  for (const auto& [name, text] : std::vector<std::pair<const char*, std::string>>{
           {"a.clw", clustal + "\n\n" + clustal}, {"a.nex", "#NEXUS\n" + nexus + nexus}}) {
    const char* const file = name;
    CAPTURE(file);
    CHECK(has(refusal(program, file, text), "a second alignment in one file"));
  }
  CHECK(has(refusal(program, "a.sto", "# STOCKHOLM 1.0\na A\n//\n# STOCKHOLM 1.0\na A\n//\n"),
            "a file with 2 alignments (1, 2)"));
  CHECK(has(refusal(program, "a.a3m", std::string(">q\nACD\n>a\nAC-\n") + '\0' + ">r\nAC\n" + '\0'),
            "NUL bytes part the alignments of several queries"));
}

TEST_CASE("alignments: A3M of ColabFold and HH-suite is read, and comes out as it was") {
  const Program program;
  CHECK(converted(program, "a.a3m", kColabFold, "a3m") ==
        "#9\t1\n>101\nMKVLA-WGG\n>UniRef100_A\t120\nMKaaVLACWGG\n>101\nMKVLA-WGG\n>MGYP1\n-KVLAC--"
        "G\n");
  program.directory().write("stdin", kColabFold);
  CHECK(has(program.run({"stats", "-"}, program.directory().path("stdin")).out, "stdin\ta3m\t"));
  CHECK(program.run({"align", "a.a3m", "-q"}).exit_code == 0);
  const std::string once = converted(program, "h.a3m", kHhSuite, "a3m");
  CHECK(once == "#A3M#\n>ss_pred\nHHEC\n>ss_conf\n9987\n>q query\nAC-E\n>h1\nACgDE\n>h2\n-CDEk\n");
  CHECK(converted(program, "h.a3m", once, "a3m") == once);
  CHECK(converted(program, "h.a3m", once, "a2m") ==
        "#A3M#\n>ss_pred\nHH.EC.\n>ss_conf\n99.87.\n>q query\nAC.-E.\n>h1\nACgDE.\n>h2\n-C.DEk\n");
  program.directory().write("h.a3m", kHhSuite);
  const Outcome fasta = program.run({"convert", "h.a3m"});
  CHECK(fasta.out == ">q query\nAC--E-\n>h1\nACgDE-\n>h2\n-C-DEk\n");
  CHECK(has(fasta.err, "no place in fasta: 2 #=GC, 1 '#', which columns are match columns"));
  CHECK(
      has(program.run({"align", "h.a3m"}).err, "aligned anew, without the markup: 2 #=GC, 1 '#'"));
}

TEST_CASE("alignments: match columns go from A2M, A3M and Stockholm to all three") {
  const Program program;
  const std::string a3m = ">q\nAC-E\n>h1\nACgDE\n>h2\n-CDEk\n";
  const std::string a2m = ">q\nAC.-E.\n>h1\nACgDE.\n>h2\n-C.DEk\n";
  const std::string stockholm =
      "# STOCKHOLM 1.0\n\nq       AC--E-\nh1      ACgDE-\nh2      -C-DEk\n#=GC RF xx.xx.\n//\n";
  const std::vector<std::pair<std::string, std::string>> files = {
      {"a3m", a3m}, {"a2m", a2m}, {"stockholm", stockholm}};
  for (const auto& [from, text] : files) {
    for (const auto& [to, expected] : files) {
      const std::string file = "x." + from, format = to;
      CAPTURE(file);
      CAPTURE(format);
      CHECK(converted(program, file.c_str(), text, format) == expected);
    }
  }
  // Columns that are left out take their marks along.
  program.directory().write("x.a3m", a3m);
  CHECK(program.run({"trim", "x.a3m", "-f", "a3m", "--max-gaps", "0.5"}).out ==
        ">q\nAC-E\n>h1\nACDE\n>h2\n-CDE\n");
  CHECK(program.run({"trim", "x.a3m", "-f", "a2m", "--max-gaps", "0.7"}).out == a2m);
  CHECK(has(program.run({"confidence", "x.a3m", "-f", "stockholm"}).out, "#=GC RF      xx.xx.\n"));
  CHECK(program.run({"confidence", "x.a3m", "-f", "a3m"}).out == a3m);
  // A stop and what is not known have no lower case.
  program.directory().write("c.sto", "# STOCKHOLM 1.0\na AC*?D\nb AC--D\n#=GC RF xx..x\n//\n");
  const Outcome caseless = program.run({"convert", "c.sto", "-f", "a3m"});
  CHECK(caseless.out == ">a\nACxxD\n>b\nACD\n");
  CHECK(has(caseless.err, "2 characters of insert columns have no lower case"));
}

TEST_CASE("alignments: markup of Stockholm stays where columns stay, else its loss is said") {
  const Program program;
  program.directory().write("fam.sto", kPfam);
  program.directory().write("new.fa", ">n\nACWWDEF\n");
  const Outcome kept =
      program.run({"add", "fam.sto", "new.fa", "--keep-columns", "-f", "stockholm"});
  CAPTURE(kept.err);
  for (const char* line :
       {"#=GF ID   Fam\n#=GF CC   two words\n", "#=GS a/1-5 DE one\n#=GS a/1-5 AC P1.1\n",
        "\n#=GR a/1-5 SS HH.EEC\n", "\n#=GC SS_cons  HH.EEC\n", "\n#=GC RF       xx.x.x\n"}) {
    CAPTURE(line);
    CHECK(has(kept.out, line));
  }
  // New columns have no markup.
  const Outcome wider = program.run({"add", "fam.sto", "new.fa", "-f", "stockholm"});
  const std::string tag = "#=GC SS_cons  ";
  const std::size_t at = wider.out.find(tag);
  REQUIRE(at != std::string::npos);
  std::string line = wider.out.substr(at + tag.size());
  line.resize(line.find('\n'));
  CHECK(line.size() >= 6);
  std::erase(line, '.');
  CHECK(line == "HHEEC");
  CHECK(has(program.run({"add", "fam.sto", "new.fa"}).err,
            "no place in fasta: 2 #=GF, 1 #=GS, 1 #=GR, 2 #=GC"));
  CHECK(
      has(program.run({"align", "fam.sto"}).err,
          "fam.sto: the sequences are aligned anew, without the markup: 2 #=GF, 1 #=GS, 1 #=GR, 2 "
          "#=GC"));
  program.directory().write("list", "fam\tfam.sto\n");
  CHECK(has(program.run({"batch", "list", "-O", "out"}).err, "without the markup: 2 #=GF"));
}

TEST_CASE("alignments: merge keeps the markup of all, and says what cannot stand side by side") {
  const Program program;
  program.directory().write("a.sto", kPfam);
  program.directory().write(
      "b.sto",
      "# STOCKHOLM 1.0\n#=GF ID Other\n#=GF CC more\n#=GS c DE three\nc ACGDEF\n#=GR c PP 987654\n"
      "d ACGDEF\n#=GC RF xxxxxx\n#=GC note abcdef\n//\n");
  const Outcome merged = program.run({"merge", "a.sto", "b.sto", "-f", "stockholm"});
  CAPTURE(merged.err);
  CAPTURE(merged.out);
  CHECK(merged.exit_code == 0);
  for (const char* line : {"#=GF ID   Fam\n", "#=GF CC   two words\n", "#=GF CC more\n",
                           "#=GS c DE three\n", "#=GC note"}) {
    CAPTURE(line);
    CHECK(has(merged.out, line));
  }
  CHECK_FALSE(has(merged.out, "#=GF ID Other"));
  CHECK(has(merged.err, "1 line of markup"));
  program.directory().write("c.fa", ">e\nACGDEF\n>f\nACGDEF\n");
  CHECK(has(program.run({"merge", "a.sto", "c.fa", "-f", "a3m"}).err,
            "the match columns are left out: only 1 of 2 alignments has some"));
}

TEST_CASE("alignments: what is common elsewhere is read") {
  const Program program;
  const std::string rows = ">s1\nACGT\n>s2\nACGA\n";
  CHECK(converted(program, "a.fa",
                  "\xef\xbb\xbf# made by x\r\n; old\r\n> s1\r\nACGT\r\n>\ts2\r\nACGA\r\n",
                  "fasta") == rows);
  CHECK(converted(program, "k", "Kalign 3 alignment\n\ns1  ACGT\ns2  ACGA\n", "fasta") == rows);
  for (const char* header : {"PRANK v.170427", "T-COFFEE, Version_11", "MAFFT (v7) alignment",
                             "Clustal Omega 1.2", "hand-made"}) {
    CAPTURE(header);
    CHECK(converted(program, "c",
                    std::string(header) + "\n\n\ns1  AC 2\ns2  AC 2\n    **\n\ns1  GT 4\n"
                                          "s2  GA 4\n    * \n",
                    "fasta") == rows);
  }
  CHECK(converted(program, "o.phy", "2 4 I\ns1        AC\ns2        AC\n\nGT\nGA\n", "fasta") ==
        rows);
  CHECK(converted(program, "d.phy", "2 4\ns1        1 AC 3 GT\ns2        1 AC 3 GA\n", "fasta") ==
        rows);
}
