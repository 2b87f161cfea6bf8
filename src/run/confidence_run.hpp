// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "core/confidence.hpp"
#include "io/families/aligned_reader.hpp"
#include "method/settings.hpp"
#include "run/devices/run_context.hpp"

namespace accord::run {

/// Computes the confidence of the columns c of an alignment with kept[c]. The other columns must
/// have no residues, and the result leaves them out.
/// Throws  Error{out_of_memory} if the posteriors do not fit the memory budget; as
///         compute_confidence.
Confidence confidence(const AlignedFamily& aligned, const std::vector<bool>& kept,
                      const AlignSettings& settings, const RunContext& context);

}  // namespace accord::run
