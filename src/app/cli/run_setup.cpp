// SPDX-License-Identifier: Apache-2.0
#include "app/cli/run_setup.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <iterator>
#include <limits>
#include <system_error>
#include <unordered_map>
#include <utility>

#include "accord/base/error.hpp"
#include "app/cli/process_guard.hpp"
#include "app/estimate/estimate.hpp"
#include "base/log.hpp"
#include "base/parallel.hpp"
#include "engine/host/host_backend.hpp"
#include "io/files/output_file.hpp"

namespace accord {
namespace {

/// Whether --device auto leaves a run to the host, which is done before a GPU's driver has started.
bool is_for_host(const ComputeOptions& options, double work) {
  constexpr double kDriverSeconds = 1;  // 1.3 on a machine with four H200
  return options.device == "auto" && host_seconds(work, thread_count()) < kDriverSeconds;
}

OpenBackends open_backends_for(const ComputeOptions& options, bool needs_doubles) {
  DeviceChoice choice = choose_devices(options.device);
  if (needs_doubles && options.device == "auto") {
    std::erase_if(choice.devices, [](const ocl::DeviceInfo& device) { return !device.has_double; });
  }
  return open_backends(choice, options.opencl);
}

/// Whether the system has a node of a GPU's driver. Without one its OpenCL, if there is any, is
/// asked at once, which takes no time then.
bool may_have_gpu() {
  constexpr std::array nodes = {"/dev/nvidiactl", "/dev/kfd", "/dev/dri", "/dev/dxg"};
  return std::any_of(nodes.begin(), nodes.end(), [](const char* node) {
    std::error_code error;
    return std::filesystem::exists(node, error);
  });
}

}  // namespace

void check_apart(const std::vector<std::string>& outputs, const std::vector<std::string>& inputs) {
  std::unordered_map<std::string, std::string> named;  // by what it leads to
  for (const std::string& input : inputs) {
    // Of standard input a file that it is redirected from.
    if (!input.empty()) named.emplace(file_identity(input == "-" ? "/dev/fd/0" : input), input);
  }
  std::unordered_map<std::string, std::string> written;
  for (const std::string& output : outputs) {
    if (output.empty()) continue;
    const std::string identity = file_identity(output);
    if (identity.empty()) continue;
    if (const auto input = named.find(identity); input != named.end()) {
      throw Error(ErrorKind::usage,
                  "the output " + (output == "-" ? "to stdout" : output) +
                      " would replace the input " + input->second,
                  "choose another name");
    }
    const auto [other, is_new] = written.emplace(identity, output);
    if (is_new) continue;
    const std::string first = other->second == "-" ? "stdout" : other->second;
    const std::string second = output == "-" ? "stdout" : output;
    throw Error(
        ErrorKind::usage,
        "two outputs to " + second + (first == second ? "" : ", which is " + first + ", too"),
        "name a file for each, or use -o");
  }
}

std::vector<std::string> input_files(const RunOptions& options, const MethodOptions& method) {
  check_options(method);
  std::vector<std::string> files = options.input.files;
  std::ranges::copy(method.files(), std::back_inserter(files));
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
  check_apart(names, inputs);
  if (!log.empty()) set_log_file(log);
  for (const std::string& file : files) check_output_writable(file);
  if (options.compute.time_limit) set_time_limit(*options.compute.time_limit);
  set_thread_count(chosen_threads(options.compute));
}

std::vector<BackendStage> first_stages(const MethodOptions& method) {
  std::vector<BackendStage> stages = {method.is_local() ? BackendStage::local_pairs
                                                        : BackendStage::posteriors};
  if (method.tree_method() == TreeMethod::neighbor_joining)
    stages.push_back(BackendStage::neighbor_joining);
  return stages;
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
    : style_(progress_style(options.messages)), stages_(stages) {
  const ComputeOptions& compute = options.compute;
  if (is_for_host(compute, work)) {
    log_verbose("auto         none: the host needs less than a second");
    backends_ = open_backends(choose_devices("none"), compute.opencl);
  } else if (compute.device == "auto" && compute.opencl.kernel_directory.empty() &&
             may_have_gpu()) {
    open_behind(compute, needs_doubles);
    return;
  } else {
    backends_ = open_backends_for(compute, needs_doubles);
  }
  scheduler_ = backends_.scheduler();
  for (const BackendStage stage : stages) backends_.announce(stage);
}

/// The host computes while devices are opened.
void Computation::open_behind(const ComputeOptions& options, bool needs_doubles) {
  backends_.host = std::make_unique<HostBackend>();
  backends_.host_role = HostRole::until_devices_ready;
  scheduler_ = backends_.scheduler();
  const auto open = [this, options, needs_doubles] {
    try {
      OpenBackends opened = open_backends_for(options, needs_doubles);
      const std::lock_guard lock(mutex_);
      for (const BackendStage stage : stages_) opened.announce(stage);
      scheduler_->add_devices(opened.devices_to_use());
      opened.host = std::move(backends_.host);  // the one that computes
      backends_ = std::move(opened);
    } catch (const Error& error) {
      log_warning(std::string(error.what()) + "; the host goes on alone",
                  "see 'accord devices --check'");
      scheduler_->add_devices({});
      const std::lock_guard lock(mutex_);
      backends_.host_role = HostRole::works;
      backends_.used = {used_host(*backends_.host)};
    }
    log_verbose("ready        " + names());
  };
  try {
    opening_ = std::async(std::launch::async, open);
  } catch (const std::system_error&) {
    open();  // the system gives no thread for it
  }
}

void Computation::announce(BackendStage stage) {
  const std::lock_guard lock(mutex_);
  stages_.push_back(stage);
  backends_.announce(stage);
}

std::string Computation::names() const {
  const std::lock_guard lock(mutex_);
  return backends_.names();
}

bool Computation::expects_devices() const {
  const std::lock_guard lock(mutex_);
  return !backends_.devices.empty() || backends_.host_role == HostRole::until_devices_ready;
}

DeviceUse Computation::use() const {
  if (opening_.valid()) opening_.wait();
  return {backends_.used, backends_.names(), scheduler_->faults()};
}

}  // namespace accord
