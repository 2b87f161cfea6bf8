// SPDX-License-Identifier: Apache-2.0
#include "run/align_run.hpp"

#include "base/parallel.hpp"
#include "method/family_posteriors.hpp"
#include "method/large/large_family.hpp"
#include "method/structures/lddt.hpp"
#include "run/alignment_stages.hpp"
#include "run/estimate/estimate.hpp"

namespace accord::run {

AlignResult align(const PreparedFamily& family, const RunContext& context) {
  check_memory(family, thread_count(), context.memory_budget);
  announce_consistency(family.settings, family.plan.backbone, context.devices);
  expect_stages(stages_of_alignment(family, context), context);
  AlignResult result = context.devices.compute([&](Scheduler& scheduler) {
    return align_sequences(family.set(), family.settings, family.plan, scheduler, context.listener);
  });
  if (result.confidence) result.lddt = alignment_lddt(family.set(), result.msa);
  return result;
}

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
