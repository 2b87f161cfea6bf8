// SPDX-License-Identifier: Apache-2.0
// Markup that refers to other columns, or counts what follows, after rows and columns changed.
#include <doctest/doctest.h>

#include "cli/program.hpp"
#include "support/paths.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

/// What stands behind the last blank of the line that begins so; empty if there is none.
std::string line_of(const std::string& text, const std::string& beginning) {
  const std::size_t at = ("\n" + text).find("\n" + beginning);
  if (at == std::string::npos) return {};
  const std::string line = text.substr(at, text.find('\n', at) - at);
  return line.substr(line.rfind(' ') + 1);
}

}  // namespace

TEST_CASE("markup: a base whose partner goes is unpaired") {
  const Program program;
  program.directory().write("x.sto",
                            "# STOCKHOLM 1.0\n"
                            "a             GGCCAAAAGGCCU\n#=GR a SS     ((AA__aa..)).\n"
                            "b             GGCCAAAAGGC--\nc             GGCCAAAAGG---\n"
                            "#=GC SS_cons  <<[[AA]]>a>a:\n#=GC SS_all   AABB..bb.aa..\n"
                            "#=GC RF       GgccaaaaggccU\n#=GC SS_prot  HHHHEEEETTTTc\n//\n");
  const Outcome kept = program.run({"trim", "x.sto", "--columns", "2-9,13", "-f", "stockholm"});
  REQUIRE(kept.exit_code == 0);
  CHECK(line_of(kept.out, "#=GR a SS ") == ".AA__aa..");
  CHECK(line_of(kept.out, "#=GC SS_cons") == "<[[..]]>:");
  CHECK(line_of(kept.out, "#=GC SS_all") == ".BB..bb..");
  CHECK(line_of(kept.out, "#=GC RF") == "gccaaaagU");
  CHECK(line_of(kept.out, "#=GC SS_prot") == "HHHEEEETc");
  // Both files that trim makes of one, and the pairs of the simple case.
  program.directory().write(
      "y.sto",
      "# STOCKHOLM 1.0\na            ACGUACGUACGU\nb            ACGUACGUA---\n"
      "#=GC SS_cons <<<<____>>>>\n//\n");
  const Outcome simple = program.run(
      {"trim", "y.sto", "--max-gaps", "0.3", "-f", "stockholm", "--complement", "rest.sto"});
  CHECK(line_of(simple.out, "#=GC SS_cons") == "...<____>");
  CHECK(line_of(program.run({"convert", "rest.sto", "-f", "stockholm"}).out, "#=GC SS_cons") ==
        "...");
}

TEST_CASE("markup: two structures that would pair other columns are not joined") {
  const Program program;
  const std::string rows = "MKVLAWGHRDMKVLAWGHRDMKVLAWGHRD\n";
  const std::string one = "#=GC SS_cons .<.......>....................\n";
  const auto family = [&](const std::string& name, const std::string& structure) {
    return "# STOCKHOLM 1.0\n" + name + "            " + rows + structure + "//\n";
  };
  program.directory().write("a.sto", family("a", one));
  program.directory().write("b.sto", family("b", "#=GC SS_cons ...<.......>..................\n"));
  program.directory().write("c.sto", family("c", "#=GC SS_cons ...<....>.....................\n"));
  const Outcome crossed = program.run({"merge", "a.sto", "b.sto", "-f", "stockholm"});
  CHECK(has(crossed.err, "1 line of markup is left out"));
  CHECK(line_of(crossed.out, "#=GC SS_cons") == ".<.......>....................");
  const Outcome nested = program.run({"merge", "a.sto", "c.sto", "-f", "stockholm"});
  CHECK(!has(nested.err, "left out"));
  CHECK(line_of(nested.out, "#=GC SS_cons") == ".<.<....>>....................");
}

TEST_CASE("markup: the number of rows is that of the rows") {
  const Program program;
  const std::string rows =
      "a            MKVLAWGHRD\nb            MKVLAWGH--\nc            --VLAWGHRD\n";
  program.directory().write("x.sto", "# STOCKHOLM 1.0\n#=GF ID X\n#=GF SQ   3\n" + rows + "//\n");
  program.directory().write("y.sto", "# STOCKHOLM 1.0\n#=GF SQ   1\nd MKVLAWGHRD\n//\n");
  program.directory().write("n.fa", ">n\nMKVLAWGHRD\n");
  const auto stated = [&](const std::vector<std::string>& arguments) {
    std::vector<std::string> all = arguments;
    all.insert(all.end(), {"-f", "stockholm"});
    const Outcome outcome = program.run(all);
    CHECK(outcome.exit_code == 0);
    CHECK(!has(outcome.err, "left out"));
    return line_of(outcome.out, "#=GF SQ");
  };
  CHECK(stated({"convert", "x.sto"}) == "3");
  CHECK(stated({"add", "x.sto", "n.fa"}) == "4");
  CHECK(stated({"trim", "x.sto", "--max-row-gaps", "0"}) == "1");
  CHECK(stated({"merge", "x.sto", "y.sto"}) == "4");
}

