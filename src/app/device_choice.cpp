// SPDX-License-Identifier: Apache-2.0
#include "accord/app/device_choice.hpp"

#include "accord/app/commands.hpp"
#include "accord/base/error.hpp"
#include "accord/host/host_backend.hpp"
#include "accord/io/output_file.hpp"

namespace accord {

std::unique_ptr<Backend> choose_backend(const std::string& device) {
  if (device == "none" || device == "auto") return std::make_unique<HostBackend>();
  throw Error(ErrorKind::device_unavailable, "--device " + device + ": no such device",
              "'accord devices' lists the devices");
}

void run_devices() { write_output("-", "none   " + HostBackend().name() + "\n"); }

}  // namespace accord
