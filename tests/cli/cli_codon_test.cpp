// SPDX-License-Identifier: Apache-2.0
// accord codon: frames, frameshifts, stops, and genes threaded through given proteins.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

#include "cli/program.hpp"
#include "support/paths.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

// Coding sequences of six cold-regulated genes of GenBank, joined by Biopython 1.88 from the
// records of its Tests/GenBank/cor6_6.gb. That of AJ237582 begins with the second base of a codon
// (/codon_start=2); that of X62281 has two more bases than its kin X55053 in one place and one
// more in another.
const std::string kGenes =
    ">X55053.1\n"
    "ATGTCAGAGACCAACAAGAATGCCTTCCAAGCCGGTCAGGCCGCTGGCAAAGCTGAGGAGAAGAGCAATGTTCTGCTGGACAAG"
    "GCCAAGGATGCTGCTGCTGCAGCTGGAGCTTCCGCGCAACAGGCGGGAAAGAGTATATCGGATGCGGCAGTGGGAGGTGTTAAC"
    "TTCGTGAAGGACAAGACCGGCCTGAACAAGTAG\n"
    ">X62281.1\n"
    "ATGTCAGAGACCAACAAGAATGCCTTCCAAGCCGGTCAGGCCGCTGGCAAAGCTGAGAGGAGAAGAGCAATGTTCTGCTGGACA"
    "AGGCCAAGGATGCTGCTGCTGCAGCTGGAGCTTCCGCGCAACAGGGCGGGAAAGAGTATATCGGATGCGGCAGTGGGAGGTGTT"
    "AACTTCGTGAAGGACAAGACCGGCCTGAACAAGTAG\n"
    ">M81224.1\n"
    "ATGGCAGACAACAAGCAGAGCTTCCAAGCCGGTCAAGCCTCTGGTCGTGCTGAGGAGAAGGGTAATGTGCTGATGGACAAGGTC"
    "AAGGATGCTGCTACCGCAGCTGGAGCGTCTGCGCAAACCGCGGGACAGAAGATAACGGAGGCGGCAGGGGGAGCCGTTAATCTC"
    "GTGAAGGAGAAGACCGGCATGAACAAGTAG\n"
    ">AJ237582.1\n"
    "GGACAAGGCCAAGGATGCTGCTGCTGCAGCTGGAGCTTCCGCGCAACAGGCGGGAAAGAACATATCGGATGCAGCAGCTGGAGG"
    "TGTTAACTTCGTGAAGGAGAAGACCGGC\n"
    ">L31939.1\n"
    "ATGGCAGACAACAAGCAGAGCTTCCAAGCCGGTCAAGCCGCTGGTCGTGCTGAGGAGAAGGGTAATGTGCTGCTGATGGACAAG"
    "GTCAAGGATGCTGCTACCGCAGCTGGAGCTCTCCAAACCGCGGGACAGAAGATAACGGAGGCGGCAGGGGGAGCCGTTAATCTC"
    "GTGAAGGAGAAGACCGGCATGAACAAGTAG\n"
    ">AF297471.1\n"
    "ATGGCAGACAACAAGCAGAGCTTCCAAGCCGGTCAAGCCGCTGGTCGTGCTGAGGAGAAGGGTAATGTGCTGATGGACAAGGTC"
    "AAGGATGCTGCTACCGCAGCTGGAGCGTCTGCGCAAACCGCGGGACAGAAGATAACGGAGGCGGCAGGGGGAGCCGTTAATCTC"
    "GTGAAGGAGAAGACCGGCATGAACAAGTAG\n";

std::string row_of(const std::string& fasta, const std::string& name) {
  for (const auto& [header, letters] : parse_rows(fasta)) {
    if (header == name) return letters;
  }
  return {};
}

/// The characters of a row that are not gaps.
std::string letters_of(const std::string& fasta, const std::string& name) {
  std::string row = row_of(fasta, name);
  std::erase(row, '-');
  return row;
}

}  // namespace

