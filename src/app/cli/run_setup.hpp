// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "app/cli/failure_report.hpp"
#include "app/cli/options.hpp"
#include "io/families/input_alignment.hpp"
#include "method/align_result.hpp"
#include "run/devices/run_devices.hpp"
#include "run/family/prepared_family.hpp"
#include "stages/aligner_stages.hpp"

namespace accord {

// Steps that all commands that compute have in common.

/// The paths of the files that a run reads: the input files, the files of tracks, and the files
/// that options of the method name.
std::vector<std::string> named_files(const RunOptions& options, const MethodOptions& method);

/// Checks the options of the method with check_options(), then returns named_files(). (`accord
/// verify` only calls named_files(): its options complete those of a report.)
/// Throws  as check_options.
std::vector<std::string> input_files(const RunOptions& options, const MethodOptions& method = {});

/// Refuses outputs if two of them are the same file, or one is an input. Links are followed, and
/// empty paths are left out.
/// Throws  Error{usage}
/// Cost    a system call a path.
void check_apart(const std::vector<std::string>& outputs, const std::vector<std::string>& inputs);

/// Begins a run: sets the log file, the file of the timeline, the time limit and the number of
/// threads as the options say. Checks that each output can be written, and, as check_apart() does,
/// that the outputs and the log are different files and no inputs. Empty paths are left out. From
/// then on, also if an output cannot be written, a failure writes the report that `report` names.
/// Throws  Error{cannot_create}; Error{usage}; as chosen_threads and set_time_limit.
void start_run(const RunOptions& options, const std::vector<std::string>& inputs,
               const std::vector<std::string>& outputs, const ExpectedReport& report = {});

/// Logs a stage that has ended, with its seconds; shown at -v.
void log_stage(const StageRecord& stage);

/// Logs the family, the devices and the seconds of reading (-v), and the parameters (-vv), of a run
/// that aligns.
void log_run(const PreparedFamily& family, const RunDevices& devices, double read_seconds);

/// Logs the weight of the tracks of a run, and how it was found; shown at -v. The stage
/// "superposition" has the other facts.
void log_facts(const FamilyFacts& facts);

/// Logs the time and the memory of a run; shown at -v.
void log_cost(const RunCost& cost);

/// The seconds that aligning the inputs takes on the host, estimated from the sizes of the files;
/// infinite if an input is no regular file.
double input_seconds(const FamilySource& source);

/// Reads the input of a command for trees or distances, see read_rows_or_sequences(). Options of
/// the method are for sequences, so that with such options an alignment is aligned anew.
RowsOrSequences read_for_distances(const RunOptions& options, const MethodOptions& method,
                                   bool is_aligned);

/// Opens the devices of a command. `stages`: the stages that the devices prepare for.
/// `host_seconds`: see DeviceRequest. `needs_doubles`: --device auto takes no GPU without double
/// precision. The run begins before all devices are ready.
/// Throws  as RunDevices.
RunDevices open_devices(const RunOptions& options, std::vector<const Stage*> stages,
                        double host_seconds, bool needs_doubles = false);

/// Calls `body` with the context of a run on the devices. The progress is shown on stderr while
/// `body` runs. `on_stage`, if not null, is called when a stage has ended.
/// Returns  what `body` returns.
template <class Body>
auto with_progress(const RunOptions& options, RunDevices& devices, const Body& body,
                   void (*on_stage)(const StageRecord&) = log_stage) {
  ProgressMeter progress(progress_style(options.messages));
  RunContext context{devices, memory_budget(options.compute), {.progress = &progress}};
  if (on_stage != nullptr) context.listener.on_stage = on_stage;
  return body(std::as_const(context));
}

}  // namespace accord
