// SPDX-License-Identifier: Apache-2.0
#include "engine/opencl/stage_of.hpp"
#include "phylogeny/likelihood/likelihood_call.hpp"

namespace accord {

// Both are defined in the files of the stage for the host and for devices.
namespace host {
void compute(const Processor& processor, const LikelihoodCall& call);
}
namespace ocl {
StageOnDevice stage_on(const DeviceInfo& device, std::type_identity<LikelihoodCall>);
}

constinit const Stage LikelihoodCall::stage = stage_of<LikelihoodCall>("likelihoods", 3);

}  // namespace accord
