// SPDX-License-Identifier: Apache-2.0
// accord trim: what is kept, what is said of the rest, and what the names become.
#include <doctest/doctest.h>

#include <algorithm>

#include "cli/program.hpp"
#include "support/paths.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

std::string simulated(const std::string& name) {
  return source_dir() + "/datasets/simulated/" + name + ".true.fa";
}

/// Columns `first` to `last` of rows, from 1.
FastaRows part_of(FastaRows rows, std::size_t first, std::size_t last) {
  for (auto& [header, row] : rows) row = row.substr(first - 1, last - first + 1);
  return rows;
}

}  // namespace

TEST_CASE("trim: a threshold of gaps and the ends alone leave what trimAl leaves") {
  // pytrimal 0.8.5 (trimAl): ManualTrimmer(gap_threshold=0.5), then terminal_only().
  const Program program;
  const std::string family = simulated("extensions_10");
  const FastaRows whole = parse_rows(file_bytes(family));
  const FastaRows all = parse_rows(program.run({"trim", family, "--max-gaps", "0.5"}).out);
  CHECK(all[0].second.size() == 121);
  const Outcome ends = program.run({"trim", family, "--max-gaps", "0.5", "--ends", "--left-out",
                                    "cut.tsv", "--complement", "rest.fa", "-o", "kept.fa"});
  REQUIRE(ends.exit_code == 0);
  CHECK(parse_rows(file_bytes(program.directory().path("kept.fa"))) == part_of(whole, 121, 267));
  CHECK(file_bytes(program.directory().path("cut.tsv")) ==
        "what\tname\tcount\twhy\ncolumns\t1-120\t120\tgaps\ncolumns\t268-482\t215\tgaps\n");
  const FastaRows rest = parse_rows(file_bytes(program.directory().path("rest.fa")));
  for (std::size_t r = 0; r < whole.size(); ++r) {
    CHECK(rest[r].second == whole[r].second.substr(0, 120) + whole[r].second.substr(267));
  }
  CHECK(parse_rows(program.run({"trim", family, "--columns", "121-267"}).out) ==
        part_of(whole, 121, 267));
}

TEST_CASE("trim: rows of too many gaps go before columns are judged") {
  const Program program;
  // Of the rows of 144 columns the first two have 1 and 12 residues.
  const Outcome kept = program.run({"trim", simulated("fragments_8"), "--max-row-gaps", "0.5",
                                    "--max-gaps", "0", "--left-out", "cut.tsv"});
  const FastaRows rows = parse_rows(kept.out);
  REQUIRE(rows.size() == 6);
  CHECK(rows[0].first == "seq3");
  for (const auto& [header, row] : rows) CHECK(!has(row, "-"));
  CHECK(rows[0].second.size() > 50);
  CHECK(file_bytes(program.directory().path("cut.tsv"))
            .starts_with("what\tname\tcount\twhy\nrow\tseq1\t1\tgaps 0.9931\n"
                         "row\tseq2\t12\tgaps 0.9167\ncolumns\t"));
  // Rows are judged in the columns that are asked for, and take their markup along.
  program.directory().write(
      "x.sto",
      "# STOCKHOLM 1.0\n#=GS a AC P1\n#=GS b AC P2\na MKVL--\n#=GR a SS HHHH..\n"
      "b ----AW\n#=GR b SS ....EE\n#=GC SS_cons HHHHEE\n//\n");
  const Outcome right =
      program.run({"trim", "x.sto", "--columns", "5-", "--max-row-gaps", "0.5", "-f", "stockholm"});
  CHECK(has(right.out, "\n\n#=GS b AC P2\nb            AW\n#=GR b SS    EE\n"));
  CHECK(has(right.out, "\n#=GC SS_cons EE\n"));
  CHECK(!has(right.out, "P1"));
  CHECK(program.run({"trim", "x.sto", "--max-row-gaps", "0.1"}).exit_code == 65);
  CHECK(has(program.run({"trim", "x.sto", "--columns", "5-"}).err,
            "1 row has no residue left, such as \"a\""));
}

