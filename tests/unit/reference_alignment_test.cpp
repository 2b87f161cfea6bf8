// SPDX-License-Identifier: Apache-2.0
#include "io/families/reference_alignment.hpp"

#include <doctest/doctest.h>

#include "support/scratch.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

using Strings = std::vector<std::string>;
using Marks = std::vector<bool>;

AlignedRows reference(std::string_view text) {
  const ScratchDirectory scratch;
  return read_reference_alignment(scratch.write("ref", text));
}

AlignedRows plain(std::string_view text) {
  const ScratchDirectory scratch;
  return read_alignment(scratch.write("aln", text));
}

/// The message that a reference gives, from the file name on.
std::string message(std::string_view text) {
  const Error error = error_of([&] { reference(text); });
  CHECK(error.kind() == ErrorKind::bad_input);
  const std::string what = error.what();
  return what.substr(what.rfind("ref:"));
}

std::string xml(const std::string& inside) {
  return "<?xml version=\"1.0\"?>\n<!DOCTYPE macsim SYSTEM \"http://x/y.dtd\">\n"
         "<macsim>\n<alignment>\n<aln-name>t</aln-name>\n" +
         inside + "</alignment>\n</macsim>\n";
}

std::string xml_row(const std::string& name, const std::string& row) {
  return "<sequence seq-type=\"Protein\"><seq-name>" + name + "</seq-name>\n<seq-info><length>9" +
         "</length></seq-info><seq-data>\n" + row + "\n</seq-data></sequence>\n";
}

std::string core_scores(const std::string& values) {
  return "<column-score><colsco-name>other</colsco-name><colsco-data>1 1</colsco-data>"
         "</column-score><column-score><colsco-name>coreblock</colsco-name>"
         "<colsco-data>\n" +
         values + " </colsco-data></column-score>\n";
}

const char* const kMsf =
    "PileUp\n\n   MSF:   12  Type: P    Check:  7038   .. \n\n"
    " Name: 1a oo  Len:   12  Check:  4681  Weight:  10.0\n"
    " Name: 2 oo  Len:   12  Check:  8221  Weight:  10.0\n\n//\n\n"
    "           1       10\n1a      ..AcDE FGHI \n2       ~~ACDE FG-I\n\n"
    "           11      12\n1a      K.\n2       KL\n";

}  // namespace

TEST_CASE("aligned FASTA: upper case marks the core") {
  const AlignedRows rows = reference(">a x\n.aC-\nDe-\n>b\ngaC.De-\n");
  CHECK(rows.names == Strings{"a", "b"});
  CHECK(rows.rows == Strings{"-aC-De-", "gaC-De-"});
  CHECK(rows.core_columns == Marks{false, false, true, false, true, false, false});
  CHECK(rows.source.ends_with("ref"));
}

TEST_CASE("a FASTA reference of one case scores all columns") {
  CHECK(reference(">a\nAC-D\n>b\n-CAD\n").core_columns.empty());
  CHECK(reference(">a\nac-d\n>b\n-cad\n").core_columns.empty());
}

TEST_CASE("case means nothing in a plain alignment") {
  const AlignedRows rows = plain(">a\naC.*\n>b\nAc-W\n");
  CHECK(rows.rows == Strings{"aC-*", "Ac-W"});
  CHECK(rows.core_columns.empty());
}

TEST_CASE("CLUSTAL, with counts, conservation lines and other writers' headers") {
  for (const char* first : {"CLUSTAL O(1.2.4) multiple sequence alignment", "MUSCLE (3.8)",
                            "PROBCONS version 1.12 multiple sequence alignment",
                            "Kalign (2.0) alignment", "MSAPROBS version 0.9.7"}) {
    const AlignedRows rows = plain(std::string(first) +
                                   "\r\n\r\n\r\na|1     AC-\t2\r\nlong_b  ACD 3\r\n"
                                   "        ** \r\n\r\na|1     K 3\r\nlong_b  - 3\r\n\r\n");
    CHECK(rows.names == Strings{"a|1", "long_b"});
    CHECK(rows.rows == Strings{"AC-K", "ACD-"});
  }
  CHECK(message("CLUSTAL W\n\na AC\nb AC\na AC\n") == "ref:5: two rows are named \"a\"");
  CHECK(message("CLUSTAL W\n\na AC\nb A1\n") == "ref:4: \"1\" cannot stand in an alignment");
  CHECK(message("CLUSTAL W\n\na AC DE FG\n").starts_with("ref:3: not CLUSTAL"));
  CHECK(message("CLUSTAL W\n\n") == "ref: there are no rows");
}

TEST_CASE("MSF: all columns, all its gap characters, rulers skipped") {
  const AlignedRows rows = reference(kMsf);
  CHECK(rows.names == Strings{"1a", "2"});
  CHECK(rows.rows == Strings{"--AcDEFGHIK-", "--ACDEFG-IKL"});
  CHECK(rows.core_columns.empty());
  CHECK(message("MSF: 2 ..\nName: a\nName: a\n//\n") == "ref:3: two rows are named \"a\"");
  CHECK(message("MSF: 2 ..\nName: a\n//\nb AC\n") == "ref:4: row \"b\" has no 'Name:' line");
  CHECK(message("MSF: 2 ..\nName: a\n//\na A!\n") == "ref:4: \"!\" cannot stand in an alignment");
  CHECK(message("MSF: 2 ..\n//\n") == "ref: there are no rows");
}

TEST_CASE("BAliBASE XML: core blocks from the column scores") {
  const std::string rows_text = xml_row("a", "ac-\nde") + xml_row("b", "-c.de");
  const AlignedRows rows = reference(xml(rows_text + core_scores("-1 0 1\n1 0")));
  CHECK(rows.names == Strings{"a", "b"});
  CHECK(rows.rows == Strings{"ac-de", "-c-de"});
  CHECK(rows.core_columns == Marks{false, false, true, true, false});
  CHECK(reference(xml(rows_text)).core_columns.empty());
  CHECK(plain(xml(rows_text + core_scores("1 1 1 1 0"))).core_columns.empty());

  CHECK(message(xml(rows_text + core_scores("1 1"))) ==
        "ref: there are 2 coreblock scores for 5 columns");
  CHECK(message(xml(rows_text + xml_row("a", "acdef"))) == "ref:16: two rows are named \"a\"");
  CHECK(message(xml(xml_row("a", "a2"))) == "ref:7: \"2\" cannot stand in an alignment");
  CHECK(message(xml("")) == "ref: there are no rows");
  CHECK(message("<html></html>").starts_with("ref: not a BAliBASE alignment"));
  CHECK(message("<macsim>\n<alignment>\n</macsim>").starts_with("ref:3: not valid XML: "));
}

TEST_CASE("what is not an alignment is refused") {
  CHECK(message("") == "ref: the file is empty");
  CHECK(message(" \n\t\r\n") == "ref: the file is empty");
  CHECK(message("\nhello there\n") == "ref:2: not an alignment in a known format: \"hello there\"");
  CHECK(message(">a\nAC\n>b\nACD\n") ==
        "ref: not aligned: row \"b\" has 3 columns, row \"a\" has 2");
  CHECK(message(">a\nAC\n>a x\nAD\n") == "ref: two rows are named \"a\"");
  CHECK(message(">a\nACd\n>b\nAcd\n") ==
        "ref: column 2 of the reference has letters of both cases");
  CHECK(message(">a\nA7\n").starts_with("ref:2: '7'"));
  CHECK(error_of([] { read_alignment("/nonexistent/x"); }).kind() == ErrorKind::no_input);
}
