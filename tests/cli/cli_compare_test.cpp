// SPDX-License-Identifier: Apache-2.0
// `accord compare` as a user calls it.
#include <doctest/doctest.h>

#include "cli/program.hpp"
#include "support/paths.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

std::string data(const std::string& name) { return source_dir() + "/datasets/" + name; }

}  // namespace

// `t_coffee -other_pg aln_compare -compare_mode sp` of T-Coffee 13.41 says 88.5 % of 4866 for these
// two files; it counts every pair twice.
TEST_CASE("compare: the share of the true pairs is that of T-Coffee and of score") {
  const Program program;
  const std::string truth = data("example.true.fa"), made = data("example.aln");
  const Outcome compared = program.run({"compare", truth, made});
  REQUIRE(compared.exit_code == 0);
  const std::string numbers = "\t2153\t2433\t0.884916\t71\t94\n";
  CHECK(compared.out == "alignment\tpairs_shared\tpairs\tagreement\tcolumns_shared\tcolumns\n" +
                            made + numbers + "all" + numbers);
  CHECK(program.run({"compare", made, "--reference", truth}).out == compared.out);
  CHECK(program.run({"score", made, truth}).out.find("0.884916\t0.755319\t2153\t2433\t71\t94\n") !=
        std::string::npos);
}

TEST_CASE("compare: a table, a page and an annotation file") {
  const Program program;
  program.directory().write("a.fa", ">x\nAB-\n>y\nA-B\n>z\nAB-\n");
  program.directory().write("b.fa", ">z\nab\n>x\nAB\n>y\nAB\n>more\n-A\n");
  program.directory().write("c.clw", "CLUSTAL\n\nx AB-\ny AB-\nz A-B\n");
  const Outcome compared =
      program.run({"compare", "a.fa", "b.fa", "c.clw", "--table", "t.tsv", "--html", "t.html",
                   "--jalview", "t.annotations", "-o", "s.tsv"});
  CAPTURE(compared.err);
  REQUIRE(compared.exit_code == 0);
  CHECK(compared.out == "");
  const auto bytes = [&](const std::string& name) {
    return file_bytes(program.directory().path(name));
  };
  CHECK(
      bytes("s.tsv").ends_with("b.fa\t4\t4\t1.000000\t2\t2\nc.clw\t3\t4\t0.750000\t1\t2\n"
                               "all\t3\t4\t0.750000\t1\t2\n"));
  CHECK(bytes("t.tsv") ==
        "level\tcolumn\tsequence\tresidue\tletter\tpairs\tagreement\tin_all\tb.fa\tc.clw\n"
        "column\t1\t-\t-\t-\t3\t1.0000\t3\t1.0000\t1.0000\n"
        "residue\t1\tx\t1\tA\t2\t1.0000\t2\t1.0000\t1.0000\n"
        "residue\t1\ty\t1\tA\t2\t1.0000\t2\t1.0000\t1.0000\n"
        "residue\t1\tz\t1\tA\t2\t1.0000\t2\t1.0000\t1.0000\n"
        "column\t2\t-\t-\t-\t1\t0.5000\t0\t1.0000\t0.0000\n"
        "residue\t2\tx\t2\tB\t1\t0.5000\t0\t1.0000\t0.0000\n"
        "residue\t2\tz\t2\tB\t1\t0.5000\t0\t1.0000\t0.0000\n"
        "column\t3\t-\t-\t-\t0\tNA\t0\tNA\tNA\n"
        "residue\t3\ty\t2\tB\t0\t0.2500\t0\t0.0000\t0.5000\n");
  CHECK(bytes("t.annotations").starts_with("JALVIEW_ANNOTATION\nBAR_GRAPH\tagreement\t"));
  CHECK(bytes("t.annotations").find("\t1.0000|0.5000||\n") != std::string::npos);
  CHECK(bytes("t.annotations").find("SEQUENCE_REF\ty\t1\n") != std::string::npos);
  const std::string page = bytes("t.html");
  CHECK(page.find("\"codes\":[\"*5\",\"*3\",\"*5\"]") != std::string::npos);
  CHECK(page.find("\"tracks\":[{\"name\":\"b.fa\",\"values\":[1.0,1.0,"
                  "null]},{\"name\":\"c.clw\",\"values\":[1.0,0.0,null]}]") != std::string::npos);
  CHECK(page.find("\"measure\":\"agreement\"") != std::string::npos);
  // The other alignments, in the order of the first one's rows.
  const std::string others = page.substr(page.find("\"others\":["));
  CHECK(others.find("\"name\":\"b.fa\"") != std::string::npos);
  CHECK(others.find("\"name\":\"c.clw\"") != std::string::npos);
}

TEST_CASE("compare: what cannot be compared gets one line") {
  const Program program;
  program.directory().write("a.fa", ">x\nAV-\n>y\nA-V\n");
  program.directory().write("b.fa", ">x\nAV-\n>z\nA-V\n");
  program.directory().write("c.fa", ">x\nAV-\n>y\nA-C\n");
  program.directory().write("d.fa", ">x\nAV-\n>y\nAV-\n");
  check_refused(program.run({"compare", "a.fa"}), 2, "only one alignment");
  check_refused(program.run({"compare", "a.fa", "b.fa"}), 65, "there is no row \"y\"");
  check_refused(program.run({"compare", "a.fa", "c.fa"}), 65, "the residues of row \"y\" differ");
  check_refused(program.run({"compare", "a.fa", "d.fa", "--table", "a.fa"}), 2,
                "would replace the input");
  check_refused(program.run({"compare", "a.fa", "d.fa", "--table", "t", "--html", "t"}), 2,
                "two outputs to t");
  check_refused(program.run({"compare", "a.fa", "missing.fa"}), 66, "missing.fa");
}
