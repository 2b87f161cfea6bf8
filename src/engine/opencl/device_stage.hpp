// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "engine/backend.hpp"
#include "engine/opencl/program.hpp"

namespace accord::ocl {

/// A stage on one device, with the buffers that it keeps from call to call.
class DeviceStage {
 public:
  virtual ~DeviceStage() = default;
  /// Computes a call, which is of this stage.
  /// Throws  Error{out_of_memory} if the device gives too little for a single item; cl::Error.
  virtual void run(const StageCall& call) = 0;
};

/// The kernels and limits of a stage on a device.
struct StageOnDevice {
  std::vector<KernelChoice> kernels;
  std::optional<StageLimits> limits = StageLimits();  ///< nothing if the stage is not computed
  /// Whether a call uses the memory of all stages and keeps none of it for the next call. The other
  /// stages alternate: each plans with half of the memory and keeps its buffers.
  bool takes_all = false;
  std::function<std::unique_ptr<DeviceStage>(const Session&)> open;
};

}  // namespace accord::ocl
