// SPDX-License-Identifier: Apache-2.0
#include "tools/column_distances.hpp"

#include <cmath>
#include <cstddef>

#include "accord/base/error.hpp"
#include "base/log.hpp"
#include "base/text.hpp"
#include "io/files/text_input.hpp"

namespace accord {
namespace {

/// Refuses a model that is none of differences in columns and none of others.
void check_other(const ColumnDistances& wanted) {
  if (wanted.others != nullptr) return wanted.others->check(wanted.model);
  throw Error(ErrorKind::usage, "model " + wanted.model + ": there is no such distance",
              "use p, snps, jc, k80, tn93 or kimura");
}

/// Names the pairs without a distance: NaN, or infinite if they differ too much.
void warn_of_pairs_without_distance(const DistanceMatrix& distances, const SequenceSet& set) {
  std::size_t unknown = 0, infinite = 0;
  std::string first_unknown, first_infinite;
  for (std::size_t l = 1; l < set.size(); ++l) {  // in the order of the input
    for (std::size_t k = 0; k < l; ++k) {
      const std::size_t x = set.from_input(k), y = set.from_input(l);
      const float distance = distances.at(x, y);
      if (std::isfinite(distance)) continue;
      const auto names = [&] { return quote(set.name(x)) + " and " + quote(set.name(y)); };
      if (std::isnan(distance)) {
        if (++unknown == 1) first_unknown = names();
      } else if (++infinite == 1) {
        first_infinite = names();
      }
    }
  }
  if (unknown > 0) {
    log_warning("NA: " + counted(unknown, "pair of rows has", "pairs of rows have") +
                    " no column to compare, such as " + first_unknown,
                "leave one of them out for programs that take numbers only");
  }
  if (infinite == 0) return;
  log_warning("NA: " + counted(infinite, "pair of rows differs", "pairs of rows differ") +
                  " more than the model can tell, such as " + first_infinite,
              "{model=p} has a number for them");
}

}  // namespace

void check_column_distances(const ColumnDistances& wanted) {
  const std::optional<DistanceModel> model = wanted.in_columns();
  if (!model) check_other(wanted);
  if (wanted.over && model != DistanceModel::p) {
    throw Error(ErrorKind::usage,
                "model " + wanted.model + " is no share of anything that could be chosen",
                "leave out {identity-over}, or use {model=p}");
  }
  if (wanted.counts_unknown && model != DistanceModel::p && model != DistanceModel::snps) {
    throw Error(ErrorKind::usage, "unknown letters count in differences alone",
                "use {model=p} or {model=snps}, or leave out {unknown=count}");
  }
}

DistanceMatrix column_distances(const std::vector<std::string>& rows, const SequenceSet& set,
                                const ColumnDistances& wanted, const std::string& label) {
  const std::optional<DistanceModel> model = wanted.in_columns();
  if (model && !is_of(*model, set.type())) {
    throw Error(ErrorKind::usage,
                "model " + wanted.model + " is not for " + std::string(to_string(set.type())),
                set.type() != ResidueType::protein ? "use p, snps, jc, k80 or tn93"
                : wanted.others != nullptr
                    ? "use p, kimura, or a model such as " + wanted.others->example
                    : "use p or kimura");
  }
  DistanceMatrix distances =
      model ? model_distances(
                  rows, set,
                  {*model, wanted.over.value_or(IdentityOver::aligned), wanted.counts_unknown})
            : wanted.others->distances(wanted.model, rows, set, label);
  warn_of_pairs_without_distance(distances, set);
  return distances;
}

}  // namespace accord
