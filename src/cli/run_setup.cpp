// SPDX-License-Identifier: Apache-2.0
#include "accord/cli/run_setup.hpp"

#include <cstdio>
#include <filesystem>
#include <limits>

#include "accord/base/error.hpp"
#include "accord/base/log.hpp"
#include "accord/base/parallel.hpp"
#include "accord/cli/process_guard.hpp"
#include "accord/files/output_file.hpp"
#include "accord/method/estimate.hpp"

namespace accord {
namespace {

/// Whether --device auto leaves a run to the host, which is done before a GPU's driver has started.
bool is_for_host(const ComputeOptions& options, double work) {
  constexpr double kDriverSeconds = 1;  // 1.3 on a machine with four H200
  return options.device == "auto" && host_seconds(work, thread_count()) < kDriverSeconds;
}

OpenBackends open_backends_for(const ComputeOptions& options, double work) {
  const bool host_alone = is_for_host(options, work);
  if (host_alone) log_verbose("auto         none: the host needs less than a second");
  return open_backends(choose_devices(host_alone ? "none" : options.device), options.opencl);
}

/// Refuses an output that would replace an input.
void check_not_input(const std::string& file, const std::vector<std::string>& inputs) {
  for (const std::string& input : inputs) {
    if (input.empty() || input == "-" || !is_same_output(file, input)) continue;
    throw Error(ErrorKind::usage, "the output " + file + " would replace the input " + input,
                "choose another name");
  }
}

}  // namespace

void start_run(const RunOptions& options) {
  set_verbosity(options.messages.verbosity);
  if (!options.messages.log.empty()) set_log_file(options.messages.log);
  if (options.compute.time_limit) set_time_limit(*options.compute.time_limit);
  set_thread_count(chosen_threads(options.compute));
}

void log_stage(const StageRecord& stage) {
  char line[160];
  std::snprintf(line, sizeof line, "%-12s %9.3f s  %s", stage.name.c_str(), stage.seconds,
                stage.detail.c_str());
  log_verbose(line);
}

void check_outputs(const std::vector<std::string>& wanted, const std::vector<std::string>& inputs) {
  std::vector<std::string> files;
  for (const std::string& file : wanted) {
    if (file.empty()) continue;
    for (const std::string& other : files) {
      if (is_same_output(file, other)) {
        throw Error(ErrorKind::usage, "two outputs to " + (file == "-" ? "stdout" : file),
                    "name a file for each, or use -o");
      }
    }
    files.push_back(file);
  }
  for (const std::string& file : files) {
    check_not_input(file, inputs);
    check_output_writable(file);
  }
}

double input_work(const FamilySource& source) {
  double letters = 0;
  for (const std::string& file : source.files) {
    std::error_code error;
    const std::uintmax_t bytes = std::filesystem::file_size(file, error);
    if (error) return std::numeric_limits<double>::infinity();
    letters += file_letters(file, bytes);
  }
  return file_work(letters);
}

Computation::Computation(const RunOptions& options, const std::vector<BackendStage>& stages,
                         double work)
    : style_(progress_style(options.messages)),
      backends_(open_backends_for(options.compute, work)),
      scheduler_(backends_.scheduler()) {
  for (const BackendStage stage : stages) backends_.announce(stage);
}

DeviceUse Computation::use() const {
  return {backends_.used, backends_.names(), scheduler_->faults()};
}

}  // namespace accord
