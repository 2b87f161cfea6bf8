// SPDX-License-Identifier: Apache-2.0
// The stages that an alignment needs. A device that learns of a stage early prepares for it.
#pragma once
#include <cstddef>
#include <vector>

#include "engine/backend.hpp"
#include "engine/progress_listener.hpp"
#include "method/settings.hpp"
#include "run/devices/run_devices.hpp"
#include "run/family/prepared_family.hpp"

namespace accord {

/// The stages that every alignment by a method needs, whatever its family.
std::vector<const Stage*> first_stages(const MethodOptions& method);

/// The stages that alignments of any families by a method may need.
std::vector<const Stage*> all_stages(const MethodOptions& method);

/// Has the devices prepare for the consistency stage, if the settings have a round of it for
/// `backbone` sequences. This is the number of sequences that are aligned with the whole method.
void announce_consistency(const AlignSettings& settings, std::size_t backbone, RunDevices& devices);

/// The expected_stages() of aligning a family on the devices of a run.
std::vector<ExpectedStage> stages_of_alignment(const PreparedFamily& family,
                                               const RunContext& context);

/// Tells the listener of a run, if it has one, which stages the run will have.
void expect_stages(const std::vector<ExpectedStage>& stages, const RunContext& context);

}  // namespace accord
