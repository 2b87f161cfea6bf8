// SPDX-License-Identifier: Apache-2.0
// Formats of sequences that are read as they come: FASTQ, GenBank, EMBL. The values are those that
// Biopython 1.88 reads of the same files, which come from its tests.
#include <doctest/doctest.h>

#include <algorithm>

#include "accord/base/error.hpp"
#include "io/families/coding_features.hpp"
#include "io/families/sequence_reader.hpp"
#include "io/files/text_input.hpp"
#include "io/formats/formats.hpp"
#include "support/paths.hpp"
#include "support/scratch.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

std::string text_of(const std::string& name) { return read_text(source_dir() + "/" + name); }

std::vector<std::string> headers_of(const std::vector<SequenceRecord>& records) {
  std::vector<std::string> headers;
  for (const SequenceRecord& record : records) headers.push_back(record.header);
  return headers;
}

std::string complaint(const std::string& text) {
  const Error error = error_of([&] { records_of(text, "in"); });
  CHECK(error.kind() == ErrorKind::bad_input);
  CHECK_FALSE(error.hint().empty());
  return error.what();
}

}  // namespace

TEST_CASE("FASTQ: qualities that look like headers, letters in several lines, no letters") {
  const std::string text = text_of("tests/fuzz/corpus/fastq/tricky.fastq");
  CHECK(detect_format(text) == AlignmentFormat::fastq);
  const std::vector<SequenceRecord> records = records_of(text, "in");
  CHECK(headers_of(records) ==
        std::vector<std::string>{"071113_EAS56_0053:1:1:998:236", "071113_EAS56_0053:1:1:182:712",
                                 "071113_EAS56_0053:1:1:153:10", "071113_EAS56_0053:1:3:990:501"});
  CHECK(records[0].letters == "TTTCTTGCCCCCATAGACTGAGACCTTCCCTAAATA");
  CHECK(records[1].letters == "ACCCAGCTAATTTTTGTATTTTTGTTAGAGACAGTG");
  CHECK(records[3].letters == "TGGGAGGTTTTATGTGGAAAGCAGCAATGTACAAGA");
  const std::vector<SequenceRecord> odd = records_of("@a b\n\n+\n\n\n@c\nAC\r\n+c\r\nII\r\n", "in");
  CHECK(headers_of(odd) == std::vector<std::string>{"a b", "c"});
  CHECK(odd[1].letters == "AC");
  CHECK(complaint("@a\nACGT\n+\nIII\n") == "in:4: sequence \"a\" has 4 letters, but 3 qualities");
  CHECK(complaint("@a\nACGT\n+\nIIIII\n").ends_with("has 4 letters, but 5 qualities"));
  CHECK(complaint("@a\nAC\n+b\nII\n") ==
        "in:3: the qualities are of \"b\", but the letters of \"a\"");
  CHECK(complaint("@a\nAC\n+\nI\x07\n") == "in:4: byte 0x07 is not a quality");
  CHECK(complaint("@a\nACGT\n") == "in:2: sequence \"a\" has no line of '+'");
  CHECK(complaint("@a\nAC\n+\nII\nGT\n").starts_with("in:5: not FASTQ: expected '@'"));
  CHECK(complaint("@a\nA1\n+\nII\n").starts_with("in:2: '1' is not a sequence character"));
}

TEST_CASE("GenBank: names, titles, letters, and what is cut off") {
  const std::string text = text_of("datasets/cor66.gb");
  CHECK(detect_format(text) == AlignmentFormat::genbank);
  CHECK(declared_type(text, AlignmentFormat::genbank, "in") == ResidueType::dna);
  const std::vector<SequenceRecord> records = records_of(text, "in");
  CHECK(headers_of(records) ==
        std::vector<std::string>{"X55053.1 A.thaliana cor6.6 mRNA.",
                                 "X62281.1 A.thaliana kin2 gene.",
                                 "M81224.1 Rapeseed Kin1 protein (kin1) mRNA, complete cds.",
                                 "AJ237582.1 Armoracia rusticana csp14 gene (partial), exons 2-3.",
                                 "L31939.1 Brassica rapa (clone bif72) kin mRNA, complete cds.",
                                 "AF297471.1 Brassica napus BN28a (BN28a) gene, complete cds."});
  const std::vector<std::size_t> lengths = {513, 880, 441, 206, 282, 497};
  for (std::size_t k = 0; k < lengths.size(); ++k) CHECK(records[k].letters.size() == lengths[k]);
  CHECK(records[4].letters.starts_with("aacaaaactcaataaataaacaaatggcag"));
  CHECK(records[4].letters.ends_with("ttaatattaatcgttgtggtttt"));
  CHECK(complaint(text.substr(0, text.size() - 4)) ==
        "in: record \"AF297471.1\" has no '//' at its end");
  CHECK(complaint("LOCUS       A  10 bp  DNA\n//\n") == "in:2: record \"A\" has no sequence");
  CHECK(complaint("LOCUS       A  4 bp  DNA\nORIGIN\n 1 ac!t\n//\n").starts_with("in:3: '!'"));
  CHECK(
      complaint("LOCUS       A  4 bp\nORIGIN\n 1 acgt\n//\nA\n").starts_with("in:5: not GenBank"));
  const std::string protein = "LOCUS       P  3 aa  PRI\nVERSION     .\nORIGIN\n 1 mkv\n//\n";
  CHECK(declared_type(protein, AlignmentFormat::genbank, "in") == ResidueType::protein);
  CHECK(headers_of(records_of(protein, "in")) == std::vector<std::string>{"P"});
}

