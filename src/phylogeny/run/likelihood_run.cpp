// SPDX-License-Identifier: Apache-2.0
#include "phylogeny/run/likelihood_run.hpp"

#include "phylogeny/likelihood/likelihood_call.hpp"
#include "phylogeny/run/topology_memory.hpp"
#include "stages/neighbor_joining/neighbor_joining_call.hpp"

namespace accord::run {

std::vector<const Stage*> likelihood_stages() {
  return {&LikelihoodCall::stage, &NeighborJoiningCall::stage};
}

LikelihoodFound likelihood(const LikelihoodQuery& query, LikelihoodInput& input,
                           const InputAlignment& aligned, const RunContext& context) {
  if (query.changes_topology()) {
    check_topology_memory(input, query.regraft_radius, context.memory_budget, aligned.label);
  }
  return context.devices.compute([&](Scheduler& scheduler) {
    return find_likelihood(query, input, aligned.set, scheduler, context.listener.progress);
  });
}

}  // namespace accord::run
