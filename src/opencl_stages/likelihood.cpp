// SPDX-License-Identifier: Apache-2.0
#include "accord/opencl_stages/device_stage.hpp"

namespace accord::ocl {

/// Likelihoods are computed by the host alone.
StageOnDevice stage_on(const DeviceInfo&, std::type_identity<LikelihoodCall>) {
  return {.kernels = {}, .limits = std::nullopt, .open = {}};
}

}  // namespace accord::ocl
