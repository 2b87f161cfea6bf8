// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "accord/batch/batch_list.hpp"
#include "accord/batch/batch_record.hpp"
#include "accord/cli/options.hpp"
#include "accord/core/sequence_set.hpp"
#include "accord/schedule/scheduler.hpp"

namespace accord {

/// What has become of a family of a batch.
enum class FamilyStatus { aligned, complete, failed, not_started };

/// "aligned", "complete" (by an earlier run), "failed" or "not started".
const char* to_string(FamilyStatus status);

/// A family of a batch at its end.
struct FamilyOutcome {
  FamilyStatus status = FamilyStatus::not_started;
  std::size_t sequences = 0;
  std::size_t columns = 0;
  double seconds = 0;  ///< from the begin of its alignment, waiting for others included
  std::string input_sha256, output_sha256;  ///< of an aligned family, of the bytes of the files
  std::string error;                        ///< of a failed family
};

/// How a batch is run.
struct BatchLimits {
  int cores = 1;
  int in_flight = 1;                  ///< families that are worked on at the same time, at most
  std::size_t memory_bytes = 0;       ///< for all families in flight, see family_memory()
  std::optional<std::size_t> budget;  ///< of the run; a family that alone needs more is refused
};

/// Aligns the families, in their order as far as they start, and writes each with its line in the
/// record. Each family in flight has a thread, whose stack is the state of the family; it holds
/// cores while it computes, none while it waits for a device. Stages on devices are those of the
/// scheduler, so the families share its batches.
///
/// A family that fails does not stop the others. An error that concerns all of them (an output
/// cannot be written) stops the start of further families, unless options.keep_going is set.
/// `progress` shows how many families are done.
/// Result   one outcome a family, in their order.
std::vector<FamilyOutcome> run_batch(const std::vector<BatchFamily>& families,
                                     const BatchOptions& options, const BatchLimits& limits,
                                     Scheduler& scheduler, BatchRecord& record,
                                     ProgressListener& progress);

}  // namespace accord
