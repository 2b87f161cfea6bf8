// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <vector>

#include "accord/app/device_choice.hpp"
#include "accord/app/options.hpp"
#include "accord/app/pipeline.hpp"
#include "accord/core/sequence_set.hpp"

namespace accord {

// What the commands that compute have in common before they do.

/// The records as a family, of the type that was asked for or that the letters suggest.
SequenceSet make_family(std::vector<SequenceRecord> records, const InputOptions& options);

/// Reads a file of sequences: read_sequences, then make_family.
SequenceSet read_family(const InputOptions& options);

/// The settings of an alignment of a family of that type.
/// Errors  Error{usage} for an unknown mode.
AlignSettings make_settings(const MethodOptions& options, ResidueType type);

/// Checks, before any work, that each of the files can be written and that no two are the same;
/// empty paths are left out.
/// Errors  Error{cannot_create}; Error{usage}.
void check_outputs(const std::vector<std::string>& files);

/// The backends for --device.
/// Errors  as choose_devices and open_backends.
OpenBackends open_backends(const ComputeOptions& options);

/// Refuses a family that is larger than --max-seqs and --max-length allow.
/// Errors  Error{bad_input}
void check_size(const SequenceSet& set, const InputOptions& options);

/// Applies what the options say about messages, threads and time.
void apply_common(const MessageOptions& messages, const ComputeOptions& compute);

}  // namespace accord
