// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "engine/backend.hpp"
#include "engine/opencl/device.hpp"
#include "engine/opencl/opencl_settings.hpp"

namespace accord {

/// Compares a backend with the host: runs the self-test of every stage that the backend computes.
/// Returns  an empty text if all bits agree, else the place of the first difference.
/// Throws  what the backend throws.
/// Cost    a fraction of a second on a processor.
std::string compare_with_host(Backend& backend);

/// Whether the disk cache says that the device has passed the test, with the same driver and
/// kernels.
bool has_passed_self_test(const ocl::DeviceInfo& device, const ocl::OpenClSettings& settings);

/// Tests a device by compare_with_host(). The disk cache keeps that a device has passed; a device
/// that failed is tested again at its next use.
/// Returns  the fault that was found; empty if there is none.
/// Throws  nothing from OpenCL: an Error of the backend is returned as a fault.
std::string run_self_test(Backend& backend, const ocl::DeviceInfo& device,
                          const ocl::OpenClSettings& settings);

}  // namespace accord
