// SPDX-License-Identifier: Apache-2.0
#include "run/ml_tree_run.hpp"

#include <cstddef>
#include <utility>

#include "io/formats/alignment_text.hpp"
#include "run/align_run.hpp"
#include "run/estimate/topology_memory.hpp"

namespace accord::run {

InputAlignment align_for_tree(FamilyInput family, const AlignSettings& settings,
                              const RunContext& context) {
  const AlignResult result = align(family.set, settings, context);
  const AlignmentText text = make_alignment_text(family.set, result.msa);
  InputAlignment aligned{{}, std::move(family.set), family.label};
  for (std::size_t k = 0; k < text.rows.size(); ++k) {
    aligned.rows.push_back(aligned.set.record(aligned.set.from_input(k)));
    aligned.rows.back().letters = text.rows[k];
  }
  return aligned;
}

MlTree ml_tree(LikelihoodInput& input, const InputAlignment& aligned, const TreeSearch& search,
               const RunContext& context) {
  check_topology_memory(input, search.regraft_radius, context.memory_budget, aligned.label);
  return context.devices.compute([&](Scheduler& scheduler) {
    MlTree found;
    if (search.chooses_model()) {
      found.models = choose_model(input, accord::neighbor_joining_tree(input, scheduler),
                                  aligned.set.type(), scheduler);
    }
    found.fit = accord::ml_tree(input, FitTarget::all, search.regraft_radius, scheduler);
    found.labels =
        support_labels(found.fit.fitted, input.found.patterns, search.supports, scheduler);
    return found;
  });
}

}  // namespace accord::run
