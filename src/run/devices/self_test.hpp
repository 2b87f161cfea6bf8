// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <string>

#include "engine/backend.hpp"
#include "engine/opencl/device.hpp"
#include "engine/opencl/opencl_settings.hpp"

namespace accord {

/// Runs the self-test of every stage that the backend computes against the host.
/// Returns nothing if all bits agree, else where the first difference is.
/// Throws  what the backend throws.
/// Cost    a fraction of a second on a processor.
std::string compare_with_host(Backend& backend);

/// True if the device has passed the test before, with the same driver and kernel text.
bool has_passed_self_test(const ocl::DeviceInfo& device, const ocl::OpenClSettings& settings);

/// Makes sure that a device computes right before it is used. That it has passed is kept in the
/// disk cache; one that failed is tried again at its next use.
/// Returns the fault that was found, or nothing.
/// Throws  none from OpenCL: a failure of OpenCL is a fault that was found.
std::string run_self_test(Backend& backend, const ocl::DeviceInfo& device,
                          const ocl::OpenClSettings& settings);

}  // namespace accord
