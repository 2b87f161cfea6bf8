// SPDX-License-Identifier: Apache-2.0
#include "tools/codon_threading.hpp"

#include <algorithm>
#include <cctype>
#include <limits>
#include <span>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "accord/base/error.hpp"
#include "base/log.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "core/alphabet.hpp"
#include "io/files/text_input.hpp"
#include "tools/columns.hpp"
#include "tools/frames.hpp"
#include "tools/range_names.hpp"

namespace accord {
namespace {

constexpr std::size_t kShown = 5;

/// The first few texts, with commas between them.
std::string listed(const std::vector<std::string>& texts) {
  std::string text;
  for (std::size_t k = 0; k < std::min(kShown, texts.size()); ++k) {
    text += (k > 0 ? ", " : "") + texts[k];
  }
  return text + (texts.size() > kShown ? ", ..." : "");
}

std::vector<std::string> numbers(const std::vector<std::size_t>& values) {
  std::vector<std::string> texts;
  for (const std::size_t value : values) texts.push_back(std::to_string(value));
  return texts;
}

/// For each row of the alignment, the index of its gene.
std::vector<std::size_t> genes_of_rows(const AlignedFamily& aligned, const ThreadingInput& input) {
  constexpr std::size_t kTwice = std::numeric_limits<std::size_t>::max();
  std::unordered_map<std::string_view, std::size_t> by_name;
  for (std::size_t k = 0; k < input.genes.size(); ++k) {
    const auto [at, is_new] = by_name.try_emplace(input.genes[k].record.name(), k);
    if (!is_new) at->second = kTwice;
  }
  std::vector<std::size_t> found;
  std::vector<std::string> missing;
  for (std::size_t r = 0; r < aligned.rows.size(); ++r) {
    const std::string_view name = aligned.set.name(aligned.set.from_input(r));
    const auto at = by_name.find(name);
    if (at == by_name.end()) {
      missing.push_back(quote(name));
    } else if (at->second == kTwice) {
      throw Error(ErrorKind::bad_input,
                  input.label + ": two genes are named " + quote(name) +
                      ", so the gene of the row with that name is uncertain",
                  "rename one of them");
    } else {
      found.push_back(at->second);
    }
  }
  if (missing.size() == aligned.rows.size() && input.genes.size() == aligned.rows.size()) {
    log_warning(input.label + ": no gene has the name of a row of " + aligned.label +
                    "; genes and rows are matched by order",
                "name them alike to be sure");
    found.resize(aligned.rows.size());
    for (std::size_t r = 0; r < found.size(); ++r) found[r] = r;
    return found;
  }
  if (!missing.empty()) {
    throw Error(ErrorKind::bad_input,
                aligned.label + ": " + counted(missing.size(), "row has", "rows have") +
                    " no gene of its name in " + input.label + ": " + listed(missing),
                "a gene is named as its protein, in the first word of its header");
  }
  const std::size_t left_over = input.genes.size() - found.size();
  if (input.genes.size() > found.size()) {
    log_warning(input.label + ": " + counted(left_over, "gene has", "genes have") + " no row in " +
                aligned.label + ", and " + (left_over == 1 ? "is" : "are") + " left out");
  }
  return found;
}

/// Warns of residues and bases that do not match between a gene and its protein.
void warn_of_mismatches(const ThreadedProtein& threaded, const Gene& gene,
                        const std::string& label) {
  const std::string who = label + ": " + quote(gene.record.name()) + ": ";
  if (!threaded.mismatches.empty()) {
    std::vector<std::string> texts;
    for (const CodonMismatch& one : threaded.mismatches) {
      texts.push_back(std::string(1, one.letter) + std::to_string(one.residue) + " (" + one.codon +
                      " at base " + std::to_string(one.first_base) + " is " + one.coded + ")");
    }
    log_warning(who + counted(texts.size(), "residue is", "residues are") +
                    " not what the codon codes for: " + listed(texts),
                "another genetic code ({code}), or another version of the gene?");
  }
  if (!threaded.frameshifts.empty()) {
    log_warning(who + counted(threaded.frameshifts.size(), "frameshift", "frameshifts") +
                ", marked with '!', at residue " + listed(numbers(threaded.frameshifts)));
  }
  if (!threaded.without_bases.empty()) {
    log_warning(who + counted(threaded.without_bases.size(), "residue has", "residues have") +
                    " no bases: " + listed(numbers(threaded.without_bases)),
                "is the gene whole?");
  }
  if (!threaded.inserted.empty()) {
    std::vector<std::string> texts;
    for (const BaseRange& range : threaded.inserted) {
      texts.push_back(std::to_string(range.first) + " to " + std::to_string(range.last));
    }
    log_warning(who + "bases without a residue are left out: " + listed(texts),
                "introns, or another version of the protein?");
  }
}

void check_same_protein(const ThreadedProtein& threaded, const Gene& gene,
                        const ThreadingInput& input) {
  const std::size_t odd = threaded.mismatches.size() + threaded.without_bases.size();
  if (2 * odd <= threaded.codons.size()) return;
  throw Error(ErrorKind::bad_input,
              input.label + ": " + quote(gene.record.name()) +
                  " does not code for its protein: " + std::to_string(odd) + " of " +
                  counted(threaded.codons.size(), "residue") + " do not fit",
              "is it the gene of that protein, its coding strand, and in the right genetic code "
              "({code})?");
}

/// Appends a column with the stop codon of each row that has one; `-` in the other rows.
void append_stop_column(AlignmentText& text, std::vector<ThreadedProtein>& rows) {
  const auto last = static_cast<std::uint32_t>(text.columns++);
  GappedRows wider(text.columns);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::string residues(std::as_const(text.rows).residues(r));
    const std::span<const std::uint32_t> places = text.rows.column_of(r);
    std::vector<std::uint32_t> columns(places.begin(), places.end());
    if (!rows[r].stop.empty()) {
      residues += '*';
      columns.push_back(last);
      rows[r].codons.push_back(rows[r].stop);
      if (!text.residue_codes.empty() && text.residue_codes[r]) *text.residue_codes[r] += '.';
    }
    wider.add(residues, columns);
  }
  text.rows = std::move(wider);
  if (!text.column_codes.empty()) text.column_codes += '.';
  if (!text.column_confidence.empty()) {
    text.column_confidence.push_back(std::numeric_limits<float>::quiet_NaN());
  }
  if (!text.match_columns.empty()) text.match_columns.push_back(false);
  for (auto* lines : {&text.markup.of_columns, &text.markup.of_residues}) {
    for (StockholmMarkup::Columns& line : *lines) line.text += '.';
  }
}

/// Removes the `*` at the ends of rows, and the columns that have nothing else.
void drop_stops(AlignmentText& text, std::vector<ThreadedProtein>& rows) {
  std::vector<bool> kept(text.columns, true);
  GappedRows others(text.columns);
  for (std::size_t r = 0; r < rows.size(); ++r) {
    std::string_view residues = std::as_const(text.rows).residues(r);
    std::span<const std::uint32_t> columns = text.rows.column_of(r);
    if (residues.ends_with('*')) {
      kept[columns.back()] = false;
      residues.remove_suffix(1);
      columns = columns.first(residues.size());
      rows[r].codons.pop_back();
      if (!text.residue_codes.empty() && text.residue_codes[r]) text.residue_codes[r]->pop_back();
    }
    others.add(residues, columns);
  }
  text.rows = std::move(others);
  const std::vector<std::size_t> residues = text.rows.residues_by_column();
  for (std::size_t c = 0; c < text.columns; ++c) kept[c] = kept[c] || residues[c] > 0;
  keep_columns(text, kept);
}

/// The remaining ones among the letters that the name of a row counts: the bases of its gene, or
/// else its residues, with or without a stop.
KeptResidues left_of(const ThreadedProtein& threaded, const Gene& gene, std::string_view name,
                     std::size_t residues) {
  const std::string bases = bases_of(threaded.codons);
  if (bases.empty()) return {residues};
  const std::size_t counted = counted_by_name(name).value_or(0), left = threaded.codons.size();
  if (counted == gene.record.letters.size()) {
    const std::size_t first = gene.record.letters.find(bases);
    if (first != std::string::npos) return {counted, first, first + bases.size() - 1};
  }
  if (counted == left || left > residues) return {left, 0, left - 1};
  return {residues, 0, left - 1};
}

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

AlignmentText thread_through(const ThreadingInput& input, const AlignedFamily& aligned) {
  const std::vector<std::size_t> gene_of = genes_of_rows(aligned, input);
  std::vector<ThreadedProtein> threaded(gene_of.size());
  parallel_for(threaded.size(), [&](std::size_t r, int) {
    const Gene& gene = input.genes[gene_of[r]];
    const std::string& protein = aligned.set.letters(aligned.set.from_input(r));
    threaded[r] = thread_codons(gene.record.letters, protein, gene.code);
  });
  AlignmentText text = text_of(aligned);
  for (std::size_t r = 0; r < threaded.size(); ++r) {
    check_same_protein(threaded[r], input.genes[gene_of[r]], input);
    warn_of_mismatches(threaded[r], input.genes[gene_of[r]], input.label);
    if (text.rows.column_of(r).empty()) threaded[r].stop.clear();
  }
  const bool has_stop = std::any_of(threaded.begin(), threaded.end(),
                                    [](const ThreadedProtein& row) { return !row.stop.empty(); });
  if (input.keeps_stops == true && has_stop) append_stop_column(text, threaded);
  if (input.keeps_stops == false) drop_stops(text, threaded);
  std::vector<KeptResidues> left;
  for (std::size_t r = 0; r < threaded.size(); ++r) {
    const std::size_t x = aligned.set.from_input(r);
    left.push_back(
        left_of(threaded[r], input.genes[gene_of[r]], aligned.set.name(x), aligned.set.length(x)));
  }
  renumber_rows(text, aligned.set, left);
  warn_of_empty_rows(text.names, left);
  std::vector<std::vector<std::string>> codons;
  for (ThreadedProtein& row : threaded) codons.push_back(std::move(row.codons));
  return codon_alignment(std::move(text), codons, input.type, input.letter_case);
}

ThreadedProtein thread_codons(const std::string& bases, const std::string& protein,
                              const GeneticCode& code) {
  if (std::optional<ThreadedProtein> exact = exact_reading(bases, protein, code)) return *exact;
  return Threader(bases, protein, code).thread();
}

}  // namespace accord
