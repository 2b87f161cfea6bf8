// SPDX-License-Identifier: Apache-2.0
#include "tools/threading.hpp"

#include <algorithm>
#include <cctype>
#include <optional>
#include <string_view>

#include "core/alphabet.hpp"
#include "tools/codons.hpp"
#include "tools/frames.hpp"

namespace accord {
namespace {

constexpr std::string_view kStarts = "MLVI";  // amino acids of start codons elsewhere in a gene

/// Whether a residue matches the amino acid of its codon; `coded` may be X or `*`.
bool fits(char residue, char coded, bool is_first) {
  residue = static_cast<char>(std::toupper(static_cast<unsigned char>(residue)));
  if (residue == coded || residue == 'X' || residue == '?' || coded == 'X') return true;
  if (coded == '*') return residue == 'U' || residue == 'O';
  if (residue == '*') return false;
  if (is_first && residue == 'M') return kStarts.find(coded) != kStarts.npos;
  const auto residues =
      residues_of_code(ResidueType::protein, encode_letter(ResidueType::protein, residue));
  const std::uint8_t code = encode_letter(ResidueType::protein, coded);
  return residue != 'U' && residue != 'O' && residues.size() > 1 &&
         std::find(residues.begin(), residues.end(), code) != residues.end();
}

char amino_acid_of(const std::string& codon, const GeneticCode& code) {
  return code.amino_acid(codon[0], codon[1], codon[2]);
}

/// The first codon from which on all residues of the protein fit; none if there is no such place.
/// `gene` has the codons of one frame.
std::optional<std::size_t> fitting_place(const CodingSequence& gene, const std::string& protein) {
  for (std::size_t k = 0; k + protein.size() <= gene.protein.size(); ++k) {
    std::size_t j = 0;
    while (j < protein.size()) {
      const bool is_whole = gene.codons[k + j].find('-') == std::string::npos;
      const bool is_fitting = is_whole ? fits(protein[j], gene.protein[k + j], j == 0)
                                       : protein[j] == 'X' || protein[j] == 'x';
      if (!is_fitting) break;
      ++j;
    }
    if (j == protein.size()) return k;
  }
  return std::nullopt;
}

/// The codons of the first frame in which all residues fit; none if there is no such frame.
std::optional<ThreadedProtein> exact_reading(const std::string& bases, const std::string& protein,
                                             const GeneticCode& code) {
  for (std::size_t frame = 0; frame < 3; ++frame) {
    const CodingSequence gene = read_codons(bases, code, frame);
    const std::optional<std::size_t> first = fitting_place(gene, protein);
    if (!first) continue;
    ThreadedProtein found;
    const auto begin = gene.codons.begin() + static_cast<std::ptrdiff_t>(*first);
    const auto end = begin + static_cast<std::ptrdiff_t>(protein.size());
    found.codons.assign(begin, end);
    const std::size_t next = *first + protein.size();
    if (next < gene.protein.size() && gene.protein[next] == '*') found.stop = *end;
    return found;
  }
  return std::nullopt;
}

/// Threads a protein along the best alignment of align_frames().
class Threader {
 public:
  Threader(const std::string& bases, const std::string& protein, const GeneticCode& code)
      : bases_(bases), protein_(protein), code_(code) {}

  ThreadedProtein thread() {
    const FrameAlignment aligned = align_frames(bases_, protein_, code_, kShiftAlongProduct);
    for (std::size_t j = 0; j < aligned.first_residue; ++j) add_residue_without_bases();
    std::size_t end = 0;  // behind the last base so far
    for (const CodonStep& step : aligned.steps) {
      if (step.bases > 0) end = step.first_base + step.bases;
      if (!step.has_residue) {
        add_inserted(step);
      } else if (step.bases == 0) {
        add_residue_without_bases();
      } else {
        add_codon(step);
      }
    }
    while (found_.codons.size() < protein_.size()) add_residue_without_bases();
    const std::string next = bases_.substr(end, 3);
    if (next.size() == 3 && amino_acid_of(next, code_) == '*') found_.stop = next;
    return std::move(found_);
  }

 private:
  std::size_t next_residue() const { return found_.codons.size() + 1; }

  void add_residue_without_bases() {
    found_.without_bases.push_back(next_residue());
    found_.codons.emplace_back("---");
  }

  void add_inserted(const CodonStep& step) {
    const BaseRange range = {step.first_base + 1, step.first_base + step.bases};
    if (!found_.inserted.empty() && found_.inserted.back().last + 1 == range.first) {
      found_.inserted.back().last = range.last;
    } else {
      found_.inserted.push_back(range);
    }
  }

  void add_codon(const CodonStep& step) {
    std::string codon = bases_.substr(step.first_base, step.bases);
    const char letter = protein_[found_.codons.size()];
    if (step.bases < 3) {
      found_.frameshifts.push_back(next_residue());
      codon.resize(3, '!');
    } else if (const char coded = amino_acid_of(codon, code_);
               !fits(letter, coded, found_.codons.empty())) {
      found_.mismatches.push_back({next_residue(), letter, codon, step.first_base + 1, coded});
    }
    found_.codons.push_back(codon);
  }

  const std::string& bases_;
  const std::string& protein_;
  const GeneticCode& code_;
  ThreadedProtein found_;
};

}  // namespace

ThreadedProtein thread_codons(const std::string& bases, const std::string& protein,
                              const GeneticCode& code) {
  if (std::optional<ThreadedProtein> exact = exact_reading(bases, protein, code)) return *exact;
  return Threader(bases, protein, code).thread();
}

}  // namespace accord
