// SPDX-License-Identifier: Apache-2.0
#include <optional>
#include <utility>

#include "accord/api/given.hpp"
#include "api/call.hpp"
#include "io/distance_writer.hpp"
#include "method/large/large_family.hpp"
#include "method/pipeline.hpp"
#include "phylogeny/column_distances.hpp"
#include "run/estimate/estimate.hpp"

namespace accord::api {
namespace {

ColumnDistances columns_of(const DistanceOptions& wanted) {
  ColumnDistances columns;
  columns.model = wanted.model;
  columns.counts_unknown = wanted.count_unknown;
  if (!wanted.over.empty()) columns.over = identity_over(wanted.over, "identity_over");
  return columns;
}

bool needs_columns(const DistanceOptions& wanted) {
  return wanted.aligned || wanted.percent_id || !wanted.model.empty();
}

void check_options(const DistanceOptions& wanted) {
  if (wanted.percent_id && !wanted.model.empty()) {
    throw Error(ErrorKind::usage, "percent_id is no distance of a model",
                "leave out model, or percent_id");
  }
  if ((wanted.count_unknown || !wanted.over.empty()) && !needs_columns(wanted)) {
    throw Error(ErrorKind::usage, "these distances are of posteriors, not of columns",
                "use aligned, percent_id or model=\"p\"");
  }
  check_column_distances(columns_of(wanted));
}

/// The rows of the alignment that align() makes.
std::vector<std::string> aligned_rows(const SequenceSet& set, const AlignSettings& settings,
                                      const Options& options, Scheduler& scheduler) {
  check_memory(set, settings, thread_count(), budget_of(options));
  ProgressAdapter progress(options.progress);
  const AlignResult result = align_sequences(set, settings, scheduler, {{}, &progress});
  return make_alignment_text(set, result.msa).rows.texts();
}

DistanceMatrix distances_of_family(const FamilyInput& input, const DistanceOptions& wanted,
                                   const Options& options) {
  const SequenceSet& set = input.set;
  const AlignSettings settings = settings_of(options, set.type());
  Devices devices(options);
  DistanceMatrix found;
  if (needs_columns(wanted)) {
    found = column_distances(aligned_rows(set, settings, options, devices.scheduler()), set,
                             columns_of(wanted), input.label);
  } else {
    check_memory(set, settings, thread_count(), budget_of(options), Purpose::distances);
    ProgressAdapter progress(options.progress);
    found = compute_distances(set, settings, devices.scheduler(), &progress);
  }
  warn_of(devices.use().faults);
  return found;
}

void set_values(Distances& distances, const DistanceMatrix& matrix, const SequenceSet& set) {
  distances.names = whole_names(set);
  distances.values.reserve(set.size() * set.size());
  for (std::size_t k = 0; k < set.size(); ++k) {
    for (std::size_t l = 0; l < set.size(); ++l) {
      distances.values.push_back(matrix.at(set.from_input(k), set.from_input(l)));
    }
  }
}

DistanceUnit unit_of(const std::string& word) {
  if (word == "percent_identity") return DistanceUnit::percent_identity;
  return word == "count" ? DistanceUnit::count : DistanceUnit::distance;
}

}  // namespace

Distances distances(const std::vector<Sequence>& sequences, const DistanceOptions& wanted,
                    const Options& options) {
  return call(options, [&](const WarningScope& scope) {
    check_options(wanted);
    Distances found;
    found.unit = wanted.percent_id                                        ? "percent_identity"
                 : columns_of(wanted).in_columns() == DistanceModel::snps ? "count"
                                                                          : "distance";
    if (wanted.aligned) {
      const AlignedFamily aligned = aligned_family_of(sequences, options);
      set_values(found,
                 column_distances(aligned.rows, aligned.set, columns_of(wanted), aligned.label),
                 aligned.set);
    } else {
      const FamilyInput input = family_of(sequences, options);
      set_values(found, distances_of_family(input, wanted, options), input.set);
    }
    found.warnings = notices_of(scope);
    return found;
  });
}

std::string format(const Distances& distances, const std::string& format) {
  const std::optional<DistanceFormat> named = distance_format_named(format);
  if (!named) {
    throw Error(ErrorKind::usage, "format " + format + ": distances are not written so",
                "use phylip, phylip-lower, tsv, csv or pairs");
  }
  const std::size_t size = distances.names.size();
  if (distances.values.size() != size * size) {
    throw Error(ErrorKind::bad_input, "the distances do not have the shape of their names");
  }
  std::vector<SequenceRecord> records;
  for (const std::string& name : distances.names) {
    records.push_back({name, {}, name.size()});
  }
  const SequenceSet set(std::move(records), ResidueType::protein);
  DistanceMatrix matrix(size);
  for (std::size_t k = 0; k < size; ++k) {
    for (std::size_t l = 0; l < k; ++l) {
      matrix.set(set.from_input(k), set.from_input(l), distances.values[k * size + l]);
    }
  }
  return format_distances(matrix, set, *named, unit_of(distances.unit));
}

}  // namespace accord::api
