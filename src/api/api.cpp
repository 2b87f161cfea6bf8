// SPDX-License-Identifier: Apache-2.0
#include "accord/api/api.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <limits>
#include <memory>
#include <optional>
#include <utility>

#include "app/devices/device_choice.hpp"
#include "app/estimate/estimate.hpp"
#include "app/report/report.hpp"
#include "base/log.hpp"
#include "base/option_words.hpp"
#include "base/parallel.hpp"
#include "base/system_limits.hpp"
#include "base/timer.hpp"
#include "io/aligned_reader.hpp"
#include "io/family_reader.hpp"
#include "io/files/text_input.hpp"
#include "io/formats/alignment_text.hpp"
#include "io/formats/formats.hpp"
#include "io/formats/odd_characters.hpp"
#include "io/newick.hpp"
#include "method/large/large_family.hpp"
#include "method/pipeline.hpp"
#include "tools/scoring.hpp"

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

Letters letters_of(ResidueType type) {
  switch (type) {
    case ResidueType::dna:
      return Letters::dna;
    case ResidueType::rna:
      return Letters::rna;
    case ResidueType::protein:
      break;
  }
  return Letters::protein;
}

FamilyInput family_of(const std::vector<Sequence>& sequences, const Options& options) {
  if (sequences.empty()) throw Error(ErrorKind::bad_input, "there are no sequences");
  std::vector<SequenceRecord> records;
  for (const Sequence& sequence : sequences) {
    SequenceRecord record{sequence.name, {}};
    for (const char c : sequence.letters) {
      if (c == '-' || c == '.') continue;
      if (!is_sequence_letter(c)) {
        throw Error(ErrorKind::bad_input, "sequence " + quote(sequence.name) + ": " +
                                              format_character(c) + " is not a sequence character");
      }
      record.letters += c;
    }
    records.push_back(std::move(record));
  }
  FamilyInput input;
  input.source.type = type_of(options.letters);
  input.label = "the sequences";
  input.set = make_family(std::move(records), input.source, input.label);
  return input;
}

FamilyInput family_of_files(const std::vector<std::string>& files, const Options& options) {
  if (files.empty()) throw Error(ErrorKind::usage, "there are no files");
  FamilySource source;
  source.files = files;
  source.type = type_of(options.letters);
  return read_family(source, true);
}

AlignSettings settings_of(const Options& options, ResidueType type) {
  MethodOptions method;
  if (!options.tree.empty() && options.tree != "upgma" && options.tree != "nj") {
    throw Error(ErrorKind::usage, "tree " + options.tree + ": no such method", "use upgma or nj");
  }
  method.mode = align_mode(options.mode, "mode");
  if (options.tree == "upgma") method.tree = TreeMethod::upgma;
  if (options.tree == "nj") method.tree = TreeMethod::neighbor_joining;
  method.large = large_families(options.large, "large");
  if (!options.parameters.empty()) {
    method.parameters =
        parse_parameter_set(read_text(options.parameters), input_label(options.parameters));
  }
  AlignSettings settings = make_settings(method, type);
  settings.confidence = options.confidence;
  return settings;
}

std::optional<std::size_t> budget_of(const Options& options) {
  return options.memory > 0 ? std::optional(options.memory) : usual_memory_budget();
}

/// An option as Options has it (`type` for its letters): device="none". Others are the program's.
std::string option_words(const std::string& name, const std::string& value) {
  constexpr std::array kOwn = {"confidence", "device",  "large", "memory", "mode",
                               "parameters", "threads", "tree",  "type"};
  const bool is_own = std::ranges::find(kOwn, name) != kOwn.end();
  if (value.empty()) return is_own ? name : "option " + name + " of the program";
  if (!is_own) return "option " + name + " " + value + " of the program";
  return name + (name == "threads" ? "=" + value : "=\"" + value + "\"");
}

/// What `body` returns; hints of errors name options as Options does.
template <class Body>
auto in_own_words(const Body& body) {
  try {
    return body();
  } catch (const Error& error) {
    throw Error(error.kind(), error.what(), with_option_words(error.hint(), option_words));
  }
}

/// A call with a number of threads and warnings of its own.
template <class Body>
auto call(const Options& options, const Body& body) {
  const OwnThreadCount threads(options.threads > 0 ? options.threads : available_processors());
  const WarningScope scope;
  return in_own_words([&] { return body(scope); });
}

