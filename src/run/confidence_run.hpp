// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "core/confidence.hpp"
#include "io/aligned_reader.hpp"
#include "method/settings.hpp"
#include "run/devices/run_context.hpp"

namespace accord::run {

/// The confidence of the columns of an alignment that are `kept`; no other column may have
/// residues.
/// Throws  Error{out_of_memory} if that does not fit the memory budget; as compute_confidence.
Confidence confidence(const AlignedFamily& aligned, const std::vector<bool>& kept,
                      const AlignSettings& settings, const RunContext& context);

}  // namespace accord::run
