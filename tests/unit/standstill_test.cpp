// SPDX-License-Identifier: Apache-2.0
// Families that wait for the queue, for CPUs and for each other's batches, in every mixture; and
// the watch over runs that stand still.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "base/cpu_budget.hpp"
#include "base/parallel.hpp"
#include "base/system.hpp"
#include "base/thread_group.hpp"
#include "engine/scheduler.hpp"
#include "run/devices/standstill_watch.hpp"
#include "support/align_cases.hpp"
#include "support/fake_backends.hpp"
#include "support/sum_request.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

/// A run of families of random shape on fake devices and the host.
class RandomRun {
 public:
  explicit RandomRun(std::uint32_t seed) : seed_(seed) {
    Random random(seed);
    threads_.emplace(static_cast<int>(draw(random, 1, 8)));
    const std::uint32_t device_count = draw(random, 1, 3);
    std::vector<Backend*> backends;
    for (std::uint32_t d = 0; d < device_count; ++d) {
      devices_.push_back(std::make_unique<FakeDevice>("device " + std::to_string(d)));
      devices_.back()->claimed_batches = draw(random, 1, 3);
      devices_.back()->claimed_at_once = draw(random, 1, 20);
      backends.push_back(devices_.back().get());
    }
    const bool host_works = draw(random, 0, 3) > 0;
    if (!host_works) make_fail_once(*devices_[0], 2, ErrorKind::device_failed);
    scheduler_.emplace(backends, host_, host_works ? HostRole::works : HostRole::standby);
    family_count_ = draw(random, 1, 8);
  }

  /// Computes the families, each on a thread of its own. Returns the number of wrong sums.
  int compute() {
    std::vector<std::thread> families;
    for (std::uint32_t k = 0; k < family_count_; ++k) {
      families.emplace_back([this, k] { family(seed_ * 64 + k); });
    }
    for (std::thread& family : families) family.join();
    return wrong_;
  }

  std::string state() const {
    const QueueState now = scheduler_->queue_state();
    return "seed " + std::to_string(seed_) + ": " + std::to_string(now.open_requests) +
           " open requests, " + std::to_string(now.computing) + " batches computed; " + now.waits;
  }
  QueueState queue_state() const { return scheduler_->queue_state(); }

 private:
  /// A family as a batch aligns it: it holds CPUs, computes, waits for requests, and has loops
  /// whose parts are families themselves.
  void family(std::uint32_t seed) {
    Random random(seed);
    const int wanted = static_cast<int>(draw(random, 1, 8));
    const CpuBudget::Lease lease(scheduler_->cpus(), wanted);
    for (std::uint32_t steps = draw(random, 1, 4); steps > 0; --steps) {
      switch (draw(random, 0, 3)) {
        case 0:
          request(random);
          break;
        case 1:
          nested(random, 2);
          break;
        case 2: {
          std::atomic<long> sum{0};
          parallel_for(20, [&](std::size_t k, int) { sum += static_cast<long>(k); });
          if (sum != 190) ++wrong_;
          break;
        }
        default:
          rebalance_cpus();
      }
    }
  }

  void request(Random& random) {
    const std::uint32_t items = draw(random, 0, 40);
    SumRequest sum(std::vector<long>(items, 1));
    scheduler_->run(sum);
    if (sum.sum() != static_cast<long>(items)) ++wrong_;
  }

  /// A loop whose parts wait for requests, as the insertions of a large family do, with loops of up
  /// to `levels` levels.
  void nested(Random& random, int levels) {
    const std::uint32_t parts = draw(random, 0, 12), seed = draw(random, 0, 1u << 30);
    std::atomic<std::uint32_t> done{0};
    parallel_with_leases(scheduler_->cpus(), parts, [&](std::size_t part) {
      Random of_part(seed + static_cast<std::uint32_t>(part));
      request(of_part);
      rebalance_cpus();
      if (levels > 1 && draw(of_part, 0, 3) == 0) nested(of_part, levels - 1);
      ++done;
    });
    if (done != parts) ++wrong_;
  }

  const std::uint32_t seed_;
  std::optional<ThreadCount> threads_;
  std::vector<std::unique_ptr<FakeDevice>> devices_;
  HostBackend host_;
  std::optional<Scheduler> scheduler_;
  std::uint32_t family_count_ = 1;
  std::atomic<int> wrong_{0};
};

/// Ends the process, and prints who waits for what, if the current run stands still for a minute.
class WatchOfRuns {
 public:
  void set(const RandomRun* run) {
    const std::lock_guard lock(mutex_);
    run_ = run;
    counter_ = {};
  }

 private:
  void look() {
    const std::lock_guard lock(mutex_);
    if (run_ == nullptr) return;
    if (counter_.look(run_->queue_state(), process_cpu_seconds()) < 60) return;
    std::fprintf(stderr, "a run stands still: %s\n", run_->state().c_str());
    std::abort();
  }

  std::mutex mutex_;
  const RandomRun* run_ = nullptr;
  StandstillCounter counter_;
  const PeriodicCall call_{1, [this] { look(); }};
};

}  // namespace

TEST_CASE("standstill: families of any shape, with loops that wait for the queue, come to an end") {
  const std::uint32_t first = std::random_device()();
  INFO("first seed: ", first);
  WatchOfRuns watch;
  int wrong = 0;
  for (std::uint32_t k = 0; k < 2000; ++k) {
    RandomRun run(first + k);
    watch.set(&run);
    wrong += run.compute();
    watch.set(nullptr);
  }
  CHECK(wrong == 0);
}

TEST_CASE("standstill: a loop that holds CPUs may not wait for the queue, and says so") {
  const ThreadCount threads(4);
  FakeDevice device("device");
  HostBackend host;
  Scheduler scheduler({&device}, host, HostRole::works);
  const CpuBudget::Lease lease(scheduler.cpus(), 4);
  const auto wait_in_loop = [&] {
    parallel_for(8, [&](std::size_t, int) {
      SumRequest sum({1, 2});
      scheduler.run(sum);
    });
  };
  CHECK_THROWS_WITH_AS(wait_in_loop(), "a thread of a loop waits for the queue on CPUs of the loop",
                       Error);
  const auto lease_again = [&] { const CpuBudget::Lease more(scheduler.cpus(), 1); };
  CHECK_THROWS_WITH_AS(lease_again(), "a thread that holds CPUs of a run waits for more of them",
                       Error);
  CHECK(thread_count() == 4);
}

TEST_CASE("standstill: seen where requests are open and nothing happens, and nowhere else") {
  const QueueState still{.open_requests = 2, .computing = 0, .ended = 7, .waits = {}};
  StandstillCounter counter;
  CHECK(counter.look(still, 10) == 0);  // there is no look before
  CHECK(counter.look(still, 10.1) == 1);
  CHECK(counter.look(still, 10.2) == 2);
  CHECK(counter.look(still, 15) == 0);  // a thread has computed
  CHECK(counter.look(still, 15) == 1);
  QueueState other = still;
  other.ended = 8;
  CHECK(counter.look(other, 15) == 0);  // a batch has ended
  CHECK(counter.look(other, 15) == 1);
  other.computing = 1;
  CHECK(counter.look(other, 15) == 0);  // a device computes
  other.computing = 0;
  CHECK(counter.look(other, 15) == 1);
  other.open_requests = 0;
  CHECK(counter.look(other, 15) == 0);  // reads, or writes
}
