// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <span>
#include <string>

#include "engine/backend.hpp"
#include "engine/opencl/device.hpp"
#include "engine/opencl/opencl_settings.hpp"

namespace accord {

/// Runs the self-test of each of these stages that the backend computes against the host.
/// Returns nothing if all bits agree, else where the first difference is.
/// Throws  what the backend throws.
/// Cost    a fraction of a second on a processor.
std::string compare_with_host(Backend& backend, std::span<const Stage* const> stages);

/// True if the device has passed the test of each stage before, with the same driver and kernel
/// text.
bool has_passed_self_test(std::span<const Stage* const> stages, const ocl::DeviceInfo& device,
                          const ocl::OpenClSettings& settings);

/// Makes sure that a device computes these stages right before it is used. The stages that have
/// passed are kept in the disk cache; those that failed are tried again at the next use.
/// Returns the fault that was found, or nothing.
/// Throws  none from OpenCL: a failure of OpenCL is a fault that was found.
std::string run_self_test(Backend& backend, std::span<const Stage* const> stages,
                          const ocl::DeviceInfo& device, const ocl::OpenClSettings& settings);

}  // namespace accord
