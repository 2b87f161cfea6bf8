// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <utility>

#include "accord/api/given.hpp"
#include "api/call.hpp"
#include "io/trees/distance_writer.hpp"
#include "run/distance_run.hpp"
#include "run/family/prepared_family.hpp"

namespace accord::api {
namespace {

run::DistanceQuery query_of(const DistanceOptions& wanted) {
  run::DistanceQuery query{wanted.aligned, wanted.percent_id, {}};
  query.columns.model = wanted.model;
  query.columns.others = other_distance_models();
  query.columns.counts_unknown = wanted.count_unknown;
  if (!wanted.over.empty()) query.columns.over = identity_over(wanted.over, "identity_over");
  return query;
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

/// The words of the units, in the order of DistanceUnit.
constexpr std::array kUnits = {"distance", "percent_identity", "count"};

DistanceUnit unit_of(const std::string& word) {
  const auto found = std::ranges::find(kUnits, word);
  return found == kUnits.end() ? DistanceUnit::distance
                               : static_cast<DistanceUnit>(found - kUnits.begin());
}

}  // namespace

Distances distances(const std::vector<Sequence>& sequences, const DistanceOptions& wanted,
                    const Options& options) {
  return call(options, [&](const WarningScope& scope) {
    const run::DistanceQuery query = query_of(wanted);
    query.check();
    Distances found;
    found.unit = kUnits[static_cast<std::size_t>(query.unit())];
    if (wanted.aligned) {
      const AlignedFamily aligned = aligned_family_of(sequences, options);
      set_values(found, column_distances(aligned.rows, aligned.set, query.columns, aligned.label),
                 aligned.set);
    } else {
      const PreparedFamily family =
          prepare_family(family_of(sequences, options), method_of(options), options.confidence);
      CallRun call_run(options);
      set_values(found, run::family_distances(family, query, call_run.context()), family.set());
    }
    found.warnings = notices_of(scope);
    return found;
  });
}

std::string format(const Distances& distances, const std::string& format) {
  const std::optional<DistanceFormat> named = distance_format_named(format);
  if (!named) {
    throw Error(ErrorKind::usage, "format " + format + ": distances are not written so",
                std::string("use ") + kDistanceFormats);
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
