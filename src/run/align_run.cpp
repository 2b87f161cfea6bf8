// SPDX-License-Identifier: Apache-2.0
#include "run/align_run.hpp"

#include "base/parallel.hpp"
#include "method/large/alike_genomes.hpp"
#include "method/large/large_family.hpp"
#include "run/alignment_stages.hpp"
#include "run/estimate/estimate.hpp"

namespace accord::run {

AlignResult align(const SequenceSet& set, const AlignSettings& settings,
                  const RunContext& context) {
  check_memory(set, settings, thread_count(), context.memory_budget);
  announce_consistency(settings, backbone_size(set, settings), context.devices);
  expect_stages(stages_of_alignment(set, settings, context), context);
  return context.devices.compute([&](Scheduler& scheduler) {
    return align_sequences(set, settings, scheduler, context.listener);
  });
}

}  // namespace accord::run
