// SPDX-License-Identifier: Apache-2.0
#include "phylogeny/run/ml_tree_run.hpp"

#include <utility>

#include "accord/base/error.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "io/formats/alignment_text.hpp"
#include "phylogeny/likelihood/likelihood_call.hpp"
#include "phylogeny/local_fit/local_fit.hpp"
#include "run/align_run.hpp"
#include "run/estimate/estimate.hpp"
#include "stages/neighbor_joining/neighbor_joining_call.hpp"

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

namespace accord {

void check_topology_memory(const LikelihoodInput& input, std::uint32_t regraft_radius,
                           std::optional<std::size_t> budget, const std::string& label) {
  if (!budget) return;
  const SitePatterns& patterns = input.found.patterns;
  const auto limit = static_cast<double>(*budget);
  const auto bytes = [&](int threads) {
    return local_fit_bytes(patterns, input.model.categories, threads, regraft_radius);
  };
  const double need = bytes(thread_count());
  if (need <= limit) return;
  std::string less;
  if (const double least = bytes(1); least <= limit) {
    less += "{threads=1} needs " + format_bytes(least) + "; ";
  }
  const double without = local_fit_bytes(patterns, input.model.categories, thread_count(), 0);
  if (regraft_radius > 0 && without <= limit) {
    less += "without {spr} it needs " + format_bytes(without) + "; ";
  }
  throw Error(ErrorKind::out_of_memory,
              label + (regraft_radius > 0 ? ": regrafts" : ": interchanges") + " in a tree of " +
                  counted(patterns.tips, "sequence") + " with " +
                  counted(patterns.count(), "pattern") + " need about " + format_bytes(need) +
                  "; the limit is " + format_bytes(limit),
              less + (less.empty() ? "raise {memory}" : "or raise {memory}"));
}

}  // namespace accord
