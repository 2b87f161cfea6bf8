// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "accord/batch/batch_run.hpp"
#include "accord/cli/options.hpp"
#include "accord/cli/run_setup.hpp"
#include "accord/core/backend.hpp"
#include "accord/core/sequence_set.hpp"
#include "accord/devices/device_choice.hpp"
#include "accord/method/pipeline.hpp"

namespace accord {

/// What a run took.
struct RunCost {
  double wall_seconds;
  double cpu_seconds;      ///< user + system, all threads
  std::size_t peak_bytes;  ///< resident memory
};

/// Where a run was computed, and what went wrong there.
struct DeviceUse {
  std::vector<UsedDevice> devices;
  std::string names;  ///< of the devices, in words
  DeviceFaults faults;
  std::optional<std::size_t> memory_budget;  ///< of the host, bytes
};

/// A file that a run wrote.
struct WrittenFile {
  std::string kind;    ///< "alignment", "tree", ...: see the schema
  std::string format;  ///< of an alignment; else empty
  FileDigest file;     ///< without a check sum for the report itself
};

/// All that a report speaks of.
struct AlignRun {
  const AlignOptions& options;
  const SequenceSet& set;
  const AlignSettings& settings;
  const AlignResult& result;
  const DeviceUse& use;
  const RunCost& cost;
  std::vector<FileDigest> inputs;
  std::vector<WrittenFile> outputs;
};

/// The report of a run as JSON; report_schema() says what is in it.
std::string format_report(const AlignRun& run);

/// Every parameter of a run as one line of JSON.
std::string format_parameters(const AlignOptions& options, const SequenceSet& set,
                              const AlignSettings& settings);

/// A table of one line about a run, as MultiQC's custom content.
std::string format_multiqc(const AlignOptions& options, const SequenceSet& set,
                           const AlignResult& result, const DeviceUse& use, const RunCost& cost);

/// The report of a batch as JSON; report_schema() says what is in it.
std::string format_batch_report(const BatchOptions& options,
                                const std::vector<BatchFamily>& families,
                                const std::vector<FamilyOutcome>& outcomes, const DeviceUse& use,
                                const RunCost& cost);

}  // namespace accord