TEST_CASE("codon: codons are aligned as their translation, and frameshifts are said") {
  const Program program;
  program.directory().write("in.fa",
                            ">a\nATGAAAGTTCTGGCTTGGTAA\n>b\nATGAAACTGGCTTGGTAA\n"
                            ">c x\natgaaagttctggcttggta\n");
  const Outcome codons = program.run({"codon", "in.fa"});
  CHECK(codons.exit_code == 0);
  CHECK(codons.err.find("\"c\": its length is not a multiple of 3") != std::string::npos);
  const FastaRows rows = parse_rows(codons.out);
  REQUIRE(rows.size() == 3);
  CHECK(is_alignment(rows));
  CHECK(rows[0].second.size() % 3 == 0);
  CHECK(degapped(rows) == parse_rows(file_bytes(program.directory().path("in.fa"))));
  for (std::size_t c = 0; c < rows[1].second.size(); c += 3) {
    const std::string codon = rows[1].second.substr(c, 3);
    CHECK((codon == "---") == (codon.find('-') != std::string::npos));
  }
  CHECK(program.run({"codon", "in.fa", "--code", "7"}).exit_code == 2);
  CHECK(program.run({"codon", example_path()}).exit_code == 65);  // proteins
}

TEST_CASE("codon: genes are threaded through given proteins, byte by byte as pal2nal does") {
  // The translations that GenBank has of three messenger RNAs, aligned; then the RNAs from
  // base 30 (X55053), 1 and 1 on, with the untranslated bases at both ends; then what pal2nal 14
  // ("pal2nal.pl proteins genes -output fasta") makes of them.
  const std::string proteins =
      ">X55053.1\n"
      "MSETNKNAFQAGQAAGKAEEKSNVL-LDKAKDAAAAAGASAQQAGKSISDAAVGGVNFVKDKTGLNK\n"
      ">M81224.1\n"
      "MA-DNKQSFQAGQASGRAEEKGNVL-MDKVKDAATAAGASAQTAGQKITEAAGGAVNLVKEKTGMNK\n"
      ">L31939.1\n"
      "MA-DNKQSFQAGQAAGRAEEKGNVLLMDKVKDAATAAGA-LQTAGQKITEAAGGAVNLVKEKTGMNK\n";
  const std::string genes =
      ">L31939.1\n"
      "AACAAAACTCAATAAATAAACAAATGGCAGACAACAAGCAGAGCTTCCAAGCCGGTCAAGCCGCTGGTCGTGCTGAGGAGAAGG"
      "GTAATGTGCTGCTGATGGACAAGGTCAAGGATGCTGCTACCGCAGCTGGAGCTCTCCAAACCGCGGGACAGAAGATAACGGAGG"
      "CGGCAGGGGGAGCCGTTAATCTCGTGAAGGAGAAGACCGGCATGAACAAGTAGCCCCATTGGAAACAAAATTGGGAGTTATAGT"
      "TTCCTTTTTAATATTAATCGTTGTGGTTTT\n"
      ">X55053.1\n"
      "AAGAAAAAAATATCTGAAAAATGTCAGAGACCAACAAGAATGCCTTCCAAGCCGGTCAGGCCGCTGGCAAAGCTGAGGAGAAGA"
      "GCAATGTTCTGCTGGACAAGGCCAAGGATGCTGCTGCTGCAGCTGGAGCTTCCGCGCAACAGGCGGGAAAGAGTATATCGGATG"
      "CGGCAGTGGGAGGTGTTAACTTCGTGAAGGACAAGACCGGCCTGAACAAGTAGCGATCCGAGTCAACTTTGGGAGTTATAATTT"
      "CCCTTTTCTAATTAATTGT\n"
      ">M81224.1\n"
      "AAAAAAACACAACAAAACTCAATAAATAAACAAATGGCAGACAACAAGCAGAGCTTCCAAGCCGGTCAAGCCTCTGGTCGTGCT"
      "GAGGAGAAGGGTAATGTGCTGATGGACAAGGTCAAGGATGCTGCTACCGCAGCTGGAGCGTCTGCGCAAACCGCGGGACAGAAG"
      "ATAACGGAGGCGGCAGGGGGAGCCGTTAATCTCGTGAAGGAGAAGACCGGCATGAACAAGTAGCCCCATTGGAAATAAAATTGG"
      "GAGTTATA\n";
  const std::string codons =
      ">X55053.1\n"
      "ATGTCAGAGACCAACAAGAATGCCTTCCAAGCCGGTCAGGCCGCTGGCAAAGCTGAGGAGAAGAGCAATGTTCTG---CTGGAC"
      "AAGGCCAAGGATGCTGCTGCTGCAGCTGGAGCTTCCGCGCAACAGGCGGGAAAGAGTATATCGGATGCGGCAGTGGGAGGTGTT"
      "AACTTCGTGAAGGACAAGACCGGCCTGAACAAG\n"
      ">M81224.1\n"
      "ATGGCA---GACAACAAGCAGAGCTTCCAAGCCGGTCAAGCCTCTGGTCGTGCTGAGGAGAAGGGTAATGTGCTG---ATGGAC"
      "AAGGTCAAGGATGCTGCTACCGCAGCTGGAGCGTCTGCGCAAACCGCGGGACAGAAGATAACGGAGGCGGCAGGGGGAGCCGTT"
      "AATCTCGTGAAGGAGAAGACCGGCATGAACAAG\n"
      ">L31939.1\n"
      "ATGGCA---GACAACAAGCAGAGCTTCCAAGCCGGTCAAGCCGCTGGTCGTGCTGAGGAGAAGGGTAATGTGCTGCTGATGGAC"
      "AAGGTCAAGGATGCTGCTACCGCAGCTGGAGCT---CTCCAAACCGCGGGACAGAAGATAACGGAGGCGGCAGGGGGAGCCGTT"
      "AATCTCGTGAAGGAGAAGACCGGCATGAACAAG\n";
  const Program program;
  program.directory().write("proteins.fa", proteins);
  program.directory().write("genes.fa", genes);
  const std::vector<std::string> line = {"codon",    "--protein", "proteins.fa",
                                         "genes.fa", "--wrap",    "0"};
  const Outcome threaded = program.run(line);
  CHECK(threaded.err == "");
  CHECK(threaded.out == codons);
  // Each ends with the stop TAG, which the proteins do not have.
  std::vector<std::string> with_stops = line;
  with_stops.insert(with_stops.end(), {"--stops", "keep"});
  const std::string kept = program.run(with_stops).out;
  for (const auto& [name, letters] : parse_rows(codons)) {
    const std::string row = row_of(kept, name);
    CHECK(row.size() == letters.size() + 3);
    CHECK(row.ends_with("TAG"));
  }
}

