// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>
#include <utility>
#include <vector>

#include "app/cli/options.hpp"
#include "method/pipeline.hpp"
#include "run/devices/run_context.hpp"
#include "stages/aligner_stages.hpp"

namespace accord {

// What the commands that compute have in common.

/// The files that a run reads: those of the line, and those that options of its method name.
/// Throws  as check_options.
std::vector<std::string> input_files(const RunOptions& options, const MethodOptions& method = {});

/// Refuses outputs if two are the same file, or one is an input, through whatever links;
/// empty paths are left out. Errors  Error{usage} Cost    a system call a path.
void check_apart(const std::vector<std::string>& outputs, const std::vector<std::string>& inputs);

/// Begins a run: messages, time limit and number of threads as the options say. Checks, before any
/// work, that each of the outputs can be written, that no two of them and the log are the same, and
/// that none is one of `inputs`, through links either; empty paths are left out.
/// Throws  Error{cannot_create}; Error{usage}, also as chosen_threads.
void start_run(const RunOptions& options, const std::vector<std::string>& inputs,
               const std::vector<std::string>& outputs);

/// Says at -v that a stage has ended.
void log_stage(const StageRecord& stage);

/// The work of aligning the inputs (see file_work), before they are read: infinite if one is not a
/// regular file.
double input_work(const FamilySource& source);

/// Opens the devices of a command for so much work (see DeviceRequest); with --device auto the host
/// computes until a GPU is ready.
/// Throws  as RunDevices.
RunDevices open_devices(const RunOptions& options, std::vector<const Stage*> stages, double work,
                        bool needs_doubles = false);

/// Calls `body` with the context of a run on some devices; its progress is shown on stderr while
/// `body` runs, and `on_stage` hears of its stages.
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
