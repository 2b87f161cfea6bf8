// SPDX-License-Identifier: Apache-2.0
#include "run/family/prepared_family.hpp"

#include <utility>

#include "base/timeline.hpp"
#include "method/track_weight.hpp"

namespace accord {

AlignSettings family_settings(const FamilyInput& input, const MethodOptions& method,
                              bool has_confidence) {
  AlignSettings settings = make_settings(method, input.set.type());
  settings.confidence = has_confidence;
  use_tracks(input.source.track, settings);
  return settings;
}

PreparedFamily prepare_family(FamilyInput input, AlignSettings settings) {
  const TimelineSpan span(SpanKind::step, "plan");
  FamilyPlan plan = plan_family(input.set, settings);
  return {std::move(input), std::move(settings), std::move(plan)};
}

PreparedFamily prepare_family(FamilyInput input, const MethodOptions& method, bool has_confidence) {
  AlignSettings settings = family_settings(input, method, has_confidence);
  return prepare_family(std::move(input), std::move(settings));
}

}  // namespace accord