TEST_CASE("codon: mismatches, missing and surplus bases, and wrong genes are named") {
  const Program program;
  program.directory().write("p.fa", ">a\nMKVLAWSE-\n>b\nMKV-AWSEG\n");
  const auto threaded = [&](const std::string& a, std::vector<std::string> more = {}) {
    program.directory().write("g.fa", ">b\nATGAAAGTTGCTTGGTCAGAAGGT\n>a\n" + a + "\n");
    more.insert(more.begin(), {"codon", "--protein", "p.fa", "g.fa"});
    return program.run(more);
  };
  // Lower case, RNA, IUPAC letters that leave no doubt, another start codon: all fit.
  const Outcome whole = threaded("gugAARGUNYUNGCNUGGAGYGAR");
  CHECK(whole.err == "");
  CHECK(row_of(whole.out, "a") == "gugAARGUNYUNGCNUGGAGYGAR---");
  CHECK(row_of(whole.out, "b") == "ATGAAAGTT---GCTTGGTCAGAAGGT");
  // Another residue; the rows stay as they are.
  const Outcome other = threaded("ATGAAAGTTCTGGCTTGTTCAGAATAA");
  CHECK(
      has(other.err, "\"a\": 1 residue is not what the codon codes for: W6 (TGT at base 16 is C)"));
  CHECK(row_of(other.out, "a") == "ATGAAAGTTCTGGCTTGTTCAGAA---");
  CHECK(row_of(threaded("ATGAAAGTTCTGGCTTGATCAGAATAA", {"--code", "4"}).out, "a") ==
        "ATGAAAGTTCTGGCTTGATCAGAA---");  // TGA is W
  // The gene ends early.
  const Outcome early = threaded("ATGAAAGTTCTGGCTTGGTCA");
  CHECK(has(early.err, "\"a\": 1 residue has no bases: 8"));
  CHECK(row_of(early.out, "a") == "ATGAAAGTTCTGGCTTGGTCA------");
  // One base less.
  program.directory().write("q.fa", ">a\nMKVLAWSEWHCYFIP\n");
  program.directory().write("g.fa", ">a\nATGAAAGTTCTGGTTGGTCAGAATGGCATTGTTATTTCATACCATAA\n");
  const Outcome shifted = program.run({"codon", "--protein", "q.fa", "g.fa"});
  CHECK(has(shifted.err, "\"a\": 1 frameshift, marked with '!', at residue 5"));
  CHECK(row_of(shifted.out, "a") == "ATGAAAGTTCTGGT!TGGTCAGAATGGCATTGTTATTTCATACCA");
  // Another gene altogether, and none.
  CHECK(has(threaded("CCCCCCCCCCCCCCCCCCCCCCCC").err, "\"a\" does not code for its protein"));
  program.directory().write("g.fa", ">b\nATGAAAGTTGCTTGGTCAGAAGGT\n>c\nATGAAA\n");
  const Outcome missing = program.run({"codon", "--protein", "p.fa", "g.fa"});
  CHECK(missing.exit_code == 65);
  CHECK(has(missing.err, "p.fa: 1 row has no gene of its name in g.fa: \"a\""));
  program.directory().write("g.fa", ">x\nATGAAAGTTCTGGCTTGGTCAGAA\n>y\nATGAAAGTTGCTTGGTCAGAAGGT\n");
  const Outcome ordered = program.run({"codon", "--protein", "p.fa", "g.fa"});
  CHECK(has(ordered.err,
            "no gene has the name of a row of p.fa; genes and rows are matched by order"));
  CHECK(row_of(ordered.out, "b") == "ATGAAAGTT---GCTTGGTCAGAAGGT");
}

