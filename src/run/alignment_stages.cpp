// SPDX-License-Identifier: Apache-2.0
#include "run/alignment_stages.hpp"

namespace accord {

std::vector<BackendStage> first_stages(const MethodOptions& method) {
  std::vector<BackendStage> stages = {method.is_local() ? BackendStage::local_pairs
                                                        : BackendStage::posteriors};
  if (method.tree_method() == TreeMethod::neighbor_joining) {
    stages.push_back(BackendStage::neighbor_joining);
  }
  return stages;
}

std::vector<BackendStage> all_stages(const MethodOptions& method) {
  std::vector<BackendStage> stages = first_stages(method);
  if (!method.is_local()) stages.push_back(BackendStage::consistency);
  return stages;
}

void announce_consistency(const AlignSettings& settings, std::size_t backbone,
                          RunDevices& devices) {
  if (settings.is_local() || settings.parameters.consistency.rounds_for(backbone) == 0) return;
  devices.announce(BackendStage::consistency);
}

}  // namespace accord
