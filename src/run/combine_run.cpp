// SPDX-License-Identifier: Apache-2.0
#include "run/combine_run.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>

#include "base/parallel.hpp"
#include "method/large/add_sequences.hpp"
#include "method/large/merge_alignments.hpp"
#include "method/track_weight.hpp"
#include "run/estimate/estimate.hpp"

namespace accord::run {
namespace {

/// What `combine` makes with settings that have the weight of the tracks, see track_weight.
template <class Combine>
CombinedAlignment with_track_weight(const SequenceSet& set, const AlignSettings& settings,
                                    Scheduler& scheduler, const Combine& combine) {
  const std::optional<TrackWeight> track = track_weight(set, settings, scheduler);
  CombinedAlignment combined = combine(with_weight(settings, track));
  combined.track = track;
  return combined;
}

}  // namespace

CombinedAlignment add(const GivenAlignments& given, const AlignSettings& settings,
                      const RunContext& context) {
  warn_of_fragments(given);
  const SequenceSet& set = given.set();
  const AlignedPart& part = given.parts().front();
  check_memory(work_of_adding(set, part.members.size(), settings.large_effort), worst_case(),
               settings, thread_count(), context.memory_budget);
  return context.devices.compute([&](Scheduler& scheduler) {
    return with_track_weight(set, settings, scheduler, [&](const AlignSettings& weighted) {
      return add_sequences(set, part, weighted, scheduler, context.listener);
    });
  });
}

CombinedAlignment merge(const GivenAlignments& given, const AlignSettings& settings,
                        const RunContext& context) {
  const SequenceSet& set = given.set();
  const std::size_t rows = std::max(kMergedRows, kLeastMergedRows * given.parts().size());
  check_memory(work_of_backbone(set, rows, settings.large_effort), worst_case(), settings,
               thread_count(), context.memory_budget);
  return context.devices.compute([&](Scheduler& scheduler) {
    return with_track_weight(set, settings, scheduler, [&](const AlignSettings& weighted) {
      return merge_alignments(set, given.parts(), weighted, scheduler, context.listener);
    });
  });
}

}  // namespace accord::run
