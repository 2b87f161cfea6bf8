// SPDX-License-Identifier: Apache-2.0
#include "io/families/aligned_reader.hpp"

#include <doctest/doctest.h>

#include "io/formats/formats.hpp"
#include "support/scratch.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

const std::string kMarked =
    "# STOCKHOLM 1.0\n#=GF ID fam\n#=GF DE two words\n\n#=GS a DE first one\n#=GS a AC P1\n"
    "a          AC-.DE\n#=GR a SS  HH..HE\n#=GR a PP  99..00\nb          A--.KE\n"
    "#=GC SS_cons HHEEHH\n#=GC RF xx..xx\n//\n";

}  // namespace

TEST_CASE("aligned reader: every column stays, and the markup of Stockholm in its places") {
  const ScratchDirectory scratch;
  const std::string file = scratch.write("a.sto", kMarked);
  const AlignedFamily aligned = read_aligned(file, {});
  CHECK(aligned.format == AlignmentFormat::stockholm);
  CHECK(aligned.columns() == 6);
  CHECK(aligned.rows == std::vector<std::string>{"AC--DE", "A---KE"});
  CHECK(used_columns(aligned) == std::vector<bool>{true, true, false, false, true, true});
  CHECK(aligned.notes.markup.counted() == "2 #=GF, 1 #=GS, 2 #=GR, 2 #=GC");
  const std::string written = format_alignment(text_of(aligned), AlignmentFormat::stockholm);
  for (const char* line :
       {"\n#=GF ID fam\n#=GF DE two words\n", "\n#=GS a DE first one\n#=GS a AC P1\n",
        "\n#=GR a SS    HH..HE\n#=GR a PP    99..00\nb            A---KE\n",
        "\n#=GC SS_cons HHEEHH\n#=GC RF      xx..xx\n//\n"}) {
    CAPTURE(line);
    CHECK(written.find(line) != std::string::npos);
  }
  // Read and written again nothing changes, in one block or in several.
  const std::string again = scratch.write("b.sto", written);
  CHECK(format_alignment(text_of(read_aligned(again, {})), AlignmentFormat::stockholm) == written);
  const std::string blocks =
      format_alignment(text_of(aligned), AlignmentFormat::stockholm, std::size_t{2});
  const std::string in_blocks = scratch.write("c.sto", blocks);
  CHECK(format_alignment(text_of(read_aligned(in_blocks, {})), AlignmentFormat::stockholm) ==
        written);
}

TEST_CASE("aligned reader: the confidence takes the place of PP, columns are left out everywhere") {
  const ScratchDirectory scratch;
  const AlignedFamily aligned = read_aligned(scratch.write("a.sto", kMarked), {});
  AlignmentText text = text_of(aligned);
  const std::vector<bool> used = used_columns(aligned);
  text = make_alignment_text(aligned.set, msa_of(aligned, used));
  text.markup = aligned.notes.markup;
  text.markup.keep_columns(used);
  text.residue_codes = {"*987", "123"};
  text.column_codes = "****";
  const std::string written = format_alignment(text, AlignmentFormat::stockholm);
  CHECK(written.find("#=GR a SS    HHHE\n#=GR a PP    *987\n") != std::string::npos);
  CHECK(written.find("9900") == std::string::npos);
  CHECK(written.find("#=GC RF      xxxx\n#=GC PP_cons ****\n") != std::string::npos);
}

TEST_CASE("aligned reader: what is refused, and what a format has no place for") {
  const ScratchDirectory scratch;
  CHECK(std::string(
            error_of([&] { read_aligned(scratch.write("a.fa", ">a\nAC\n>b\nA\n"), {}); }).what())
            .find("not aligned: row \"b\" has 1 column, row \"a\" has 2") != std::string::npos);
  CHECK(error_of([] { parse_stockholm_markup("a AC\n#=GR a SS H\n//\n", "in"); }).kind() ==
        ErrorKind::bad_input);
  CHECK(error_of([] { parse_stockholm_markup("a AC\n#=GC SS HHH\n//\n", "in"); }).kind() ==
        ErrorKind::bad_input);
  const WarningCatcher caught;
  const StockholmMarkup markup = parse_stockholm_markup(kMarked, "in");
  warn_of_lost_notes({{}, markup}, {AlignmentFormat::stockholm});
  CHECK(caught.warnings().empty());
  warn_of_lost_notes({{}, markup}, {AlignmentFormat::fasta, AlignmentFormat::json});
  REQUIRE(caught.warnings().size() == 1);
  CHECK(caught.warnings()[0] ==
        "the markup of the input has no place in fasta, json: 2 #=GF, 1 #=GS, 2 #=GR, 2 #=GC");
}

TEST_CASE("aligned reader: unique names are said, in the family and in its tree") {
  const WarningCatcher caught;
  const SequenceSet set = make_family({{"a", "MKV"}, {"a", "MKL"}, {"", "MKI"}}, {}, "in");
  REQUIRE(caught.warnings().size() == 1);
  CHECK(caught.warnings()[0].find("2 names are changed where they must differ") !=
        std::string::npos);
  CHECK(caught.warnings()[0].find("\"a\" (sequence 2) is a_2, \"\" (sequence 3) is seq3") !=
        std::string::npos);
}