TEST_CASE("codon: stops at the ends are kept or dropped") {
  const Program program;
  program.directory().write("g.fa", ">a\nATGAAAGTTTAA\n>b\nATGAAAGTT\n");
  const auto rows = [&](std::vector<std::string> line) {
    line.insert(line.begin(), {"codon", "g.fa"});
    return program.run(line).out;
  };
  const std::string with = ">a\nATGAAAGTTTAA\n>b\nATGAAAGTT---\n";
  const std::string without = ">a\nATGAAAGTT\n>b\nATGAAAGTT\n";
  CHECK(rows({}) == with);
  CHECK(rows({"--stops", "keep"}) == with);
  CHECK(rows({"--stops", "drop"}) == without);
  program.directory().write("p.fa", ">a\nMKV\n>b\nMKV\n");
  CHECK(rows({"--protein", "p.fa"}) == without);
  CHECK(rows({"--protein", "p.fa", "--stops", "drop"}) == without);
  CHECK(rows({"--protein", "p.fa", "--stops", "keep"}) == with);
  program.directory().write("p.fa", ">a\nMKV*\n>b\nMKV-\n");
  CHECK(rows({"--protein", "p.fa"}) == with);
  CHECK(rows({"--protein", "p.fa", "--stops", "keep"}) == with);
  CHECK(rows({"--protein", "p.fa", "--stops", "drop"}) == without);
  // Markup and columns go with the codons.
  program.directory().write("p.sto",
                            "# STOCKHOLM 1.0\na MKV\nb MKV\n#=GC SS_cons HHE\n#=GC RF x.x\n//\n");
  const std::string marked = rows({"--protein", "p.sto", "--stops", "keep", "-f", "stockholm"});
  CHECK(has(marked, "HHHHHHEEE..."));
  CHECK(has(marked, "xxx...xxx..."));
}

TEST_CASE("codon: incomplete first and last codons, and the open frame") {
  const Program program;
  program.directory().write("g.fa", kGenes);
  const Outcome open =
      program.run({"codon", "g.fa", "-q", "--frame", "auto", "--protein-out", "p.fa"});
  CHECK(degapped(parse_rows(open.out)) == degapped(parse_rows(kGenes)));
  // The translation that GenBank has of AJ237582, behind the incomplete codon.
  CHECK(letters_of(file_bytes(program.directory().path("p.fa")), "AJ237582.1") ==
        "XDKAKDAAAAAGASAQQAGKNISDAAAGGVNFVKEKTG");
  CHECK(has(row_of(open.out, "AJ237582.1"), "--GGACAAGGCC"));
  program.directory().write("g.fa", ">a\nGATGAAAGTTTGGA\n>b\nGATGAAAGTTTGGA\n");
  CHECK(program.run({"codon", "g.fa", "--frame", "2"}).out ==
        ">a\n--GATGAAAGTTTGGA--\n>b\n--GATGAAAGTTTGGA--\n");
  CHECK(program.run({"codon", "g.fa", "--frame", "4"}).exit_code == 2);
  CHECK(program.run({"codon", "g.fa", "--frame", "2", "--protein", "p.fa"}).exit_code == 2);
}

