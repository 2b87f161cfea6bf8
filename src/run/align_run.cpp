// SPDX-License-Identifier: Apache-2.0
#include "run/align_run.hpp"

#include "base/parallel.hpp"
#include "method/large/large_family.hpp"
#include "run/alignment_stages.hpp"
#include "run/estimate/estimate.hpp"

namespace accord::run {

AlignResult align(const PreparedFamily& family, const RunContext& context) {
  check_memory(family, thread_count(), context.memory_budget);
  announce_consistency(family.settings, family.plan.backbone, context.devices);
  expect_stages(stages_of_alignment(family, context), context);
  return context.devices.compute([&](Scheduler& scheduler) {
    return align_sequences(family.set(), family.settings, family.plan, scheduler, context.listener);
  });
}

}  // namespace accord::run
