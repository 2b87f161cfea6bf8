// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "accord/core/backend.hpp"
#include "accord/opencl/device.hpp"

namespace accord {

/// The backend for a --device argument: "none" is the host, and OpenCL is not touched; "auto" is
/// the device of auto_device(), else the host; anything else is for find_device().
/// Errors  Error{device_unavailable} if a device was asked for that is not there;
///         Error{device_failed} if it cannot be used.
std::unique_ptr<Backend> choose_backend(const std::string& device);

/// Place in the list of the device that "auto" takes: the first GPU that can be used; none if
/// the host is to compute (a processor is faster without OpenCL in between).
std::optional<std::size_t> auto_device(const ocl::DeviceList& list);

/// Place in the list of a device given by number, by name (gpu0, cpu0) or by a part of its
/// description or platform in any case.
/// Errors  Error{device_unavailable} if none or several match; the hint lists them.
std::size_t find_device(const ocl::DeviceList& list, const std::string& wanted);

}  // namespace accord
