// SPDX-License-Identifier: Apache-2.0
#include "accord/opencl_stages/device_stage.hpp"

namespace accord::ocl {

/// Local alignments are computed by the host.
StageOnDevice stage_on(const DeviceInfo&, std::type_identity<LocalPairsCall>) {
  return {.kernels = {}, .limits = std::nullopt, .open = {}};
}

}  // namespace accord::ocl
