// SPDX-License-Identifier: Apache-2.0
#include "run/combine_run.hpp"

#include <algorithm>
#include <cstddef>

#include "base/parallel.hpp"
#include "method/large/add_sequences.hpp"
#include "method/large/merge_alignments.hpp"
#include "run/estimate/estimate.hpp"

namespace accord::run {

CombinedAlignment add(const GivenAlignments& given, const AlignSettings& settings,
                      const RunContext& context) {
  warn_of_fragments(given);
  const SequenceSet& set = given.set();
  const AlignedPart& part = given.parts().front();
  check_memory(work_of_adding(set, part.members.size(), settings.large_effort), worst_case(),
               settings, thread_count(), context.memory_budget);
  return context.devices.compute([&](Scheduler& scheduler) {
    return add_sequences(set, part, settings, scheduler, context.listener);
  });
}

CombinedAlignment merge(const GivenAlignments& given, const AlignSettings& settings,
                        const RunContext& context) {
  const SequenceSet& set = given.set();
  const std::size_t rows = std::max(kMergedRows, kLeastMergedRows * given.parts().size());
  check_memory(work_of_backbone(set, rows, settings.large_effort), worst_case(), settings,
               thread_count(), context.memory_budget);
  return context.devices.compute([&](Scheduler& scheduler) {
    return merge_alignments(set, given.parts(), settings, scheduler, context.listener);
  });
}

}  // namespace accord::run
