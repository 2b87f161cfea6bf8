// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <vector>

#include "core/confidence.hpp"
#include "io/families/aligned_reader.hpp"
#include "method/align_result.hpp"
#include "method/settings.hpp"
#include "run/devices/run_devices.hpp"
#include "run/family/prepared_family.hpp"

namespace accord::run {

/// Aligns a family of any size (see align_sequences). With the confidence, structures get the lDDT.
/// Throws  Error{out_of_memory} if the alignment does not fit the memory budget; as
///         align_sequences.
AlignResult align(const PreparedFamily& family, const RunContext& context);

/// Computes the confidence of the columns c of an alignment with kept[c]. The other columns must
/// have no residues, and the result leaves them out.
/// Throws  Error{out_of_memory} if the posteriors do not fit the memory budget; as
///         compute_confidence.
Confidence confidence(const AlignedFamily& aligned, const std::vector<bool>& kept,
                      const AlignSettings& settings, const RunContext& context);

}  // namespace accord::run
