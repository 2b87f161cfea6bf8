// SPDX-License-Identifier: Apache-2.0
#include "run/column_distance_run.hpp"

#include "io/formats/alignment_text.hpp"
#include "run/align_run.hpp"

namespace accord::run {

DistanceUnit DistanceQuery::unit() const {
  if (percent_identity) return DistanceUnit::percent_identity;
  return columns.in_columns() == DistanceModel::snps ? DistanceUnit::count : DistanceUnit::distance;
}

DistanceMatrix distances_in_columns(const FamilyInput& family, const AlignSettings& settings,
                                    const ColumnDistances& wanted, const RunContext& context) {
  const AlignResult aligned = align(family.set, settings, context);
  return column_distances(make_alignment_text(family.set, aligned.msa).rows.texts(), family.set,
                          wanted, family.label);
}

}  // namespace accord::run
