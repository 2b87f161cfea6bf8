// SPDX-License-Identifier: Apache-2.0
#include "tools/coding_family.hpp"

#include <utility>

#include "accord/base/error.hpp"
#include "base/log.hpp"
#include "base/text.hpp"
#include "io/families/coding_features.hpp"
#include "io/files/text_input.hpp"
#include "tools/frameshifts.hpp"
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

}  // namespace accord
