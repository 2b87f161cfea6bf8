// SPDX-License-Identifier: Apache-2.0
#include "engine/opencl/kernel_compiler.hpp"

#include <algorithm>
#include <condition_variable>
#include <cstddef>
#include <mutex>

#include "base/parallel.hpp"
#include "base/system.hpp"

namespace accord::ocl {
namespace {

/// The first argument of a process that compiles. The others are the name of the device, the
/// members of KernelChoice, and the directory of kernels.
constexpr const char* kWord = "compile-kernel";
constexpr std::size_t kArguments = 7;

/// A process takes about 200 MiB, and some of the memory of the GPU.
constexpr int kMostProcesses = 6;

}  // namespace

bool compile_apart(const DeviceInfo& device, const KernelChoice& choice,
                   const std::string& kernel_directory) {
  static std::mutex mutex;
  static std::condition_variable freed;
  static int places = std::min(kMostProcesses, thread_count());
  {
    std::unique_lock lock(mutex);
    freed.wait(lock, [] { return places > 0; });  // ends, since compilers end
    --places;
  }
  const int code = run_this_program({kWord, device.name, choice.file, choice.entry, choice.defines,
                                     std::to_string(choice.group), kernel_directory});
  {
    const std::lock_guard lock(mutex);
    ++places;
  }
  freed.notify_one();
  return code == 0;
}

std::optional<int> serve_compile_apart(const std::vector<std::string>& arguments) {
  if (arguments.size() != kArguments || arguments.front() != kWord) return std::nullopt;
  constexpr unsigned kMostSeconds = 120;
  serve_in_background(kMostSeconds);
  const DeviceList list = list_devices();
  const auto device =
      std::find_if(list.devices.begin(), list.devices.end(),
                   [&](const DeviceInfo& info) { return info.name == arguments[1]; });
  if (device == list.devices.end()) return 1;
  OpenClSettings settings;
  settings.kernel_directory = arguments[6];
  build_kernel(Session(*device, settings),
               {arguments[2], arguments[3], arguments[4], std::stoul(arguments[5])});
  return 0;
}

}  // namespace accord::ocl
