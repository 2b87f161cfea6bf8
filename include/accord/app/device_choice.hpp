// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <memory>
#include <string>

#include "accord/core/backend.hpp"

namespace accord {

/// The backend for a --device argument: "none" is the host; "auto" the first GPU, else the host;
/// otherwise an OpenCL device by number, by name (gpu0, cpu0) or by a part of its description.
/// Errors  Error{device_unavailable} if a device was asked for that is not there.
std::unique_ptr<Backend> choose_backend(const std::string& device);

}  // namespace accord
