// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "engine/progress_listener.hpp"
#include "engine/scheduler.hpp"
#include "io/family_reader.hpp"
#include "io/files/output_file.hpp"
#include "io/formats/formats.hpp"
#include "method/pipeline.hpp"
#include "method/settings.hpp"
#include "run/batch/batch_list.hpp"
#include "run/batch/batch_record.hpp"
#include "run/batch/family_outcome.hpp"
#include "run/devices/run_context.hpp"

namespace accord {

/// What a batch is asked for.
struct BatchSettings {
  FamilySource source;    ///< its one file is a directory or a manifest (see list_families)
  std::string directory;  ///< of the outputs
  AlignmentFormat format = AlignmentFormat::fasta;
  Shard shard;
  MethodOptions method;
  bool resume = false;          ///< skip families that the record has as complete
  bool keep_going = false;      ///< go on after an error that concerns all families
  bool with_checksums = false;  ///< of inputs and outputs, for the report

  /// What else is written for a family, along with its alignment; may be empty.
  std::function<std::vector<Output>(const BatchFamily&, const SequenceSet&, const AlignResult&)>
      beside;
  bool beside_confidence = false;  ///< whether that needs the confidence
  std::string beside_name;         ///< its kind, for the record of complete families
};

/// How a batch is run.
struct BatchLimits {
  int cpus = 1;
  int in_flight = 1;                  ///< families that are worked on at the same time, at most
  std::size_t memory_bytes = 0;       ///< for all families in flight, see family_memory()
  std::optional<std::size_t> budget;  ///< of the run; a family that alone needs more is refused
};

/// The limits for a number of CPUs, with devices or without, and the memory that the run may use.
BatchLimits batch_limits(int cpus, bool has_devices, std::optional<std::size_t> budget);

/// The families of all shards of the batch: list_families for its settings.
/// Throws  as list_families.
std::vector<BatchFamily> families_of(const BatchSettings& settings);

/// Aligns the families, in their order as far as they start, and writes each with its line in the
/// record. Each family in flight has a thread, whose stack is the state of the family; it holds
/// CPUs while it computes, none while it waits for a device. Stages on devices are those of the
/// scheduler, so the families share its batches.
///
/// A family that fails does not stop the others. An error that concerns all of them (an output
/// cannot be written) stops the start of further families, unless settings.keep_going is set.
/// `progress` shows how many families are done.
/// Returns  one outcome a family, in their order.
std::vector<FamilyOutcome> run_batch(const std::vector<BatchFamily>& families,
                                     const BatchSettings& settings, const BatchLimits& limits,
                                     Scheduler& scheduler, BatchRecord& record,
                                     ProgressListener& progress);

namespace run {

/// The same with the devices, the memory budget and the progress of a run, which has a listener of
/// the progress.
std::vector<FamilyOutcome> batch(const std::vector<BatchFamily>& families,
                                 const BatchSettings& settings, BatchRecord& record,
                                 const RunContext& context);

}  // namespace run

}  // namespace accord
