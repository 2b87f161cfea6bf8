// SPDX-License-Identifier: Apache-2.0
#include "run/distance_run.hpp"

#include "base/parallel.hpp"
#include "method/family_posteriors.hpp"
#include "run/alignment_stages.hpp"
#include "run/estimate/estimate.hpp"

namespace accord::run {

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
