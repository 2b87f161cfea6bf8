// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>

#include "engine/backend.hpp"
#include "engine/opencl/device.hpp"
#include "engine/opencl/opencl_settings.hpp"

namespace accord {

/// Compares a backend with the host: runs the self-test of each of these stages that the backend
/// computes.
/// Returns  an empty text if all bits agree, else the place of the first difference.
/// Throws  what the backend throws.
/// Cost    a fraction of a second on a processor.
std::string compare_with_host(Backend& backend, std::span<const Stage* const> stages);

/// Whether the disk cache says that the device has passed the test of each stage, with the same
/// driver and kernels.
bool has_passed_self_test(std::span<const Stage* const> stages, const ocl::DeviceInfo& device,
                          const ocl::OpenClSettings& settings);

/// Tests a device with these stages by compare_with_host(). The disk cache keeps the stages that
/// have passed; the others are tested again at the next use of the device.
/// Returns  the fault that was found; empty if there is none.
/// Throws  nothing from OpenCL: an Error of the backend is returned as a fault.
std::string run_self_test(Backend& backend, std::span<const Stage* const> stages,
                          const ocl::DeviceInfo& device, const ocl::OpenClSettings& settings);

}  // namespace accord
