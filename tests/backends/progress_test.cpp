// SPDX-License-Identifier: Apache-2.0
// What the stages tell of their progress: every cell once, long pairs while they are computed, and
// that a listener which throws ends the run soon.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <mutex>
#include <string>
#include <vector>

#include "backends/opencl_devices.hpp"
#include "base/parallel.hpp"
#include "core/pair_set.hpp"
#include "method/family_posteriors.hpp"
#include "run/batch/batch_run.hpp"
#include "stages/posteriors/posterior_request.hpp"
#include "support/fake_backends.hpp"
#include "support/scheduler_cases.hpp"
#include "support/scratch.hpp"
#include "support/sequences.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

/// Keeps what it is told.
class Listener : public ProgressListener {
 public:
  struct Step {
    std::uint64_t items, work;
  };

  void begin(const std::string&, const std::string&, std::uint64_t items,
             std::uint64_t work) override {
    all = {items, work};
    steps.clear();
  }
  void advance(std::uint64_t items, std::uint64_t work) override {
    const std::lock_guard lock(mutex_);
    steps.push_back({items, work});
  }
  Step sum() const {
    Step sum{0, 0};
    for (const Step& step : steps) sum = {sum.items + step.items, sum.work + step.work};
    return sum;
  }

  Step all{0, 0};
  std::vector<Step> steps;

 private:
  std::mutex mutex_;
};

/// Throws at its n-th step.
class Impatient : public ProgressListener {
 public:
  struct Enough {};
  explicit Impatient(int steps) : steps_(steps) {}
  void begin(const std::string&, const std::string&, std::uint64_t, std::uint64_t) override {}
  void advance(std::uint64_t, std::uint64_t) override {
    if (--steps_ <= 0) throw Enough{};
  }

 private:
  std::atomic<int> steps_;
};

/// A pair of long sequences.
SequenceSet long_pair() {
  SequenceGenerator generator(77);
  const Codes root = generator.background(4600);
  return make_set({root, generator.mutate(root, 0.3, 0.005, 0.2)});
}

/// Checks that all pairs and all cells are told, each once; returns the steps.
std::vector<Listener::Step> check_all_reported(Scheduler& scheduler, const SequenceSet& set) {
  Listener listener;
  compute_posteriors({set, large_model()}, PairSet::all(set.size()), scheduler, &listener);
  std::uint64_t cells = 0;
  for (std::size_t y = 0; y < set.size(); ++y) {
    for (std::size_t x = 0; x < y; ++x) cells += std::uint64_t{set.length(x)} * set.length(y);
  }
  CHECK(listener.all.items == set.size() * (set.size() - 1) / 2);
  CHECK(listener.all.work == cells);
  CHECK(listener.sum().items == listener.all.items);
  CHECK(listener.sum().work == cells);
  return listener.steps;
}

}  // namespace

TEST_CASE("progress: the posteriors tell every pair and every cell once, on every backend") {
  {
    HostBackend host;
    Scheduler scheduler(host);
    check_all_reported(scheduler, large_family());
  }
  for (const ocl::DeviceInfo& device : devices_to_test()) {
    CAPTURE(device.name);
    OpenClBackend backend(device);
    HostBackend host;
    Scheduler scheduler({&backend}, host, HostRole::works);
    check_all_reported(scheduler, large_family());
    CHECK(scheduler.faults().faults == 0);
  }
}

TEST_CASE("progress: the host tells the cells of long pairs while it computes them") {
  const SequenceSet set = long_pair();
  HostBackend host;
  Scheduler scheduler(host);
  const std::vector<Listener::Step> steps = check_all_reported(scheduler, set);
  // Before the pair is handed over its cells were told, in several steps, none of which is most.
  std::uint64_t before = 0, largest = 0;
  std::size_t count = 0;
  for (; count < steps.size() && steps[count].items == 0; ++count) {
    before += steps[count].work;
    largest = std::max(largest, steps[count].work);
  }
  CHECK(count >= 3);
  CHECK(before == std::uint64_t{set.length(0)} * set.length(1));
  CHECK(largest < before / 2);
}

TEST_CASE("progress: a listener that throws ends the posteriors soon, with what it threw") {
  const int threads = thread_count();
  set_thread_count(1);
  for (const bool with_device : {false, true}) {
    CAPTURE(with_device);
    HostBackend host;
    FakeDevice device("made-up");
    Scheduler alone(host), shared({&device}, host, HostRole::standby);
    Scheduler& scheduler = with_device ? shared : alone;
    std::atomic<std::size_t> pairs{0};
    const PosteriorSink count = [&](std::uint32_t, std::uint32_t, const PairPosterior&) {
      ++pairs;
    };
    Impatient listener(3);
    CHECK_THROWS_AS(request_posteriors({large_family(), large_model()}, PairSet::all(48), scheduler,
                                       count, &listener),
                    const Impatient::Enough&);
    CHECK(pairs < 100);  // of 1128
    // Nothing of it is left: the next run is whole.
    check_all_reported(scheduler, family());
  }
  set_thread_count(threads);
}

TEST_CASE("progress: a listener that throws ends an alignment in every stage") {
  HostBackend host;
  Scheduler scheduler(host);
  Listener whole;
  align_family(family(), settings_of(family()), scheduler, {{}, &whole});
  int steps = 0;
  for (int later = 1; later < 2000; later = later * 3 + 1) {
    Impatient listener(later);
    bool has_thrown = false;
    try {
      align_family(family(), settings_of(family()), scheduler, {{}, &listener});
    } catch (const Impatient::Enough&) {
      has_thrown = true;
    }
    if (!has_thrown) break;
    steps = later;
  }
  CHECK(steps > 100);  // pairs and cells of the posteriors, pairs of the transform, iterations
  CHECK(aligned_by(scheduler, family()) == expected(family()));
}

TEST_CASE("progress: a batch goes on inside a family, and ends with all of its work") {
  const ScratchDirectory directory;
  SequenceGenerator generator(78);
  const Codes root = generator.background(80);
  std::string fasta;
  const SequenceSet set = make_set({root, generator.mutate(root, 0.3, 0.01, 0.2), root});
  for (std::size_t x = 0; x < set.size(); ++x) {
    fasta += ">s" + std::to_string(x) + "\n" + set.letters(x) + "\n";
  }
  BatchSettings settings;
  settings.directory = directory.path("");
  settings.source.files = {directory.write("list", directory.write("one.fa", fasta) + "\n")};
  const std::vector<BatchFamily> families = families_of(settings);
  REQUIRE(families.size() == 1);
  HostBackend host;
  Scheduler scheduler(host);
  BatchRecord record(settings.directory, settings.shard);
  Listener listener;
  const std::vector<FamilyOutcome> outcomes = run_batch(
      families, settings, batch_limits(1, false, std::nullopt), scheduler, record, listener);
  REQUIRE(outcomes.front().status == FamilyStatus::aligned);
  CHECK(listener.all.items == 1);
  CHECK(listener.all.work > 0);
  CHECK(listener.sum().items == 1);
  CHECK(listener.sum().work == listener.all.work);
  CHECK(listener.steps.size() >= 3);
  CHECK(listener.steps.front().items == 0);
}
