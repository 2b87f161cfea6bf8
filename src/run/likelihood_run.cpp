// SPDX-License-Identifier: Apache-2.0
#include "run/likelihood_run.hpp"

#include "run/estimate/topology_memory.hpp"

namespace accord::run {

std::vector<BackendStage> likelihood_stages() {
  return {BackendStage::likelihood, BackendStage::neighbor_joining};
}

LikelihoodFound likelihood(const LikelihoodQuery& query, LikelihoodInput& input,
                           const InputAlignment& aligned, const RunContext& context) {
  if (query.changes_topology()) {
    check_topology_memory(input, query.regraft_radius, context.memory_budget, aligned.label);
  }
  return context.devices.compute(
      [&](Scheduler& scheduler) { return find_likelihood(query, input, aligned.set, scheduler); });
}

}  // namespace accord::run