TEST_CASE("trim: by a row's residues, by ranges of columns, and what is refused") {
  const Program program;
  program.directory().write("a.fa", ">q\nMK--LAW\n>first x\nMKVVL-W\n>c\n-KVVLAW\n");
  CHECK(program.run({"trim", "a.fa", "--by-row", "q"}).out ==
        ">q\nMKLAW\n>first x\nMKL-W\n>c\n-KLAW\n");
  CHECK(program.run({"trim", "a.fa", "--by-row", "first"}).out ==
        ">q\nMK--LW\n>first x\nMKVVLW\n>c\n-KVVLW\n");
  CHECK(program.run({"trim", "a.fa", "--columns", "6-,1", "--by-row", "q"}).out ==
        ">q\nMAW\n>first x\nM-W\n>c\n-AW\n");
  CHECK(program.run({"trim", "a.fa", "--columns=-2"}).out == ">q\nMK\n>first x\nMK\n>c\n-K\n");
  for (const char* range : {"0-3", "5-4", "x", "-", "3-8", "9-", ",", "1,,2", "1-2-3"}) {
    CAPTURE(range);
    CHECK(program.run({"trim", "a.fa", std::string("--columns=") + range}).exit_code == 2);
  }
  const Outcome none = program.run({"trim", "a.fa", "--by-row", "d"});
  CHECK(none.exit_code == 2);
  CHECK(has(none.err, "a.fa has no row of the name \"d\""));
  CHECK(has(none.err, "--by-row takes the first word of a row"));
  CHECK(program.run({"trim", "a.fa", "--complement", "a.html"}).exit_code == 2);
  CHECK(program.run({"trim", "a.fa", "--complement", "a.fa"}).exit_code == 2);
}

TEST_CASE("trim: a page of the whole alignment shows what goes") {
  const Program program;
  program.directory().write("a.fa", ">q\nMK--LAW\n>b\nMKVVL-W\n>c\n-K--LAW\n");
  const Outcome kept =
      program.run({"trim", "a.fa", "--max-gaps", "0.4", "--html", "cut.html", "-o", "kept.fa"});
  REQUIRE(kept.exit_code == 0);
  const std::string page = file_bytes(program.directory().path("cut.html"));
  CHECK(has(page, "\"rows\":[\"MK--LAW\",\"MKVVL-W\",\"-K--LAW\"]"));
  CHECK(has(page, "\"codes\":[\"*****\",\"**00**\",\"****\"]"));
  CHECK(has(page, "\"confidence\":[1.0,1.0,0.0,0.0,1.0,1.0,1.0],\"tracks\""));
  CHECK(has(page,
            "{\"name\":\"gaps\",\"values\":[0.333333,0.0,0.666667,0.666667,0.0,0.333333,0.0]}"));
  CHECK(has(page, "columns\\t3-4\\t2\\tgaps"));
  CHECK(has(page, "\"part\":false,\"confidenceOfTrim\":true"));

  // Where rows go, or the scores are others, the page cannot say what the command would do.
  CHECK(
      program.run({"trim", "a.fa", "--max-row-gaps", "0.2", "--html", "rows.html", "-o", "kept.fa"})
          .exit_code == 0);
  CHECK(has(file_bytes(program.directory().path("rows.html")), "\"part\":true"));
  program.directory().write("m.mat", "   A  C\nA  4 -9\nC -9  5\n");
  program.directory().write("ac.fa", ">a\nACCA\n>b\nACCA\n");
  const std::vector<std::string> with_matrix = {
      "--matrix", "m.mat", "-t", "protein", "-d", "none", "-q", "--html", "m.html", "-o", "m.fa"};
  for (const char* command : {"align", "trim"}) {
    CAPTURE(command);
    std::vector<std::string> words = {command, "ac.fa"};
    words.insert(words.end(), with_matrix.begin(), with_matrix.end());
    REQUIRE(program.run(words).exit_code == 0);
    CHECK(has(file_bytes(program.directory().path("m.html")), "\"confidenceOfTrim\":false"));
  }
}