/// What a call computes with.
class Devices {
 public:
  explicit Devices(const Options& options)
      : backends_(open_backends(choose_devices(options.device))),
        scheduler_(backends_.scheduler()) {}
  Scheduler& scheduler() { return *scheduler_; }
  DeviceUse use() const { return {backends_.used, backends_.names(), scheduler_->faults()}; }

 private:
  OpenBackends backends_;
  std::unique_ptr<Scheduler> scheduler_;
};

/// Tells the caller's function what the stages tell.
class ProgressAdapter : public ProgressListener {
 public:
  explicit ProgressAdapter(const Progress& progress) : progress_(progress) {}

  void begin(const std::string& stage, const std::string&, std::uint64_t,
             std::uint64_t work) override {
    stage_ = stage;
    all_ = work;
    done_ = 0;
    if (progress_) progress_(stage_, 0);
  }

  void advance(std::uint64_t, std::uint64_t work) override {
    const std::uint64_t done = done_.fetch_add(work) + work;
    if (!progress_) return;
    progress_(stage_,
              all_ == 0 ? 0 : std::min(1.0, static_cast<double>(done) / static_cast<double>(all_)));
  }

 private:
  const Progress& progress_;
  std::string stage_;  // written between stages, when nobody advances
  std::uint64_t all_ = 0;
  std::atomic<std::uint64_t> done_{0};
};

/// The confidence of each residue in its column, row by row in the order of the input.
std::vector<float> spread_confidence(const SequenceSet& set, const Msa& msa,
                                     const Confidence& confidence) {
  std::vector<float> all(set.size() * msa.columns, std::numeric_limits<float>::quiet_NaN());
  for (std::size_t k = 0; k < set.size(); ++k) {
    const std::size_t x = set.from_input(k);
    for (std::size_t i = 0; i < msa.column_of[x].size(); ++i) {
      all[k * msa.columns + msa.column_of[x][i]] = confidence.residue[x][i];
    }
  }
  return all;
}

Alignment align_input(const FamilyInput& input, const Options& options, const WarningScope& scope) {
  const Timer timer;
  const double cpu_before = process_cpu_seconds();
  const SequenceSet& set = input.set;
  const AlignSettings settings = settings_of(options, set.type());
  const std::optional<std::size_t> budget = budget_of(options);
  check_memory(set, settings, thread_count(), budget);
  Devices devices(options);
  ProgressAdapter progress(options.progress);
  const AlignResult result = align_sequences(set, settings, devices.scheduler(), {{}, &progress});
  const DeviceUse use = devices.use();
  warn_of(use.faults);

  Alignment alignment;
  alignment.letters = letters_of(set.type());
  const Confidence* confidence = result.confidence ? &*result.confidence : nullptr;
  const AlignmentText text = make_alignment_text(set, result.msa, confidence);
  for (std::size_t k = 0; k < text.rows.size(); ++k) {
    alignment.rows.push_back({text.headers[k], text.rows[k]});
  }
  alignment.tree = format_newick(result.tree, set);
  if (confidence != nullptr) {
    alignment.column_confidence = confidence->column;
    alignment.residue_confidence = spread_confidence(set, result.msa, *confidence);
    alignment.mean_confidence = confidence->mean;
  }
  const auto cost = [&] {
    RunCost spent = run_cost(timer, budget);
    spent.cpu_seconds -= cpu_before;
    return spent;
  };
  alignment.report = format_report({input, settings, result, use, cost}, result_rows(text), {});
  for (const Warning& warning : scope.warnings()) {
    alignment.warnings.push_back({warning.text, with_option_words(warning.hint, option_words)});
  }
  return alignment;
}

/// An alignment that a caller has, as if it had been read.
AlignedFamily aligned_family_of(const Alignment& alignment) {
  AlignedFamily aligned;
  aligned.label = "the alignment";
  std::vector<SequenceRecord> records;
  for (const Sequence& row : alignment.rows) {
    if (row.letters.size() != alignment.rows.front().letters.size()) {
      throw Error(ErrorKind::bad_input, "the rows of the alignment differ in length");
    }
    aligned.rows.push_back(row.letters);
    std::replace(aligned.rows.back().begin(), aligned.rows.back().end(), '.', '-');
    SequenceRecord record{row.name, aligned.rows.back()};
    std::erase(record.letters, '-');
    records.push_back(std::move(record));
  }
  aligned.set =
      SequenceSet(std::move(records), type_of(alignment.letters).value_or(ResidueType::protein));
  return aligned;
}

