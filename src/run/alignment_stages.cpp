// SPDX-License-Identifier: Apache-2.0
#include "run/alignment_stages.hpp"

#include "base/parallel.hpp"
#include "run/estimate/estimate.hpp"
#include "stages/aligner_stages.hpp"

namespace accord {

std::vector<const Stage*> first_stages(const MethodOptions& method) {
  std::vector<const Stage*> stages = {method.is_local() ? &LocalPairsCall::stage
                                                        : &PosteriorCall::stage};
  if (method.tree_method() == TreeMethod::neighbor_joining) {
    stages.push_back(&NeighborJoiningCall::stage);
  }
  return stages;
}

std::vector<const Stage*> all_stages(const MethodOptions& method) {
  std::vector<const Stage*> stages = first_stages(method);
  if (!method.is_local()) stages.push_back(&ConsistencyCall::stage);
  return stages;
}

void announce_consistency(const AlignSettings& settings, std::size_t backbone,
                          RunDevices& devices) {
  if (settings.is_local() || settings.parameters.consistency.rounds_for(backbone) == 0) return;
  devices.announce(ConsistencyCall::stage);
}

std::vector<ExpectedStage> stages_of_alignment(const PreparedFamily& family,
                                               const RunContext& context) {
  std::vector<ExpectedStage> stages =
      expected_stages(workload_of(family), {}, family.settings, thread_count());
  if (!context.devices.expects_devices()) {
    for (ExpectedStage& stage : stages) stage.on_devices = false;
  }
  return stages;
}

void expect_stages(const std::vector<ExpectedStage>& stages, const RunContext& context) {
  if (context.listener.progress != nullptr) context.listener.progress->expect(stages);
}

}  // namespace accord