TEST_CASE("markup: a number of rows, columns or letters that is not that of the file") {
  const Program program;
  const auto file_of = [](const std::string& count) {
    return "# STOCKHOLM 1.0\n#=GF SQ " + count + "\na MKVL\nb MKVL\nc MKVL\n//\n";
  };
  program.directory().write("less.sto", file_of("5"));
  program.directory().write("more.sto", file_of("2"));
  program.directory().write("odd.sto", file_of("many"));
  for (const char* const command : {"stats", "convert", "align", "check", "dist"}) {
    check_refused(program.run({command, "less.sto"}), 65, "'#=GF SQ' states 5 rows, there are 3");
  }
  CHECK(has(program.run({"stats", "more.sto"}).err, "'#=GF SQ' states 2 rows, there are 3"));
  CHECK(program.run({"stats", "odd.sto"}).err.empty());
  program.directory().write("x.a3m", "#9\t1\n>101\nMKVLAW\n>b\nMK-LaAW\n");
  check_refused(program.run({"stats", "x.a3m"}), 65, "states 9 match columns, there are 6");
  program.directory().write("x.nex",
                            "#NEXUS\nbegin taxa;\ndimensions ntax=5;\ntaxlabels a b;\nend;\n"
                            "begin characters;\ndimensions nchar=4;\nformat datatype=protein;\n"
                            "matrix\na MKVL\nb MKVL\n;\nend;\n");
  check_refused(program.run({"stats", "x.nex"}), 65, "ntax says 5 taxa, 'taxlabels' has 2");
  program.directory().write("x.embl",
                            "ID   A; SV 1; linear; mRNA; STD; PLN; 4 BP.\n"
                            "SQ   Sequence 6 BP; 1 A;\n     acgt  4\n//\n");
  CHECK(has(program.run({"check", "x.embl"}).err, "has 4 letters, but says 6"));
}

TEST_CASE("coordinates in names: those of the residues that are left, in every command") {
  const Program program;
  program.directory().write("msa.fa", ">one/11-20\nMKVLAWGHRD\n>two\nMKVLAWGHRD\n");
  program.directory().write("new.fa",
                            ">new/101-116 text\nPPPMKVLAWGHRDPPP\n>odd/1-3\nPPPMKVLAWGHRD\n"
                            ">back/50-38\nPPPMKVLAWGHRD\n>all/3-12\nMKVLAWGHRD\n");
  const Outcome added = program.run({"add", "msa.fa", "new.fa", "--keep-columns"});
  CHECK(added.out ==
        ">one/11-20\nMKVLAWGHRD\n>two\nMKVLAWGHRD\n>new/104-113 text\nMKVLAWGHRD\n"
        ">odd/1-3\nMKVLAWGHRD\n>back/47-38\nMKVLAWGHRD\n>all/3-12\nMKVLAWGHRD\n");
  CHECK(has(added.err,
            "1 name is kept though the numbers do not count the residues of the row, such as "
            "\"odd/1-3\""));
  // These formats have all residues.
  CHECK(has(program.run({"add", "msa.fa", "new.fa", "--keep-columns", "-f", "a3m"}).out,
            ">new/101-116 text\npppMKVLAWGHRDppp\n"));
  CHECK(has(program.run({"add", "msa.fa", "new.fa"}).out, ">new/101-116 text\n"));
  // What trim takes out begins and ends elsewhere than what it leaves.
  program.run({"trim", "msa.fa", "--columns", "1-7", "--complement", "rest.fa"});
  CHECK(has(file_bytes(program.directory().path("rest.fa")), ">one/18-20\nHRD\n"));
  // The stop of a gene, and bases of it that no residue has.
  program.directory().write("genes.fa", ">a/1-12\nATGAAAGTTTAA\n>b/4-12\nATGAAAGTT\n");
  const Outcome codons =
      program.run({"codon", "genes.fa", "--stops", "drop", "--protein-out", "p.fa"});
  CHECK(codons.out == ">a/1-9\nATGAAAGTT\n>b/4-12\nATGAAAGTT\n");
  CHECK(file_bytes(program.directory().path("p.fa")) == ">a/1-9\nMKV\n>b/4-12\nMKV\n");
  program.directory().write("p2.fa", ">g/1-18\nMKVL\n>h/2-5\nMKV*\n");
  program.directory().write("g2.fa", ">g/1-18\nGGGATGAAAGTTCTATAA\n>h/2-5\nATGAAAGTTTAA\n");
  CHECK(program.run({"codon", "g2.fa", "--protein", "p2.fa", "--stops", "drop"}).out ==
        ">g/4-15\nATGAAAGTTCTA\n>h/2-4\nATGAAAGTT---\n");
}

TEST_CASE("rows that lose all their residues are named") {
  const Program program;
  program.directory().write("genes.fa", ">a\nTAA\n>b\nATGAAATAA\n>c\nATGAAGTAA\n");
  const std::string warning = "1 row has no residue left, such as \"a\"";
  CHECK(has(program.run({"codon", "genes.fa", "--stops", "drop"}).err, warning));
  CHECK(!has(program.run({"codon", "genes.fa"}).err, "no residue left"));
  program.directory().write("p.fa", ">a\n--*\n>b\nMK*\n>c\nMK*\n");
  CHECK(
      has(program.run({"codon", "genes.fa", "--protein", "p.fa", "--stops", "drop"}).err, warning));
}
