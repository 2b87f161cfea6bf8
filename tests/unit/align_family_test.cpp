// SPDX-License-Identifier: Apache-2.0
#include "method/align_family.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <string>
#include <vector>

#include "engine/host/host_backend.hpp"
#include "method/align_result.hpp"
#include "method/family_posteriors.hpp"
#include "support/sequences.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

/// Keeps the stages that began, and counts what was done of the one that runs.
class StageList : public ProgressListener {
 public:
  struct Stage {
    std::string name;
    std::uint64_t items, work;
  };

  void begin(const std::string& stage, const std::string&, std::uint64_t items,
             std::uint64_t work) override {
    stages.push_back({stage, items, work});
    items_ = work_ = 0;
  }
  void advance(std::uint64_t items, std::uint64_t work) override {
    items_ += items;
    work_ += work;
    if (items_ == stages.back().items) {
      CHECK(work_ == stages.back().work);
      completed.push_back(stages.back().name);
    }
  }

  std::vector<Stage> stages;
  std::vector<std::string> completed;

 private:
  std::atomic<std::uint64_t> items_{0}, work_{0};
};

SequenceSet some_family() {
  SequenceGenerator generator(5);
  const Codes root = generator.background(60);
  std::vector<Codes> codes;
  for (int k = 0; k < 5; ++k) codes.push_back(generator.mutate(root, 0.5, 0.02, 0.1));
  return make_set(codes);
}

}  // namespace

TEST_CASE("pipeline: a listener is told of every stage of its run, and of no other run") {
  const SequenceSet set = some_family();
  AlignSettings settings;
  settings.parameters = default_parameters(set.type());
  settings.confidence = true;
  HostBackend host;
  Scheduler scheduler(host);
  std::vector<std::string> names;
  {
    StageList listener;
    align_family(set, settings, scheduler, {.progress = &listener});
    for (const StageList::Stage& stage : listener.stages) names.push_back(stage.name);
    CHECK(listener.completed == std::vector<std::string>{"posteriors", "consistency", "refine"});
  }
  CHECK(names == std::vector<std::string>{"posteriors", "tree", "consistency", "align", "refine",
                                          "confidence"});
  // The listener is gone; the scheduler has not kept it.
  StageList other;
  const AlignResult again = align_family(set, settings, scheduler);
  CHECK(again.stages.size() == 6);
  compute_distances(set, settings, scheduler, &other);
  CHECK(other.stages.size() == 1);
  CHECK(other.completed == std::vector<std::string>{"posteriors"});
}