/// What formats show of the confidence; nothing if the alignment has none.
std::optional<Confidence> confidence_of(const Alignment& alignment, const AlignedFamily& aligned) {
  const std::size_t columns = aligned.columns(), cells = columns * aligned.rows.size();
  if (alignment.residue_confidence.empty() || alignment.column_confidence.empty()) {
    return std::nullopt;
  }
  if (alignment.residue_confidence.size() != cells ||
      alignment.column_confidence.size() != columns) {
    throw Error(ErrorKind::bad_input, "the confidence does not have the shape of the alignment");
  }
  Confidence confidence;
  confidence.column = alignment.column_confidence;
  confidence.mean = alignment.mean_confidence;
  confidence.residue.resize(aligned.rows.size());
  for (std::size_t k = 0; k < aligned.rows.size(); ++k) {
    for (std::size_t c = 0; c < columns; ++c) {
      if (aligned.rows[k][c] == '-') continue;
      confidence.residue[aligned.set.from_input(k)].push_back(
          alignment.residue_confidence[k * columns + c]);
    }
  }
  return confidence;
}

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
  return call(options, [&](const WarningScope& scope) {
    return align_input(family_of(sequences, options), options, scope);
  });
}

Alignment align_files(const std::vector<std::string>& files, const Options& options) {
  return call(options, [&](const WarningScope& scope) {
    return align_input(family_of_files(files, options), options, scope);
  });
}

std::string format(const Alignment& alignment, const std::string& format) {
  const std::optional<AlignmentFormat> found = format_named(format);
  if (!found || !is_writable(*found)) {
    throw Error(ErrorKind::usage, "format " + format + ": it cannot be written",
                "use " + writable_formats());
  }
  const WarningScope scope;  // names that had to be changed were told of when it was aligned
  return in_own_words([&] {
    const AlignedFamily aligned = aligned_family_of(alignment);
    const std::optional<Confidence> confidence = confidence_of(alignment, aligned);
    return format_alignment(text_of(aligned, {}, confidence ? &*confidence : nullptr), *found);
  });
}

std::string tree(const std::vector<Sequence>& sequences, const Options& options) {
  return call(options, [&](const WarningScope&) {
    const SequenceSet set = family_of(sequences, options).set;
    const AlignSettings settings = settings_of(options, set.type());
    check_memory(set, settings, thread_count(), budget_of(options), Purpose::tree);
    Devices devices(options);
    ProgressAdapter progress(options.progress);
    const DistanceMatrix distances =
        compute_distances(set, settings, devices.scheduler(), &progress);
    return format_newick(build_tree(set, distances, settings, devices.scheduler()), set);
  });
}

std::vector<PosteriorCell> posteriors(const std::string& x, const std::string& y,
                                      const Options& options) {
  return call(options, [&](const WarningScope&) {
    const SequenceSet set = family_of({{"x", x}, {"y", y}}, options).set;
    const PosteriorFamily family(set, settings_of(options, set.type()).parameters);
    Devices devices(options);
    ProgressAdapter progress(options.progress);
    const PosteriorSet all =
        compute_posteriors(family, PairSet::all(2), devices.scheduler(), &progress);
    // Stored with the longer sequence first; the caller's first one may be the shorter.
    const SparseMatrix matrix = set.from_input(0) == 0 ? all.at(0, 1) : all.at(0, 1).transposed();
    std::vector<PosteriorCell> cells;
    for (std::uint32_t i = 0; i < matrix.rows(); ++i) {
      matrix.for_each_in_row(i, [&](std::uint32_t j, std::uint32_t units) {
        cells.push_back({i, j, ACCORD_FRACTION_OF_UNITS(units)});
      });
    }
    return cells;
  });
}

Score score(const std::vector<Sequence>& alignment, const std::vector<Sequence>& reference) {
  const accord::Score found = in_own_words([&] {
    return score_alignment(rows_of(alignment, "the alignment"),
                           rows_of(reference, "the reference"));
  });
  return {found.sum_of_pairs(), found.total_column()};
}

}  // namespace accord::api
