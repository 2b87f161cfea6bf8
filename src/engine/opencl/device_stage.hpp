// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <vector>

#include "engine/backend.hpp"
#include "engine/opencl/program.hpp"

namespace accord::ocl {

/// A stage on one device, with the buffers that it keeps from call to call.
class DeviceStage {
 public:
  virtual ~DeviceStage() = default;
  /// Computes a call, which must be of this stage.
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
  std::function<std::unique_ptr<DeviceStage>(const Session&)> open;
};

/// stage_on(device, type) describes a stage on a device. Each stage defines the function for the
/// type of its call, in its folder.
#define ACCORD_DECLARE_ON_DEVICE(Call) \
  StageOnDevice stage_on(const DeviceInfo& device, std::type_identity<Call>);
ACCORD_FOR_EACH_CALL(ACCORD_DECLARE_ON_DEVICE)
#undef ACCORD_DECLARE_ON_DEVICE

}  // namespace accord::ocl
