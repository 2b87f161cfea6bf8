// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <vector>

#include "engine/backend.hpp"
#include "engine/opencl/program.hpp"
#include "engine/stage.hpp"

namespace accord::ocl {

/// A stage on one device, with the buffers that it keeps from call to call.
class DeviceStage {
 public:
  virtual ~DeviceStage() = default;
  /// Computes a call, which must be of this stage, and stores its results where the call says. One
  /// thread at a time may call it.
  /// Throws  Error{out_of_memory} if the device gives too little for a single item; cl::Error.
  virtual void run(const StageCall& call) = 0;
};

/// The kernels and limits of a stage on a device.
struct StageOnDevice {
  std::vector<KernelChoice> kernels;
  std::optional<StageLimits> limits = StageLimits();  ///< no value: the device does not compute it
  /// Whether a call of the stage uses the memory of all stages, and keeps no buffer for its next
  /// call. Every other stage plans with half of the memory, and keeps its buffers from call to
  /// call.
  bool takes_all = false;
  /// Opens the stage on a device; the session must outlive the result.
  std::function<std::unique_ptr<DeviceStage>(const Session&)> open;
};

}  // namespace accord::ocl

namespace accord {

/// Makes the stage of a type of call, as the value of Call::stage. `name` and `position` are those
/// of Stage. The caller must have declared host::compute(processor, call),
/// ocl::stage_on(device, std::type_identity<Call>()) and Call::self_test before.
template <class Call>
constexpr Stage stage_of(const char* name, int position) {
  return {.name = name,
          .position = position,
          .compute_on_host = [](const host::Processor& processor,
                                const StageCall& call) { compute(processor, call.get<Call>()); },
          .on_device =
              [](const ocl::DeviceInfo& device) {
                return stage_on(device, std::type_identity<Call>());
              },
          .self_test = Call::self_test};
}

}  // namespace accord
