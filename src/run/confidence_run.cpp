// SPDX-License-Identifier: Apache-2.0
#include "run/confidence_run.hpp"

#include "base/parallel.hpp"
#include "method/family_posteriors.hpp"
#include "run/alignment_stages.hpp"
#include "run/estimate/estimate.hpp"

namespace accord::run {

Confidence confidence(const AlignedFamily& aligned, const std::vector<bool>& kept,
                      const AlignSettings& settings, const RunContext& context) {
  const SequenceSet& set = aligned.set;
  check_memory(set, settings, whole_family(set), thread_count(), context.memory_budget,
               FamilyOutput::confidence);
  expect_stages({{"posteriors", 1, true}}, context);
  return context.devices.compute([&](Scheduler& scheduler) {
    return compute_confidence(msa_of(aligned, kept), set, settings, scheduler,
                              context.listener.progress);
  });
}

}  // namespace accord::run
