// SPDX-License-Identifier: Apache-2.0
#include "tools/coding_family.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>
#include <utility>

#include "accord/base/error.hpp"
#include "base/log.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "io/families/coding_features.hpp"
#include "io/files/text_input.hpp"
#include "tools/frames.hpp"
#include "tools/range_names.hpp"

namespace accord {
namespace {

/// The genetic code of the options, or else of the header.
GeneticCode code_of(const SequenceRecord& record, const CodingOptions& options) {
  if (options.code) return GeneticCode(*options.code);
  const int number = header_number(record.header, "transl_table").value_or(1);
  try {
    return GeneticCode(number);
  } catch (const Error& error) {
    throw Error(ErrorKind::bad_input, quote(record.name()) + ": " + error.what(),
                "{code} names another for all; " + error.hint());
  }
}

/// Warns of frameshifts, inner stops and other problems of each gene.
void warn_of_frame_problems(const std::vector<Gene>& genes,
                            const std::vector<CodingSequence>& sequences,
                            const std::string& label) {
  for (std::size_t k = 0; k < genes.size(); ++k) {
    const std::string who = label + ": " + quote(genes[k].record.name()) + ": ";
    const std::vector<std::size_t>& shifts = sequences[k].frameshifts;
    if (!shifts.empty()) {
      const std::vector<std::size_t>& stops = sequences[k].inner_stops;
      log_warning(who + counted(shifts.size(), "frameshift") + ", marked with '!', at codon " +
                  listed_numbers(shifts) +
                  (stops.empty() ? "" : "; stops inside at codon " + listed_numbers(stops)));
      continue;
    }
    const std::string problem =
        frame_problem(genes[k].record.letters, genes[k].code, genes[k].incomplete);
    if (problem.empty()) continue;
    log_warning(who + problem,
                "a frameshift ({frameshifts}), a wrong frame ({frame}), or another genetic code "
                "({code})?");
  }
}

/// Removes the stops at the ends, and renumbers the names of the genes accordingly.
void drop_stops(std::vector<Gene>& genes, std::vector<CodingSequence>& sequences) {
  std::vector<std::string> names, not_renumbered;
  std::vector<KeptResidues> kept;
  for (std::size_t k = 0; k < genes.size(); ++k) {
    if (!sequences[k].protein.ends_with('*')) continue;
    SequenceRecord& record = genes[k].record;
    names.emplace_back(record.name());
    sequences[k].drop_stop();
    const std::size_t bases = bases_of(sequences[k].codons).size();
    kept.push_back({record.letters.size()});
    if (bases > 0) kept.back() = {record.letters.size(), 0, bases - 1};
    if (!renumber(record, kept.back())) not_renumbered.push_back(names.back());
  }
  warn_of_names_not_renumbered(not_renumbered);
  warn_of_empty_rows(names, kept, "{stops=keep} keeps the stop");
}

constexpr std::size_t kWordResidues = 4, kMostGuides = 500;

using Words = std::vector<std::string_view>;

Words words_of(std::string_view protein) {
  Words words;
  for (std::size_t k = 0; k + kWordResidues <= protein.size(); ++k) {
    const std::string_view word = protein.substr(k, kWordResidues);
    if (word.find_first_of("*X") == word.npos) words.push_back(word);
  }
  std::sort(words.begin(), words.end());
  words.erase(std::unique(words.begin(), words.end()), words.end());
  return words;
}

/// A protein along which other genes are read.
struct Guide {
  std::size_t gene;
  std::string protein;  ///< without a stop at its end
  Words words;
};

std::vector<Guide> guides_of(const std::vector<Gene>& genes,
                             const std::vector<CodingSequence>& sequences) {
  std::vector<std::size_t> in_frame;
  for (std::size_t k = 0; k < genes.size(); ++k) {
    const Gene& gene = genes[k];
    const bool is_odd = !frame_problem(gene.record.letters, gene.code, gene.incomplete).empty();
    if (!is_odd && !gene.record.letters.empty()) in_frame.push_back(k);
  }
  const std::size_t count = std::min(in_frame.size(), kMostGuides);
  std::vector<Guide> guides(count);
  for (std::size_t g = 0; g < count; ++g) {
    guides[g].gene = in_frame[g * in_frame.size() / count];
    guides[g].protein = sequences[guides[g].gene].protein;
    if (guides[g].protein.ends_with('*')) guides[g].protein.pop_back();
  }
  for (Guide& guide : guides) guide.words = words_of(guide.protein);
  return guides;
}

/// The two guides closest to gene `number`, the closest first. A gene is no guide for itself.
std::vector<const Guide*> closest(const std::vector<Guide>& guides, const Gene& gene,
                                  std::size_t number) {
  std::string frames;
  for (std::size_t frame = 0; frame < 3; ++frame) {
    frames += read_codons(gene.record.letters, gene.code, frame).protein + '*';
  }
  const Words words = words_of(frames);
  std::vector<std::pair<std::size_t, const Guide*>> found;
  for (const Guide& guide : guides) {
    if (guide.gene == number) continue;
    Words shared;
    std::ranges::set_intersection(words, guide.words, std::back_inserter(shared));
    found.emplace_back(shared.size(), &guide);
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<const Guide*> two;
  for (std::size_t k = 0; k < std::min<std::size_t>(2, found.size()); ++k) {
    two.push_back(found[k].second);
  }
  return two;
}

/// Finds the frameshifts of genes, and replaces the codons of these genes in `sequences` by codons
/// across the frameshifts. The caller has set sequences[k] by read_codons() of genes[k].
///
/// A gene is sound if it has no inner stops and, unless its first codon is incomplete, its length
/// is a multiple of 3. The guides are the proteins of at most 500 sound genes, spread over the
/// input. The guide that is closest to a gene shares most words of four residues with the three
/// frames of the gene. A gene that is not sound is read along its closest guide. A sound gene is
/// read along its closest guide only if it shows frameshifts along this guide and along the second
/// closest one. A gene is not a guide of itself.
/// Returns  false, with `sequences` as before, if there is no guide.
/// Throws  as align_frames.
bool read_across_frameshifts(const std::vector<Gene>& genes,
                             std::vector<CodingSequence>& sequences) {
  const std::vector<Guide> guides = guides_of(genes, sequences);
  if (guides.empty()) return false;
  parallel_for(genes.size(), [&](std::size_t k, int) {
    const Gene& gene = genes[k];
    const std::string& bases = gene.record.letters;
    const bool is_odd = !frame_problem(bases, gene.code, gene.incomplete).empty();
    const std::vector<const Guide*> near = closest(guides, gene, k);
    if (bases.empty() || near.size() < (is_odd ? 1U : 2U)) return;
    CodingSequence read = read_across_frames(bases, near[0]->protein, gene.code);
    if (!is_odd) {
      if (read.frameshifts.empty()) return;
      if (read_across_frames(bases, near[1]->protein, gene.code).frameshifts.empty()) return;
    }
    sequences[k] = std::move(read);
  });
  return true;
}

}  // namespace

void set_frame(CodingOptions& options, const std::string& word, const std::string& what) {
  options.finds_frame = word == "auto";
  options.frame.reset();
  if (options.finds_frame) return;
  if (word != "1" && word != "2" && word != "3") {
    throw Error(ErrorKind::usage, what + " " + word + ": unknown", "use 1, 2, 3 or auto");
  }
  options.frame = word[0] - '0';
}

void set_stops(CodingOptions& options, const std::string& word, const std::string& what) {
  if (word != "keep" && word != "drop") {
    throw Error(ErrorKind::usage, what + " " + word + ": unknown word", "use keep or drop");
  }
  options.keeps_stops = word == "keep";
}

std::vector<Gene> genes_of(const SequenceSet& set, const CodingOptions& options) {
  std::vector<Gene> genes;
  for (std::size_t k = 0; k < set.size(); ++k) {
    const SequenceRecord& record = set.record(set.from_input(k));
    Gene gene{record, 0, code_of(record, options)};
    const int frame = header_number(record.header, "frame").value_or(1);
    if (frame == 2 || frame == 3) gene.incomplete = static_cast<std::size_t>(frame) - 1;
    if (options.frame) gene.incomplete = static_cast<std::size_t>(*options.frame) - 1;
    if (options.finds_frame) gene.incomplete = open_frame(record.letters, gene.code);
    genes.push_back(std::move(gene));
  }
  return genes;
}

std::vector<CodingSequence> codons_of(std::vector<Gene>& genes, const CodingOptions& options,
                                      const std::string& label) {
  std::vector<CodingSequence> sequences;
  for (const Gene& gene : genes) {
    sequences.push_back(read_codons(gene.record.letters, gene.code, gene.incomplete));
  }
  if (options.finds_frameshifts && !read_across_frameshifts(genes, sequences)) {
    log_warning(label +
                    ": no sequence is in frame from end to end, so that frameshifts cannot be "
                    "found",
                "add one that is");
  }
  warn_of_frame_problems(genes, sequences, label);
  if (options.keeps_stops == false) drop_stops(genes, sequences);
  return sequences;
}

SequenceSet translated(const std::vector<Gene>& genes,
                       const std::vector<CodingSequence>& sequences) {
  std::vector<SequenceRecord> proteins;
  for (std::size_t k = 0; k < genes.size(); ++k) {
    const SequenceRecord& record = genes[k].record;
    proteins.push_back({record.header, sequences[k].protein, record.name_bytes});
  }
  return SequenceSet(std::move(proteins), ResidueType::protein);
}

std::vector<std::vector<std::string>> taken_codons(std::vector<CodingSequence>& sequences) {
  std::vector<std::vector<std::string>> codons;
  for (CodingSequence& sequence : sequences) codons.push_back(std::move(sequence.codons));
  return codons;
}

CodingSequence read_across_frames(const std::string& bases, const std::string& protein,
                                  const GeneticCode& code) {
  const FrameAlignment aligned = align_frames(bases, protein, code, kShiftAlongOther);
  if (aligned.steps.empty()) return read_codons(bases, code);
  const std::size_t begin = aligned.steps.front().first_base;
  CodingSequence found = read_codons(bases.substr(0, begin), code, begin % 3);
  std::size_t end = begin;
  for (const CodonStep& step : aligned.steps) {
    if (step.bases == 0) continue;
    found.add(bases.substr(step.first_base, step.bases), code, '!');
    if (step.bases < 3) found.frameshifts.push_back(found.codons.size());
    end = step.first_base + step.bases;
  }
  found.add_all(bases.substr(end), code);
  found.find_inner_stops();
  return found;
}

}  // namespace accord