TEST_CASE("codon: frameshifts are found by the other genes, and repaired in the proteins") {
  const Program program;
  program.directory().write("g.fa", kGenes);
  const Outcome found =
      program.run({"codon", "g.fa", "--frame", "auto", "--frameshifts", "--protein-out", "p.fa"});
  CHECK(has(found.err, "\"X62281.1\": 2 frameshifts, marked with '!', at codon 19, 44"));
  CHECK(std::count(found.err.begin(), found.err.end(), '\n') == 1);
  // Without the codons of the shifts it has the protein of X55053, to the residue.
  const std::string proteins = file_bytes(program.directory().path("p.fa"));
  std::string repaired = letters_of(proteins, "X62281.1");
  std::erase(repaired, 'X');
  std::string kin = letters_of(proteins, "X55053.1");
  CHECK(repaired.size() == kin.size());
  CHECK(std::count(found.out.begin(), found.out.end(), '!') == 3);
  std::string letters = found.out;
  std::erase(letters, '!');
  CHECK(degapped(parse_rows(letters)) == degapped(parse_rows(kGenes)));
  // Other commands read '!' as a gap if they may.
  program.directory().write("c.fa", found.out);
  CHECK(program.run({"convert", "c.fa"}).exit_code == 65);
  CHECK(program.run({"convert", "c.fa", "--lenient"}).exit_code == 0);
}

TEST_CASE("codon: the coding sequences of GenBank, with their frames and codes") {
  const Program program;
  program.directory().write("g.fa", kGenes);
  const std::string gb = source_dir() + "/datasets/cor66.gb";
  const Outcome found = program.run({"codon", gb, "--case", "upper", "--frameshifts"});
  CHECK(found.exit_code == 0);
  FastaRows rows = parse_rows(found.out);
  for (auto& [header, letters] : rows) header = header.substr(0, header.find(' '));
  CHECK(rows == parse_rows(program.run({"codon", "g.fa", "--frame", "auto", "--frameshifts"}).out));
  CHECK(has(found.out, ">AJ237582.1 [gene=csp14] [frame=2]\n"));
  // Headers of FASTA say the same; options overrule them. TGA is W in code 4.
  program.directory().write("h.fa", ">a [frame=2] [transl_table=4]\nATGATGGTT\n>b\nTGGTGGGTT\n");
  CHECK(program.run({"codon", "h.fa", "--protein-out", "p.fa"}).err == "");
  CHECK(has(file_bytes(program.directory().path("p.fa")), "WX"));
  CHECK(program.run({"codon", "h.fa", "--frame", "1", "--code", "1"}).out ==
        ">a [frame=2] [transl_table=4]\nATGATGGTT\n>b\nTGGTGGGTT\n");
  program.directory().write("n.fa", ">a [transl_table=99]\nATGATGGTT\n");
  const Outcome unknown = program.run({"codon", "n.fa"});
  CHECK(unknown.exit_code == 65);
  CHECK(has(unknown.err, "\"a\": genetic code 99: not known"));
  CHECK(program.run({"codon", "n.fa", "--code", "4"}).exit_code == 0);
  // Other commands take whole records.
  CHECK(program.run({"align", gb, "-d", "none"}).exit_code == 0);
}

