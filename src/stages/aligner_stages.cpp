// SPDX-License-Identifier: Apache-2.0
#include "stages/aligner_stages.hpp"

#include "engine/opencl/device_stage.hpp"

namespace accord {

// All of these are defined in the folders of the stages, in the files for the host and for devices.
namespace host {
void compute(const Processor& processor, const PosteriorCall& call);
void compute(const Processor& processor, const NeighborJoiningCall& call);
void compute(const Processor& processor, const ConsistencyCall& call);
void compute(const Processor& processor, const LocalPairsCall& call);
}  // namespace host
namespace ocl {
StageOnDevice stage_on(const DeviceInfo& device, std::type_identity<PosteriorCall>);
StageOnDevice stage_on(const DeviceInfo& device, std::type_identity<NeighborJoiningCall>);
StageOnDevice stage_on(const DeviceInfo& device, std::type_identity<ConsistencyCall>);
StageOnDevice stage_on(const DeviceInfo& device, std::type_identity<LocalPairsCall>);
}  // namespace ocl

constinit const Stage PosteriorCall::stage = stage_of<PosteriorCall>("posteriors", 0);
constinit const Stage NeighborJoiningCall::stage =
    stage_of<NeighborJoiningCall>("the guide tree", 1);
constinit const Stage ConsistencyCall::stage = stage_of<ConsistencyCall>("consistency", 2);
constinit const Stage LocalPairsCall::stage = stage_of<LocalPairsCall>("local alignments", 4);

}  // namespace accord
