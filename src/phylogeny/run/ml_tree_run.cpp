// SPDX-License-Identifier: Apache-2.0
#include "phylogeny/run/ml_tree_run.hpp"

#include <cstddef>
#include <optional>
#include <utility>

#include "io/formats/alignment_text.hpp"
#include "phylogeny/run/topology_memory.hpp"
#include "run/align_run.hpp"
#include "run/family/prepared_family.hpp"

namespace accord::run {

namespace {

/// Passes on the stages of an alignment, but not that they are all: a search of unknown length
/// follows.
class FirstStages : public ProgressListener {
 public:
  explicit FirstStages(ProgressListener& listener) : listener_(listener) {}

  void begin(const std::string& stage, const std::string& unit, std::uint64_t items,
             std::uint64_t work) override {
    listener_.begin(stage, unit, items, work);
  }
  void advance(std::uint64_t items, std::uint64_t work) override { listener_.advance(items, work); }

 private:
  ProgressListener& listener_;
};

}  // namespace

InputAlignment align_for_tree(PreparedFamily family, const RunContext& context) {
  RunContext first = context;
  std::optional<FirstStages> stages;
  if (context.listener.progress != nullptr) {
    first.listener.progress = &stages.emplace(*context.listener.progress);
  }
  const AlignResult result = align(family, first);
  const AlignmentText text = make_alignment_text(family.set(), result.msa);
  InputAlignment aligned{{}, std::move(family.input.set), family.input.label};
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
    SearchLog log(context.listener.progress);
    if (search.chooses_model()) {
      found.models = choose_model(input, accord::neighbor_joining_tree(input, scheduler),
                                  aligned.set.type(), scheduler, log);
    }
    found.fit = accord::ml_tree(input, FitTarget::all, search.regraft_radius, scheduler, log);
    if (!search.supports.empty()) log.begin("support");
    found.labels =
        support_labels(found.fit.fitted, input.found.patterns, search.supports, scheduler);
    return found;
  });
}

}  // namespace accord::run
