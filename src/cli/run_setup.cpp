// SPDX-License-Identifier: Apache-2.0
#include "accord/cli/run_setup.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <iterator>
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

OpenBackends open_backends_for(const ComputeOptions& options, double work, bool needs_doubles) {
  const bool host_alone = is_for_host(options, work);
  if (host_alone) log_verbose("auto         none: the host needs less than a second");
  DeviceChoice choice = choose_devices(host_alone ? "none" : options.device);
  if (needs_doubles && options.device == "auto") {
    std::erase_if(choice.devices, [](const ocl::DeviceInfo& device) { return !device.has_double; });
  }
  return open_backends(choice, options.opencl);
}

/// Refuses outputs of which two are the same, or one would replace an input.
void check_names(const std::vector<std::string>& outputs, const std::vector<std::string>& inputs) {
  for (auto file = outputs.begin(); file != outputs.end(); ++file) {
    for (auto other = outputs.begin(); other != file; ++other) {
      if (!is_same_output(*file, *other)) continue;
      throw Error(ErrorKind::usage, "two outputs to " + (*file == "-" ? "stdout" : *file),
                  "name a file for each, or use -o");
    }
    for (const std::string& input : inputs) {
      if (input.empty() || input == "-" || !is_same_output(*file, input)) continue;
      throw Error(ErrorKind::usage, "the output " + *file + " would replace the input " + input,
                  "choose another name");
    }
  }
}

}  // namespace

std::vector<std::string> input_files(const RunOptions& options, const MethodChoices& method) {
  std::vector<std::string> files = options.input.files;
  files.push_back(method.parameters_file);
  files.push_back(method.tree_file);
  return files;
}

void start_run(const RunOptions& options, const std::vector<std::string>& inputs,
               const std::vector<std::string>& outputs) {
  set_verbosity(options.messages.verbosity);
  std::vector<std::string> files;
  std::copy_if(outputs.begin(), outputs.end(), std::back_inserter(files),
               [](const std::string& file) { return !file.empty(); });
  const std::string& log = options.messages.log;
  std::vector<std::string> names = files;
  if (!log.empty()) names.push_back(log);
  check_names(names, inputs);
  if (!log.empty()) set_log_file(log);
  for (const std::string& file : files) check_output_writable(file);
  if (options.compute.time_limit) set_time_limit(*options.compute.time_limit);
  set_thread_count(chosen_threads(options.compute));
}

void log_stage(const StageRecord& stage) {
  char line[160];
  std::snprintf(line, sizeof line, "%-12s %9.3f s  %s", stage.name.c_str(), stage.seconds,
                stage.detail.c_str());
  log_verbose(line);
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
                         double work, bool needs_doubles)
    : style_(progress_style(options.messages)),
      backends_(open_backends_for(options.compute, work, needs_doubles)),
      scheduler_(backends_.scheduler()) {
  for (const BackendStage stage : stages) backends_.announce(stage);
}

DeviceUse Computation::use() const {
  return {backends_.used, backends_.names(), scheduler_->faults()};
}

}  // namespace accord
