// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/progress_listener.hpp"
#include "engine/scheduler.hpp"
#include "io/families/family_reader.hpp"
#include "io/files/output_file.hpp"
#include "io/formats/formats.hpp"
#include "method/align_result.hpp"
#include "method/settings.hpp"
#include "run/batch/batch_list.hpp"
#include "run/batch/batch_record.hpp"
#include "run/devices/run_devices.hpp"

namespace accord {

/// The input, the outputs and the options of a batch.
struct BatchSettings {
  FamilySource source;    ///< its files are the sources of list_families()
  std::string directory;  ///< of the outputs
  AlignmentFormat format = AlignmentFormat::fasta;
  Shard shard;  ///< for reports and the record; the caller selects its families by shard_of()
  MethodOptions method;
  bool resume = false;          ///< skip families that are complete in the record
  bool keep_going = false;      ///< go on after an error that concerns all families
  bool with_checksums = false;  ///< of inputs and outputs, for the report

  /// Returns further outputs to write with the alignment of a family; may be empty. Threads call it
  /// at the same time, for different families. The outputs may refer to the arguments.
  std::function<std::vector<Output>(const BatchFamily&, const SequenceSet&, const AlignResult&)>
      beside;
  bool beside_confidence = false;  ///< whether outputs beside the alignments need it
  std::string beside_name;         ///< names the outputs of `beside`, for the record
};

/// The resources of a batch.
struct BatchLimits {
  int cpus = 1;
  int in_flight = 1;  ///< most families that are worked on at the same time
  /// The estimated bytes that all families in flight take together. A family that needs more by
  /// itself runs alone.
  std::size_t memory_bytes = 0;
  /// The memory of the run, in bytes. A family that needs more by itself fails. Not set: no limit.
  std::optional<std::size_t> budget;
};

/// The limits for a run with a number of CPUs, with or without devices. `budget`: the memory of the
/// run, in bytes; not set: not known, and the families in flight share 8 GiB.
BatchLimits batch_limits(int cpus, bool has_devices, std::optional<std::size_t> budget);

/// The families of all shards of the batch, with their tracks: list_families and name_tracks for
/// its settings.
/// Throws  as list_families, name_tracks and check_tracks.
std::vector<BatchFamily> families_of(const BatchSettings& settings);

/// Aligns the families, writes their outputs, and adds them to the record. Families start in their
/// order. Each family in flight has a thread, which holds CPUs while it computes and none while it
/// waits for a device. All families use one scheduler, so that they share its batches.
///
/// A family that fails does not stop the others. An error that concerns all of them (an output
/// cannot be written) stops the start of further families, unless settings.keep_going is set.
/// `progress` receives the number of finished families.
/// Returns  one outcome for each family, in their order.
std::vector<FamilyOutcome> run_batch(const std::vector<BatchFamily>& families,
                                     const BatchSettings& settings, const BatchLimits& limits,
                                     Scheduler& scheduler, BatchRecord& record,
                                     ProgressListener& progress);

namespace run {

/// The same with the devices, the memory budget and the progress of a run. The context must have a
/// listener of the progress.
std::vector<FamilyOutcome> batch(const std::vector<BatchFamily>& families,
                                 const BatchSettings& settings, BatchRecord& record,
                                 const RunContext& context);

}  // namespace run

}  // namespace accord
