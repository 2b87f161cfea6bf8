// SPDX-License-Identifier: Apache-2.0
#include "run/combine_run.hpp"

#include <algorithm>
#include <cstddef>

#include "base/parallel.hpp"
#include "method/large/add_sequences.hpp"
#include "method/large/merge_alignments.hpp"
#include "method/track_weight.hpp"
#include "run/estimate/estimate.hpp"

namespace accord::run {
namespace {

/// What `combine` makes with settings whose tracks have a weight, on the devices of a run.
template <class Combine>
CombinedAlignment combined_by(const Combine& combine, const SequenceSet& set,
                              const AlignSettings& settings, const RunContext& context) {
  return context.devices.compute([&](Scheduler& scheduler) {
    const WeightedSettings weighted = with_track_weight(set, settings, scheduler);
    CombinedAlignment combined = combine(weighted.settings, scheduler);
    combined.facts.track = weighted.track;
    return combined;
  });
}

}  // namespace

CombinedAlignment add(const GivenAlignments& given, const AlignSettings& settings,
                      const RunContext& context) {
  warn_of_fragments(given);
  const SequenceSet& set = given.set();
  const AlignedPart& part = given.parts().front();
  check_memory(work_of_adding(set, part.members.size(), settings.large_effort), worst_case(),
               settings, thread_count(), context.memory_budget);
  const auto combine = [&](const AlignSettings& weighted, Scheduler& scheduler) {
    return add_sequences(set, part, weighted, scheduler, context.listener);
  };
  return combined_by(combine, set, settings, context);
}

CombinedAlignment merge(const GivenAlignments& given, const AlignSettings& settings,
                        const RunContext& context) {
  const SequenceSet& set = given.set();
  const std::size_t rows = std::max(kMergedRows, kLeastMergedRows * given.parts().size());
  check_memory(work_of_backbone(set, rows, settings.large_effort), worst_case(), settings,
               thread_count(), context.memory_budget);
  const auto combine = [&](const AlignSettings& weighted, Scheduler& scheduler) {
    return merge_alignments(set, given.parts(), weighted, scheduler, context.listener);
  };
  return combined_by(combine, set, settings, context);
}

}  // namespace accord::run
