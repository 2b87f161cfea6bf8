// SPDX-License-Identifier: Apache-2.0
// Genetic codes, frames, and codons along proteins.
#include "tools/codons.hpp"

#include <doctest/doctest.h>

#include "accord/base/error.hpp"
#include "support/scratch.hpp"
#include "tools/coding_family.hpp"
#include "tools/codon_threading.hpp"
#include "tools/frames.hpp"

using namespace accord;
using namespace accord::testing;

using Codons = std::vector<std::string>;

TEST_CASE("codons: genetic codes, ambiguous bases, stops") {
  const GeneticCode standard(1), mitochondrial(2);
  CHECK(standard.amino_acid('A', 'T', 'G') == 'M');
  CHECK(standard.amino_acid('a', 'u', 'a') == 'I');
  CHECK(mitochondrial.amino_acid('A', 'T', 'A') == 'M');
  CHECK(standard.amino_acid('T', 'G', 'A') == '*');
  CHECK(mitochondrial.amino_acid('T', 'G', 'A') == 'W');
  CHECK(mitochondrial.amino_acid('A', 'G', 'G') == '*');
  CHECK(standard.amino_acid('C', 'T', 'N') == 'L');  // all four are leucine
  CHECK(standard.amino_acid('A', 'T', 'N') == 'X');
  CHECK(standard.amino_acid('T', 'A', 'R') == '*');
  CHECK(error_of([] { GeneticCode(7); }).kind() == ErrorKind::usage);
  CHECK(genetic_codes().find("  33  cephalodiscidae mitochondrial\n") != std::string::npos);

  const CodingSequence whole = read_codons("ATGGCTTAA", standard);
  CHECK(whole.protein == "MA*");
  CHECK(whole.inner_stops.empty());
  CHECK(frame_problem("ATGGCTTAA", standard).empty());
  const CodingSequence odd = read_codons("ATGTAAGCTG", standard);
  CHECK(odd.protein == "M*AX");
  CHECK(odd.codons == Codons{"ATG", "TAA", "GCT", "G--"});
  CHECK(odd.inner_stops == std::vector<std::size_t>{2});
  CHECK(read_codons("ATGTAAG", standard).inner_stops.size() == 1);  // it ends nothing
  CHECK(frame_problem("ATGTAAGCTG", standard).starts_with("1 stop inside, at codon 2; its length"));
  // Its other frames are TAG GCG GCT GAG and AGG CGG CTG AGG: the third alone is open.
  CHECK(frame_problem("CTAGGCGGCTGAGGC", standard) ==
        "1 stop inside, at codon 4; read from base 3 it has no stop inside");
  CHECK(open_frame("CTAGGCGGCTGAGGC", standard) == 2);
  const CodingSequence third = read_codons("CTAGGCGGCTGAGGC", standard, 2);
  CHECK(third.codons == Codons{"-CT", "AGG", "CGG", "CTG", "AGG", "C--"});
  CHECK(third.protein == "XRRLRX");
  CHECK(frame_problem("CTAGGCGGCTGAGGC", standard, 2).empty());
}

TEST_CASE("codons: three columns for one, those of confidence too") {
  AlignmentText protein;
  protein.columns = 4;
  protein.headers = {"a one", "b"};
  protein.names = {"a", "b"};
  for (const char* row : {"M-AX", "MK--"}) protein.rows.push_back(row);
  protein.column_confidence = {0.5f, 1.0f, 0.0f, 0.25f};
  const std::vector<Codons> of_rows = {{"ATG", "gcT", "A--"}, {"ATG", "AAA"}};
  const AlignmentText codons = codon_alignment(protein, of_rows, ResidueType::dna);
  CHECK(codons.columns == 12);
  CHECK(codons.rows == Codons{"ATG---gcTA--", "ATGAAA------"});
  CHECK(codons.headers[0] == "a one");
  CHECK(codons.column_confidence.size() == 12);
  CHECK(codon_alignment(protein, of_rows, ResidueType::dna, LetterCase::upper).rows[0] ==
        "ATG---GCTA--");
  CHECK(codon_alignment(protein, of_rows, ResidueType::dna, LetterCase::by_type).rows[0] ==
        "atg---gcta--");
}

TEST_CASE("frames: a base too few, one too many, and overhanging ends") {
  const GeneticCode code(1);
  // M K W V T F I S L L F L F S S A Y S, the beginning of human serum albumin.
  const std::string protein = "MKWVTFISLLFLFSSAYS";
  const std::string bases = "ATGAAGTGGGTAACCTTTATTTCCCTTCTTTTTCTCTTTAGCTCGGCTTATTCC";
  const auto read = [&](const std::string& changed) {
    return read_across_frames(changed, protein, code);
  };
  CHECK(read(bases).protein == protein);
  CHECK(read(bases).frameshifts.empty());
  std::string less = bases, more = bases;
  less.erase(25, 1);
  more.insert(27, "G");
  CHECK(read(less).frameshifts.size() == 1);
  CHECK(read(less).protein.starts_with("MKWVTFIS"));
  CHECK(read(less).protein.ends_with("LFLFSSAYS"));
  CHECK(read(less).protein.size() == protein.size());
  CHECK(read(more).frameshifts.size() == 1);
  CHECK(read(more).protein.size() == protein.size() + 1);
  // Incomplete codons at both ends are no frameshifts.
  const CodingSequence part = read(bases.substr(7, 40));
  CHECK(part.frameshifts.empty());
  CHECK(part.protein == "XVTFISLLFLFSSX");
  CHECK(part.codons.front() == "-GG");
  CHECK(part.codons.back() == "GC-");
  for (const CodingSequence& found : {read(less), read(more)}) {
    std::string all;
    for (const std::string& codon : found.codons) all += codon;
    std::erase(all, '!');
    CHECK(all.size() + 1 - bases.size() <= 2);
  }
}

TEST_CASE("threading: letters that stand for several, selenocysteine, the first codon") {
  const GeneticCode code(1);
  const auto codons = [&](const std::string& bases, const std::string& protein) {
    return thread_codons(bases, protein, code);
  };
  const ThreadedProtein odd = codons("CCGTGAAYTGACARTAGGTTTAA", "MBUZOV");
  CHECK(odd.codons == Codons{"GTG", "AAY", "TGA", "CAR", "TAG", "GTT"});
  CHECK(odd.mismatches.empty());
  CHECK(odd.stop == "TAA");
  CHECK(codons("ATGGTTTAAGG", "MV").stop == "TAA");
  CHECK(codons("TGGTTTAAGG", "XV").codons == Codons{"-TG", "GTT"});
  CHECK(codons("ATGNNNGTT", "MKV").mismatches.empty());
  const ThreadedProtein wrong = codons("ATGAAAGTTCTGGCTTGGTCAGAA", "MKVLRWSE");
  REQUIRE(wrong.mismatches.size() == 1);
  CHECK(wrong.mismatches[0].residue == 5);
  CHECK(wrong.mismatches[0].codon == "GCT");
  CHECK(wrong.mismatches[0].first_base == 13);
  CHECK(wrong.mismatches[0].coded == 'A');
}
