// SPDX-License-Identifier: Apache-2.0
#pragma once
#include "core/sequence_set.hpp"
#include "method/pipeline.hpp"
#include "method/settings.hpp"
#include "run/devices/run_context.hpp"

namespace accord::run {

/// Aligns a family of any size (see align_sequences).
/// Throws  Error{out_of_memory} if the alignment does not fit the memory budget; as
///         align_sequences.
AlignResult align(const SequenceSet& set, const AlignSettings& settings, const RunContext& context);

}  // namespace accord::run
