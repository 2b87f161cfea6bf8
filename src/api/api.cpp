// SPDX-License-Identifier: Apache-2.0
#include "accord/api/api.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "api/call.hpp"
#include "base/timer.hpp"
#include "io/formats/formats.hpp"
#include "io/newick.hpp"
#include "method/large/large_family.hpp"
#include "method/pipeline.hpp"
#include "run/estimate/estimate.hpp"
#include "run/report/report.hpp"
#include "tools/scoring.hpp"

namespace accord::api {
namespace {

FamilyInput family_of_files(const std::vector<std::string>& files, const Options& options) {
  if (files.empty()) throw Error(ErrorKind::usage, "there are no files");
  FamilySource source = source_of(options);
  source.files = files;
  return read_family(source, true);
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

  const Confidence* confidence = result.confidence ? &*result.confidence : nullptr;
  const AlignmentText text = make_alignment_text(set, result.msa, confidence);
  Alignment alignment = alignment_of(text);
  alignment.tree = format_newick(result.tree, set);
  if (confidence != nullptr) set_confidence(alignment, set, result.msa, *confidence);
  const auto cost = [&] {
    RunCost spent = run_cost(timer, budget);
    spent.cpu_seconds -= cpu_before;
    return spent;
  };
  alignment.report = format_report({input, settings, result, use, cost}, result_rows(text), {});
  alignment.warnings = notices_of(scope);
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
    return score_alignment(named_rows_of(alignment, "the alignment"),
                           named_rows_of(reference, "the reference"));
  });
  return {found.sum_of_pairs(), found.total_column()};
}

}  // namespace accord::api
