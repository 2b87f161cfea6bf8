// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "accord/app/batch_run.hpp"
#include "accord/app/options.hpp"
#include "accord/app/pipeline.hpp"
#include "accord/core/backend.hpp"
#include "accord/core/sequence_set.hpp"

namespace accord {

/// What a run took.
struct RunCost {
  double wall_seconds;
  double cpu_seconds;      ///< user + system, all threads
  std::size_t peak_bytes;  ///< resident memory
};

/// What computed, and what went wrong with it.
struct DeviceUse {
  std::string names;
  DeviceFaults faults;
};

/// The report of a run as JSON: version, parameters, input, device, stages, cost, warnings.
std::string format_report(const AlignOptions& options, const SequenceSet& set,
                          const AlignSettings& settings, const AlignResult& result,
                          const DeviceUse& use, const RunCost& cost);

/// Every parameter of a run as one line of JSON.
std::string format_parameters(const AlignOptions& options, const AlignSettings& settings);

/// A table of one line about a run, as MultiQC's custom content.
std::string format_multiqc(const AlignOptions& options, const SequenceSet& set,
                           const AlignResult& result, const DeviceUse& use, const RunCost& cost);

/// The report of a batch as JSON: version, parameters, device, every family, cost, warnings.
std::string format_batch_report(const BatchOptions& options,
                                const std::vector<BatchFamily>& families,
                                const std::vector<FamilyOutcome>& outcomes, const DeviceUse& use,
                                const RunCost& cost);

}  // namespace accord