TEST_CASE("EMBL: the same") {
  const std::string text = text_of("tests/fuzz/corpus/embl/x56734.embl");
  CHECK(detect_format(text) == AlignmentFormat::embl);
  CHECK(declared_type(text, AlignmentFormat::embl, "in") == ResidueType::dna);
  const std::vector<SequenceRecord> records = records_of(text, "in");
  REQUIRE(records.size() == 1);
  CHECK(records[0].header == "X56734.1 Trifolium repens mRNA for non-cyanogenic beta-glucosidase");
  CHECK(records[0].letters.size() == 1859);
  ReadOptions coding;
  coding.takes_coding = true;
  const std::vector<SequenceRecord> genes = records_of(text, "in", coding);
  REQUIRE(genes.size() == 1);
  CHECK(genes[0].header == "X56734.1");
  CHECK(genes[0].letters.size() == 1482);
  CHECK(genes[0].letters.starts_with("atggattttatt"));
  CHECK(genes[0].letters.ends_with("tttgtagattag"));
  const std::string old = "ID   AB1 standard; DNA; PLN; 4 BP.\nAC   X1; X2;\nSQ   \n  acgt 4\n//\n";
  CHECK(headers_of(records_of(old, "in")) == std::vector<std::string>{"X1"});
}

TEST_CASE("coding sequences: locations, names, frames and codes") {
  const std::string letters = "aaccggttacgtn";
  const auto bases = [&](const char* location) {
    return bases_of_location(location, letters).value_or("none");
  };
  CHECK(bases("1..4") == "aacc");
  CHECK(bases("<3..>6") == "ccgg");
  CHECK(bases("5") == "g");
  CHECK(bases("join(1..2,12)") == "aat");
  CHECK(bases("complement(1..4)") == "ggtt");
  CHECK(bases("complement(join(1..4,9..10))") == "gtggtt");
  CHECK(bases("join(complement(9..10),complement(1..4))") == "gtggtt");
  CHECK(bases("order(1..2,5..6)") == "aagg");
  for (const char* const odd :
       {"", "0..3", "4..1", "1..14", "1^2", "J00194.1:1..3", "one-of(1,2)..5", "join(1..2",
        "1..2,3", "complement(1..2", "99999999999999999999"}) {
    CAPTURE(odd);
    CHECK(bases(odd) == "none");
  }
  std::string deep;
  for (int k = 0; k < 1000; ++k) deep += "complement(";
  CHECK(bases(deep.c_str()) == "none");

  const std::string text =
      "LOCUS       A  13 bp  DNA\nFEATURES             Location/Qualifiers\n"
      "     CDS             join(1..2,\n                     5..8)\n"
      "                     /protein_id=\"P1.1\"\n                     /codon_start=3\n"
      "                     /note=\"a \"\"CDS\n                     of two lines\"\n"
      "                     /transl_table=4\n"
      "     gene            1..9\n                     /gene=\"other\"\n"
      "     CDS             complement(9..11)\n                     /gene=\"g 2\"\n"
      "     CDS             J1.1:3..4\n"
      "     CDS             1..3\nORIGIN\n        1 aaccggttac gtn\n//\n";
  ReadOptions coding;
  coding.takes_coding = true;
  const std::vector<SequenceRecord> genes = records_of(text, "in", coding);
  CHECK(headers_of(genes) ==
        std::vector<std::string>{"P1.1 [frame=3] [transl_table=4]", "g [gene=g 2]", "A_cds4"});
  CHECK(genes[0].letters == "aaggtt");
  CHECK(genes[1].letters == "cgt");
  CHECK(header_number(genes[0].header, "frame") == 3);
  CHECK(header_number(genes[0].header, "transl_table") == 4);
  CHECK_FALSE(header_number("a [frame=x] [frame", "frame").has_value());
  const Error none =
      error_of([&] { records_of("LOCUS       A\nORIGIN\n 1 acg\n//\n", "in", coding); });
  CHECK(std::string(none.what()) == "in: there is no coding sequence (CDS)");
}

TEST_CASE("MEGA: refused by its name, with what to do") {
  const Error error =
      error_of([] { records_of("#MEGA\n!Title x;\n\n#a\nACGT\n#b\nACGA\n", "in"); });
  CHECK(std::string(error.what()) == "in:1: a file of MEGA, which is not read");
  CHECK(error.hint().find("FASTA") != std::string::npos);
}
