// SPDX-License-Identifier: Apache-2.0
// Which stages an alignment needs, so that devices get ready for them.
#pragma once
#include <cstddef>
#include <vector>

#include "engine/backend.hpp"
#include "method/settings.hpp"
#include "run/devices/run_devices.hpp"

namespace accord {

/// The stages that every alignment by a method needs, whatever its family.
std::vector<const Stage*> first_stages(const MethodOptions& method);

/// The stages that alignments of any families by a method may need.
std::vector<const Stage*> all_stages(const MethodOptions& method);

/// Lets the devices get ready for consistency, if a family has rounds of it; `backbone` sequences
/// of the family are aligned with the whole method.
void announce_consistency(const AlignSettings& settings, std::size_t backbone, RunDevices& devices);

}  // namespace accord
