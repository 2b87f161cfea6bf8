// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "accord/cli/options.hpp"
#include "accord/core/sequence_set.hpp"
#include "accord/devices/device_choice.hpp"
#include "accord/method/estimate.hpp"
#include "accord/method/pipeline.hpp"

namespace accord {

// What the commands that compute have in common before they do.

/// The records as a family, of the type that was asked for or that the letters suggest; `label`
/// names it in messages.
/// Errors  Error{bad_input} for nucleotides and proteins together, unless a type was asked for.
SequenceSet make_family(std::vector<SequenceRecord> records, const InputOptions& options,
                        const std::string& label);

/// The inputs of a family in messages: "a.fa, b.fa".
std::string family_label(const InputOptions& options);

/// A file that was read or written.
struct FileDigest {
  std::string path;  ///< as it was named
  std::size_t bytes = 0;
  std::string sha256;
};

/// Reads the sequences of all inputs, one input after the other, as one family. What the inputs
/// were is added to `digests`, if it is given.
/// Errors  as read_sequences, make_family and check_size.
SequenceSet read_family(const InputOptions& options, std::vector<FileDigest>* digests = nullptr);

/// The settings of an alignment of a family of that type.
/// Errors  Error{usage} for an unknown mode.
AlignSettings make_settings(const MethodOptions& options, ResidueType type);

/// Checks, before any work, that each of the files can be written and that no two are the same;
/// empty paths are left out.
/// Errors  Error{cannot_create}; Error{usage}.
void check_outputs(const std::vector<std::string>& files);

/// The work of aligning the inputs (see file_work), before they are read: infinite if one is not a
/// regular file.
double input_work(const InputOptions& options);

/// Whether --device auto leaves a run to the host, which is done before a GPU's driver has started.
bool is_for_host(const ComputeOptions& options, double work);

/// The backends for --device, which get ready for these stages meanwhile. OpenCL is not touched if
/// is_for_host().
/// Errors  as choose_devices and open_backends.
OpenBackends open_backends(const ComputeOptions& options, const std::vector<BackendStage>& stages,
                           double work);

/// A family and the distances of its pairs.
struct FamilyDistances {
  SequenceSet set;
  DistanceMatrix distances;
};

/// Reads a family and computes its distances, of which `purpose` is made.
/// Errors  as read_family and check_memory; what the stages throw.
FamilyDistances family_distances(const InputOptions& input, const MethodOptions& method,
                                 const ComputeOptions& compute, Purpose purpose,
                                 Scheduler& scheduler, ProgressListener& progress);

/// Opens the backends for --device, calls `body` with a scheduler over them and with what shows the
/// progress, and warns of faults of the devices. `stages` are those that `body` needs, `work` how
/// much it is. Errors  as open_backends; what `body` throws.
void with_scheduler(const ComputeOptions& compute, const MessageOptions& messages,
                    const std::vector<BackendStage>& stages, double work,
                    const std::function<void(Scheduler&, ProgressListener&)>& body);

/// Refuses a family that is larger than --max-seqs and --max-length allow.
/// Errors  Error{bad_input}
void check_size(const SequenceSet& set, const InputOptions& options);

/// Applies what the options say about messages, threads and time.
void apply_common(const MessageOptions& messages, const ComputeOptions& compute);

}  // namespace accord
