// SPDX-License-Identifier: Apache-2.0
#include "tools/frameshifts.hpp"

#include <algorithm>
#include <iterator>
#include <string_view>

#include "base/parallel.hpp"
#include "tools/frames.hpp"

namespace accord {
namespace {

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

}  // namespace

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

}  // namespace accord
