// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <future>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "app/cli/options.hpp"
#include "app/devices/device_choice.hpp"
#include "method/pipeline.hpp"

namespace accord {

// What the commands that compute have in common.

/// The files that a run reads: those of the line, and those that options of its method name.
/// Throws  as check_options.
std::vector<std::string> input_files(const RunOptions& options, const MethodOptions& method = {});

/// Refuses outputs of which two are the same file, or one is an input, through whatever links;
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

/// What the backends compute first of an alignment.
std::vector<BackendStage> first_stages(const MethodOptions& method);

/// What a command computes with: the backends for --device, a scheduler over them, and a display of
/// the progress.
class Computation {
 public:
  /// Opens the backends, which get ready for these stages from now on: best before the input is
  /// read. --device auto leaves little work to the host without touching OpenCL, since a GPU's
  /// driver takes longer to start; lets the host compute until a GPU is ready, if there may be one;
  /// and takes no GPU without double precision if that is needed.
  /// Throws  as choose_devices and open_backends; those of a GPU that the host stands in for are
  ///         warnings.
  Computation(const RunOptions& options, const std::vector<BackendStage>& stages, double work,
              bool needs_doubles = false);

  /// Calls `body` with the scheduler and with a listener that shows the progress on stderr while
  /// `body` runs, warns of the faults of devices, and returns the result of `body`.
  template <class Body>
  auto run(const Body& body) {
    auto result = [&] {
      ProgressMeter progress(style_);
      return body(*scheduler_, progress);
    }();
    if (opening_.valid()) opening_.wait();
    warn_of(scheduler_->faults());
    return result;
  }

  /// Lets the backends get ready for another stage.
  void announce(BackendStage stage);
  /// The backends in words, for messages.
  std::string names() const;
  /// Whether devices compute, or may come to.
  bool expects_devices() const;
  /// Where it was computed, and what went wrong there so far; when all devices are open.
  DeviceUse use() const;

 private:
  void open_behind(const ComputeOptions& options, bool needs_doubles);

  ProgressStyle style_;
  mutable std::mutex mutex_;  // for the two that follow, while devices are opened
  std::vector<BackendStage> stages_;
  OpenBackends backends_;
  std::unique_ptr<Scheduler> scheduler_;
  std::future<void> opening_;  // of devices that the host stands in for; last: it uses the others
};

}  // namespace accord
