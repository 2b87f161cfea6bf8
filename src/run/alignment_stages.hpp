// SPDX-License-Identifier: Apache-2.0
// The stages that an alignment needs. Devices prepare for a stage that they know early.
#pragma once
#include <cstddef>
#include <vector>

#include "engine/backend.hpp"
#include "method/settings.hpp"
#include "run/devices/run_devices.hpp"

namespace accord {

/// The stages that every alignment by a method needs, whatever its family.
std::vector<BackendStage> first_stages(const MethodOptions& method);

/// The stages that alignments of any families by a method may need.
std::vector<BackendStage> all_stages(const MethodOptions& method);

/// Has the devices prepare for consistency, if a family with `backbone` sequences in the whole
/// method gets rounds of it.
void announce_consistency(const AlignSettings& settings, std::size_t backbone, RunDevices& devices);

}  // namespace accord