TEST_CASE("codon: the frameshifts of a pseudogene, where pal2nal's authors saw them") {
  // Human dihydrofolate reductase (BC070280) and a pseudogene of it: test.nuc of pal2nal 14. Its
  // test.aln has "KNKF2-FQRM": a codon of two bases in the place of R29, and "TFFS4EGDL": one of
  // four in that of E150 and I151 of the human protein.
  const std::string genes =
      ">human\n"
      "ATGGTTGGTTCGCTAAACTGCATCGTCGCTGTGTCCCAGAACATGGGCATCGGCAAGAACGGGGACCTGCCCTGGCCACCGCTC"
      "AGGAATGAATTCAGATATTTCCAGAGAATGACCACAACCTCTTCAGTAGAAGGTAAACAGAATCTGGTGATTATGGGTAAGAAG"
      "ACCTGGTTCTCCATTCCTGAGAAGAATCGACCTTTAAAGGGTAGAATTAATTTAGTTCTCAGCAGAGAACTCAAGGAACCTCCA"
      "CAAGGAGCTCATTTTCTTTCCAGAAGTCTAGATGATGCCTTAAAACTTACTGAACAACCAGAATTAGCAAATAAAGTAGACATG"
      "CTCTGGATAGTTGGTGGCAGTTCTGTTTATAAGGAAGCCATGAATCACCCAGGCCATCTTAAACTATTTGTGACAAGGATCATG"
      "CAAGACTTTGAAAGTGACACGTTTTTTCCAGAAATTGATTTGGAGAAATATAAACTTCTGCCAGAATACCCAGGTGTTCTCTCT"
      "GATGTCCAGGAGGAGAAAGGCATTAAGTACAAATTTGAAGTATATGAGAAGAATGATTAA\n"
      ">pseudogene\n"
      "CTAAACTGCATTGTCAATGATTCCCAGAAGATGGGCATCATCAGGAATGGGGACCTGCCCTGACCTCAGCTCAAAAATAAATTC"
      "GATTCCAAAGAATGACCACACCCTCTTCAGCAGAGGGTAAAGAAAATTTAGTATTTTTAATTAGGAAGAACTGGTTCTCGATTA"
      "CTGAGAAGAATCAACCTTTAAAGTATATAATTAATTTAGTTGTCAGTAGAGAATCCAAGGAACCACCGCAAAGACCTCCTTTTC"
      "TTGACTAAAGTCTGGGTGATGCCTTAAAACGTATTGAGCAACTAAAATTAGCAAATAAACAAGACGTGTTTTTTACAGTGGGAG"
      "GCAGTTCTGTTTATAAGGAATCCATGAATTGAGACCATTTTAAACTATTTGTGACATGGATCATGCAGGACTTTCAAAGTGACA"
      "CGTTTTTTTCCCCTAGAAGGTGATTTAGAGAAATATAAACTTCTCCCAGAATACCCACAAGGTGTTGTCTCTGATGTGGAGGAG"
      "GAGAAAGGCATTAAGTACAAATTTGAAGTATATGAAAAGAATGAT\n";
  const Program program;
  program.directory().write("g.fa", genes);
  const Outcome found =
      program.run({"codon", "g.fa", "--frameshifts", "--protein-out", "p.fa", "--wrap", "0"});
  CHECK(has(found.err,
            "\"pseudogene\": 2 frameshifts, marked with '!', at codon 29, 145; stops "
            "inside at codon 21, 87, 123"));
  const std::string proteins = file_bytes(program.directory().path("p.fa"));
  CHECK(letters_of(proteins, "pseudogene") ==
        "LNCIVNDSQKMGIIRNGDLP*PQLKNKFXFQRMTTPSSAEGKENLVFLIRKNWFSITEKNQPLKYIINLVVSRESKEPPQRPPFLD*"
        "SLGDAL"
        "KRIEQLKLANKQDVFFTVGGSSVYKESMN*"
        "DHFKLFVTWIMQDFQSDTFFSXLEGDLEKYKLLPEYPQGVVSDVEEEKGIKYKFEVYEKND");
}

TEST_CASE("likelihood: GY94 with other genetic codes, as IQ-TREE has it") {
  // IQ-TREE 2.0.7 (-s c.fa -m GY+F3X4 -te t.nwk -st CODON1, CODON2, CODON10): logarithms of the
  // likelihoods. Codes 2 and 10 have 60 and 62 codons that are no stop.
  const Program program;
  std::string genes;
  for (const auto& [name, letters] : parse_rows(kGenes)) {
    if (name != "X62281.1" && name != "AJ237582.1") genes += ">" + name + "\n" + letters + "\n";
  }
  program.directory().write("g.fa", genes);
  program.directory().write("t.nwk", "(X55053.1,(M81224.1,AF297471.1),L31939.1);\n");
  REQUIRE(program.run({"codon", "g.fa", "--stops", "drop", "-o", "c.fa"}).exit_code == 0);
  const auto logarithm = [&](const std::string& code) {
    const std::string name = "\nlog_likelihood\t";
    const std::string table =
        program.run({"likelihood", "c.fa", "--model", "GY94", "--tree", "t.nwk", "--code", code})
            .out;
    REQUIRE(has(table, name));
    return std::stod(table.substr(table.find(name) + name.size()));
  };
  CHECK(std::abs(logarithm("1") + 422.5922) < 2e-4);
  CHECK(std::abs(logarithm("2") + 420.6313) < 2e-4);
  CHECK(std::abs(logarithm("10") + 422.6690) < 2e-4);
  const Outcome other = program.run({"likelihood", "c.fa", "--model", "HKY", "--code", "2"});
  CHECK(other.exit_code == 2);
  CHECK(has(other.err, "a genetic code, but model HKY has no codons"));
  CHECK(program.run({"likelihood", "c.fa", "--model", "GY94", "--code", "7"}).exit_code == 2);
  CHECK(program.run({"tree", "c.fa", "--code", "2"}).exit_code == 2);  // without --ml
}