TEST_CASE("trim: whole codons alone") {
  const Program program;
  program.directory().write("a.fa",
                            ">a\nATG---AAGTT-TAA\n>b\nATGCC-AAG---TAA\n>c\nATG---AAG---TAA\n");
  CHECK(program.run({"trim", "a.fa", "--codons", "--max-gaps", "0.5", "--map", "m.tsv"}).out ==
        ">a\nATGAAGTAA\n>b\nATGAAGTAA\n>c\nATGAAGTAA\n");
  // Column 6 has no residue, but its codon has.
  CHECK(program.run({"trim", "a.fa", "--codons", "--max-gaps", "1"}).out ==
        file_bytes(program.directory().path("a.fa")));
  CHECK(program.run({"trim", "a.fa", "--codons", "--columns", "2-9"}).out ==
        ">a\n---AAG\n>b\nCC-AAG\n>c\n---AAG\n");
  const std::string map = file_bytes(program.directory().path("m.tsv"));
  CHECK(has(map, "\n3\t3\t0.0000\tNA\tNA\tkept\n4\t-\t0.6667\tNA\tNA\tgaps\n"));
  program.directory().write("b.fa", ">a\nATGA\n>b\nATGC\n");
  CHECK(has(program.run({"trim", "b.fa", "--codons"}).err, "4 columns are not whole codons"));
  CHECK(program.run({"trim", simulated("easy_8"), "--codons"}).exit_code == 65);  // proteins
}

TEST_CASE("trim: numbers in names are those of the residues that are left") {
  const Program program;
  program.directory().write("a.fa",
                            ">A/11-18 one\nMKVL-AWGH\n>A/12-18\n-KVL-AWGH\n>B/90-86\nM-VL--WG-\n"
                            ">C/1-3\nMKVLAAWGH\n>D/5\nMKVL-----\n>E/4-7\nMKVL-----\n");
  const Outcome cut = program.run({"trim", "a.fa", "--columns", "3-7"});
  // As Jalview numbers rows when columns left and right of a selection are removed.
  CHECK(cut.out ==
        ">A/13-16 one\nVL-AW\n>A/13-16\nVL-AW\n>B/89-87\nVL--W\n>C/1-3\nVLAAW\n>D/5\nVL---\n"
        ">E/6-7\nVL---\n");
  CHECK(has(cut.err,
            "1 name is kept though the numbers do not count the residues of the row, such as "
            "\"C/1-3\""));
  CHECK(program.run({"trim", "a.fa", "--columns", "3-7", "--keep-names", "-q"})
            .out.starts_with(">A/11-18 one\nVL-AW\n>A/12-18\nVL-AW\n>B/90-86\n"));
  // A row of which nothing is left keeps its name.
  CHECK(has(program.run({"trim", "a.fa", "--columns", "7-9"}).out, ">E/4-7\n---\n"));
  program.directory().write("a.sto",
                            "# STOCKHOLM 1.0\nA/1-4 MKVL\n#=GR A/1-4 SS HHEE\nB MKVI\n//\n");
  CHECK(has(program.run({"trim", "a.sto", "--columns", "2-3", "-f", "stockholm"}).out,
            "\n#=GR A/2-3 SS HE\n"));
}

TEST_CASE("trim: columns that other alignments of the sequences have as well") {
  const Program program;
  program.directory().write("a.fa", ">a\nMKVL\n>b\nMK-L\n>c\nMKVL\n");
  program.directory().write("b.fa", ">c\nMKVL-\n>a\nMKVL-\n>b\nM-K-L\n");  // other rows first
  program.directory().write("c.fa", ">a\nMKVL\n>b\nMK-L\n>c\nMKVL\n");
  const Outcome kept = program.run({"trim", "a.fa", "--among", "b.fa", "--among", "c.fa",
                                    "--min-consistency", "0.7", "--map", "m.tsv"});
  CHECK(kept.out == ">a\nMV\n>b\nM-\n>c\nMV\n");
  // Of the three pairs in columns 2 and 4 b.fa has one, c.fa all: (1/3 + 1) / 2.
  CHECK(file_bytes(program.directory().path("m.tsv")) ==
        "column\tkept_as\tgaps\tconfidence\tconsistency\twhy\n1\t1\t0.0000\tNA\t1.0000\tkept\n"
        "2\t-\t0.0000\tNA\t0.6667\tconsistency\n3\t2\t0.3333\tNA\t1.0000\tkept\n"
        "4\t-\t0.0000\tNA\t0.6667\tconsistency\n");
  CHECK(program.run({"trim", "a.fa", "--min-consistency", "0.7"}).exit_code == 2);
  program.directory().write("d.fa", ">a\nMKVL\n>b\nMK-L\n");
  CHECK(program.run({"trim", "a.fa", "--among", "d.fa", "--min-consistency", "0"}).exit_code == 65);
}
