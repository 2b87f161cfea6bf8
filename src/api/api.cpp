// SPDX-License-Identifier: Apache-2.0
#include "accord/api/api.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "accord/base/parallel.hpp"
#include "accord/base/system_limits.hpp"
#include "accord/core/score.hpp"
#include "accord/devices/device_choice.hpp"
#include "accord/files/text_input.hpp"
#include "accord/formats/alignment_text.hpp"
#include "accord/formats/odd_characters.hpp"
#include "accord/io/family_reader.hpp"
#include "accord/io/newick.hpp"
#include "accord/large/large_family.hpp"
#include "accord/method/pipeline.hpp"

namespace accord::api {
namespace {

std::optional<ResidueType> type_of(Letters letters) {
  switch (letters) {
    case Letters::protein:
      return ResidueType::protein;
    case Letters::dna:
      return ResidueType::dna;
    case Letters::rna:
      return ResidueType::rna;
    case Letters::detect:
      break;
  }
  return std::nullopt;
}

SequenceSet family_of(const std::vector<Sequence>& sequences, const Options& options) {
  if (sequences.empty()) throw Error(ErrorKind::bad_input, "there are no sequences");
  std::vector<SequenceRecord> records;
  for (const Sequence& sequence : sequences) {
    SequenceRecord record{sequence.name, {}};
    for (const char c : sequence.letters) {
      if (c == '-' || c == '.') continue;
      if (!is_sequence_letter(c)) {
        throw Error(ErrorKind::bad_input, "sequence " + quoted(sequence.name) + ": " +
                                              shown_character(c) + " is not a sequence character");
      }
      record.letters += c;
    }
    records.push_back(std::move(record));
  }
  FamilySource source;
  source.type = type_of(options.letters);
  return make_family(std::move(records), source, "the sequences");
}

AlignSettings settings_of(const Options& options, ResidueType type) {
  MethodChoices choices;
  if (options.tree != "upgma" && options.tree != "nj") {
    throw Error(ErrorKind::usage, "tree " + options.tree + ": no such method", "use upgma or nj");
  }
  choices.tree = options.tree == "nj" ? TreeMethod::neighbor_joining : TreeMethod::upgma;
  AlignSettings settings = make_settings(choices, type);
  settings.confidence = options.confidence;
  return settings;
}

/// What a call computes with.
class Devices {
 public:
  explicit Devices(const Options& options) {
    set_thread_count(options.threads > 0 ? options.threads : available_processors());
    backends_ = open_backends(choose_devices(options.device));
    scheduler_ = backends_.scheduler();
  }
  Scheduler& scheduler() { return *scheduler_; }

 private:
  OpenBackends backends_;
  std::unique_ptr<Scheduler> scheduler_;
};

AlignedRows rows_of(const std::vector<Sequence>& alignment, const char* source) {
  AlignedRows rows;
  rows.source = source;
  for (const Sequence& row : alignment) {
    rows.names.push_back(row.name);
    rows.rows.push_back(row.letters);
    std::replace(rows.rows.back().begin(), rows.rows.back().end(), '.', '-');
  }
  return rows;
}

}  // namespace

std::string version() { return ACCORD_VERSION; }

Alignment align(const std::vector<Sequence>& sequences, const Options& options) {
  const SequenceSet set = family_of(sequences, options);
  const AlignSettings settings = settings_of(options, set.type());
  Devices devices(options);
  const AlignResult result = align_sequences(set, settings, devices.scheduler());
  const AlignmentText text =
      make_alignment_text(set, result.msa, result.confidence ? &*result.confidence : nullptr);
  Alignment alignment;
  for (std::size_t k = 0; k < text.rows.size(); ++k) {
    alignment.rows.push_back({sequences[k].name, text.rows[k]});
  }
  alignment.tree = format_newick(result.tree, set);
  alignment.column_confidence = text.column_confidence;
  if (result.confidence) alignment.mean_confidence = result.confidence->mean;
  return alignment;
}

std::string tree(const std::vector<Sequence>& sequences, const Options& options) {
  const SequenceSet set = family_of(sequences, options);
  const AlignSettings settings = settings_of(options, set.type());
  Devices devices(options);
  const DistanceMatrix distances = compute_distances(set, settings, devices.scheduler());
  return format_newick(build_tree(set, distances, settings, devices.scheduler()), set);
}

std::vector<PosteriorCell> posteriors(const std::string& x, const std::string& y,
                                      const Options& options) {
  const SequenceSet set = family_of({{"x", x}, {"y", y}}, options);
  const PosteriorModel model =
      build_posterior_model(settings_of(options, set.type()).parameters, set.type());
  Devices devices(options);
  const PosteriorSet all = compute_posteriors(set, PairSet::all(2), model, devices.scheduler());
  // Stored with the longer sequence first; the caller's first one may be the shorter.
  const SparseMatrix matrix = set.from_input(0) == 0 ? all.at(0, 1) : all.at(0, 1).transposed();
  std::vector<PosteriorCell> cells;
  for (std::uint32_t i = 0; i < matrix.rows(); ++i) {
    matrix.for_each_in_row(i, [&](std::uint32_t j, std::uint32_t units) {
      cells.push_back({i, j, ACCORD_FRACTION_OF_UNITS(units)});
    });
  }
  return cells;
}

Score score(const std::vector<Sequence>& alignment, const std::vector<Sequence>& reference) {
  const accord::Score found =
      score_alignment(rows_of(alignment, "the alignment"), rows_of(reference, "the reference"));
  return {found.sum_of_pairs(), found.total_column()};
}

}  // namespace accord::api
