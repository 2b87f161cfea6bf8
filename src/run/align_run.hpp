// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "method/align_result.hpp"
#include "run/devices/run_context.hpp"
#include "run/family/prepared_family.hpp"

namespace accord::run {

/// Aligns a family of any size (see align_sequences).
/// Throws  Error{out_of_memory} if the alignment does not fit the memory budget; as
///         align_sequences.
AlignResult align(const PreparedFamily& family, const RunContext& context);

}  // namespace accord::run
