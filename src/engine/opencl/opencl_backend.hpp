// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string>

#include "engine/backend.hpp"
#include "engine/opencl/device.hpp"
#include "engine/opencl/opencl_settings.hpp"

namespace accord {

/// Computes batches on one OpenCL device. Kernels are compiled once: during other work if their
/// stage is announced, or else when they are needed. A GPU computes up to three batches at the same
/// time, depending on its memory; each has a queue and an equal part of the memory.
/// Throws  for every fault that OpenCL reports: Error{out_of_memory} if memory ran out, else
///         Error{device_failed}.
class OpenClBackend : public Backend {
 public:
  /// Opens the device.
  /// Throws  Error{device_failed} if that fails or the device is unusable.
  explicit OpenClBackend(const ocl::DeviceInfo& device, const ocl::OpenClSettings& settings = {});
  ~OpenClBackend() override;

  std::string name() const override;
  std::uint32_t concurrent_batches() const override;
  std::size_t warm_up_batches(std::uint32_t concurrent) const override;
  bool uses_host_processors() const override;
  std::optional<StageLimits> limits(const Stage& stage) const override;
  void announce(const Stage& stage) override;
  using Backend::compute;
  void compute(const StageCall& call, std::uint32_t memory_parts) override;

 private:
  struct Device;
  std::unique_ptr<Device> device_;
};

namespace ocl {

/// A text of all that the results of a stage on a device depend on: the device, the driver, and a
/// hash of every kernel of the stage that a backend on the device can use.
/// Throws  Error{no_input} if a file of the kernel directory cannot be read.
std::string kernel_identity(const Stage& stage, const DeviceInfo& device,
                            const OpenClSettings& settings);

}  // namespace ocl

}  // namespace accord
