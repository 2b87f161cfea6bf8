// SPDX-License-Identifier: Apache-2.0
#include "run/distance_run.hpp"

#include "accord/base/error.hpp"
#include "base/parallel.hpp"
#include "io/formats/alignment_text.hpp"
#include "method/family_posteriors.hpp"
#include "run/align_run.hpp"
#include "run/alignment_stages.hpp"
#include "run/estimate/estimate.hpp"

namespace accord::run {

DistanceUnit DistanceQuery::unit() const {
  if (percent_identity) return DistanceUnit::percent_identity;
  return columns.in_columns() == DistanceModel::snps ? DistanceUnit::count : DistanceUnit::distance;
}

void DistanceQuery::check() const {
  if (columns.over && !needs_columns()) {
    throw Error(ErrorKind::usage, "an identity is of columns; these distances are of posteriors",
                "add {percent-id} or {aligned}");
  }
  if (percent_identity && !columns.model.empty()) {
    throw Error(ErrorKind::usage, "identities in per cent are no distances of a model",
                "leave out {model}, or {percent-id}");
  }
  if (columns.counts_unknown && !needs_columns()) {
    throw Error(ErrorKind::usage, "unknown letters are counted in differences alone",
                "use {model=p} or {model=snps}");
  }
  check_column_distances(columns);
}

DistanceMatrix family_distances(const PreparedFamily& family, const DistanceQuery& query,
                                const RunContext& context) {
  const SequenceSet& set = family.set();
  if (!query.needs_columns()) return distances(set, family.settings, context);
  const AlignResult aligned = align(family, context);
  return column_distances(make_alignment_text(set, aligned.msa).rows.texts(), set, query.columns,
                          family.input.label);
}

DistanceMatrix distances(const SequenceSet& set, const AlignSettings& settings,
                         const RunContext& context) {
  check_memory(set, settings, whole_family(set), thread_count(), context.memory_budget,
               FamilyOutput::distances);
  expect_stages({{"posteriors", 1, true}}, context);
  return context.devices.compute([&](Scheduler& scheduler) {
    return compute_distances(set, settings, scheduler, context.listener.progress);
  });
}

}  // namespace accord::run
