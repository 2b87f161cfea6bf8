// SPDX-License-Identifier: Apache-2.0
// Several good backends: the same alignment, and who gets which work.
#include "engine/scheduler.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <thread>

#include "engine/host/kernels.hpp"
#include "stages/neighbor_joining/neighbor_joining_request.hpp"
#include "stages/posteriors/posterior_request.hpp"
#include "support/align_cases.hpp"
#include "support/distances.hpp"
#include "support/scheduler_cases.hpp"
#include "support/scratch.hpp"
#include "support/waiting.hpp"

using namespace accord;
using namespace accord::testing;

TEST_CASE("scheduler: any mix of good backends gives the alignment of the host") {
  const ThreadCount threads(2);
  const auto all = host::available_kernels();
  FakeDevice a("a", all.front()), b("b", all.back()), c("c", all[all.size() / 2]);
  for (const HostRole role : {HostRole::standby, HostRole::works}) {
    for (const std::vector<Backend*>& devices :
         {std::vector<Backend*>{&a}, {&b}, {&a, &b}, {&c, &b, &a}}) {
      CHECK(run_on(devices, role).faults == 0);
    }
  }
  CHECK(run_on({&a, &c}, HostRole::works, large_family()).faults == 0);
  CHECK(a.pairs_done() > 0);
  CHECK(b.pairs_done() > 0);
}

TEST_CASE(
    "scheduler: guide trees survive devices that fail or forget one; families share batches") {
  Random random(5);
  std::vector<DistanceMatrix> matrices;
  for (std::uint32_t k = 0; k < 12; ++k) {
    matrices.push_back(tree_like_distances(random, 3 + 5 * k, 20));
  }
  HostBackend host;
  const std::vector<GuideTree> trees = join(host, matrices);
  FakeDevice useless("useless"), forgetful("forgetful"), good("good");
  make_useless(useless, ErrorKind::device_failed);
  forgetful.tamper_with_trees = [](std::span<GuideTree> built) { built.back() = GuideTree(); };
  for (const std::vector<Backend*>& devices :
       {std::vector<Backend*>{&useless}, {&forgetful}, {&good}, {&useless, &forgetful, &good}}) {
    Scheduler scheduler(devices, host, HostRole::standby);
    std::vector<std::thread> families;
    std::vector<GuideTree> found(matrices.size());
    for (std::size_t k = 0; k < matrices.size(); ++k) {
      families.emplace_back(
          [&, k] { found[k] = request_neighbor_joining(matrices[k], scheduler); });
    }
    for (std::thread& family : families) family.join();
    for (std::size_t k = 0; k < matrices.size(); ++k) {
      CHECK(found[k].left == trees[k].left);
      CHECK(found[k].right == trees[k].right);
      CHECK(found[k].length == trees[k].length);
    }
    // Of several devices the good one may have been first every time.
    if (devices.size() == 1) {
      CHECK((scheduler.faults().faults == 0) == (devices.front() == &good));
    }
  }
}

TEST_CASE("scheduler: a slow device does not hold up the others") {
  // A batch of the fast device takes a second, each pair of the slow device a thousand, and
  // meanwhile the fast one does all the rest.
  const ThreadCount threads(2);  // a CPU for each
  FakeTime time;
  FakeDevice slow("slow"), fast("fast");
  std::atomic<std::size_t> done{0}, slow_pairs{0};
  fast.check_pairs = [&](const PosteriorCall&) { time.pass(1); };
  slow.check_pairs = [&](const PosteriorCall& call) {
    const double begin = time.now();
    const std::size_t pairs = pairs_of(call);
    slow_pairs += pairs;
    const std::size_t all = large_family().size() * (large_family().size() - 1) / 2;
    wait_until([&] { return done == all - pairs; });
    time.pass_until(begin + 1000.0 * static_cast<double>(pairs));
  };
  HostBackend host;
  Scheduler scheduler({&slow, &fast}, host, HostRole::standby, time.clock());
  // A backend that has not been seen yet gets no more than half of its even part; the slow one gets
  // nothing once it is known, if it has been seen at all.
  for (int run = 0; run < 3; ++run) {
    done = 0;
    request_posteriors({large_family(), large_model()}, PairSet::all(48), scheduler,
                       [&](std::uint32_t, std::uint32_t, const PairPosterior&) { ++done; });
    CHECK(slow.calls_made() <= 1);
    CHECK(slow_pairs < done / 3);
  }
  CHECK(fast.calls_made() >= 3);
}

TEST_CASE("scheduler: a stage that a device does not compute is for the others") {
  FakeDevice no_consistency("no consistency"), no_posteriors("no posteriors");
  no_consistency.missing = {&ConsistencyCall::stage};
  no_posteriors.missing = {&PosteriorCall::stage, &NeighborJoiningCall::stage};
  HostBackend host;
  for (const std::vector<Backend*>& devices : {std::vector<Backend*>{&no_consistency},
                                               {&no_posteriors},
                                               {&no_posteriors, &no_consistency}}) {
    CHECK(run_on(devices, HostRole::standby).faults == 0);
  }
  CHECK(no_consistency.pairs_done() > 0);
  CHECK(no_posteriors.pairs_done() == 0);
  CHECK(no_posteriors.calls_made() > 0);
}

TEST_CASE("scheduler: more devices than a word has bits") {
  std::vector<std::unique_ptr<FakeDevice>> owned;
  std::vector<Backend*> devices;
  for (int k = 0; k < 70; ++k) {
    owned.push_back(std::make_unique<FakeDevice>("device " + std::to_string(k)));
    make_useless(*owned.back(), ErrorKind::device_failed);
    devices.push_back(owned.back().get());
  }
  owned.back()->before = [](int) {};
  const DeviceFaults faults = run_on(devices, HostRole::standby, large_family());
  CHECK(faults.retired.size() <= 69);
  CHECK(std::find(faults.retired.begin(), faults.retired.end(), "device 69") ==
        faults.retired.end());
}

TEST_CASE("scheduler: a device computes as many batches at the same time as it says, no more") {
  const ThreadCount threads(4);
  FakeDevice wide("wide"), alone("alone");
  wide.claimed_batches = 3;
  std::atomic<bool> is_full{false};
  for (FakeDevice* device : {&wide, &alone}) {
    device->before = [&](int) {
      wait_until([&] { return is_full || wide.calls_now() == 3; });
      is_full = true;
    };
  }
  CHECK(run_on({&wide}, HostRole::standby, large_family()).faults == 0);
  CHECK(wide.most_calls_at_once() == 3);
  is_full = false;
  CHECK(run_on({&alone, &wide}, HostRole::standby, large_family()).faults == 0);
  CHECK(wide.most_calls_at_once() == 3);
  CHECK(alone.most_calls_at_once() == 1);
}

TEST_CASE(
    "scheduler: a batch is as many pairs as a device computes at once, if there are so many") {
  const auto calls_with = [&](std::uint32_t at_once) {
    // So slow that no batch is large by its time, whichever thread of the device comes first.
    FakeTime time;
    FakeDevice device("device");
    device.claimed_batches = 2;
    device.claimed_at_once = at_once;
    device.check_pairs = [&](const PosteriorCall& call) {
      time.pass(1000.0 * static_cast<double>(pairs_of(call)));
    };
    HostBackend host;
    Scheduler scheduler({&device}, host, HostRole::standby, time.clock());
    request_posteriors({large_family(), large_model()}, PairSet::all(48), scheduler,
                       [](std::uint32_t, std::uint32_t, const PairPosterior&) {});
    return device.calls_made();
  };
  CHECK(large_family().size() == 48);
  CHECK(calls_with(48 * 47 / 2) == 1);
  CHECK(calls_with(1) > 2);
  const int halves = calls_with(48 * 47 / 4);
  CHECK(halves >= 2);
  CHECK(halves <= 4);
}

TEST_CASE("scheduler: families of several threads share batches, and each gets its own pairs") {
  const std::vector<std::string> names = {"moderate_12", "remote_16",     "repeats_12", "swapped_6",
                                          "fragments_8", "duplicates_12", "dna_gaps_12"};
  FakeDevice a("a"), b("b", host::available_kernels().back());
  HostBackend host;
  Scheduler scheduler({&a, &b}, host, HostRole::standby);
  std::atomic<bool> all_wait{false};
  for (FakeDevice* device : {&a, &b}) {
    device->before = [&](int) {
      wait_until([&] { return all_wait || scheduler.open_requests() == names.size(); });
      all_wait = true;
    };
  }
  std::vector<Msa> found(names.size());
  std::vector<std::thread> threads;
  for (std::size_t k = 0; k < names.size(); ++k) {
    threads.emplace_back([&, k] { found[k] = aligned_by(scheduler, read_simulated(names[k])); });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t k = 0; k < names.size(); ++k) {
    CAPTURE(names[k]);
    Scheduler alone(host);
    CHECK(found[k] == aligned_by(alone, read_simulated(names[k])));
  }
}

TEST_CASE("scheduler: of what waits, the request with most work goes first") {
  FakeDevice device("device");
  std::mutex mutex;
  std::vector<std::size_t> order;  // sizes of the matrices, as they come
  std::atomic<bool> is_busy{false}, go_on{false};
  device.before = [&](int call) {
    if (call > 0) return;
    is_busy = true;
    wait_until([&] { return go_on.load(); });
  };
  device.tamper_with_trees = [&](std::span<GuideTree> trees) {
    const std::lock_guard lock(mutex);
    for (const GuideTree& tree : trees) order.push_back(tree.leaves);
  };
  HostBackend host;
  Scheduler scheduler({&device}, host, HostRole::standby);
  Random random(6);
  std::vector<std::thread> families;
  const auto post = [&](std::uint32_t leaves) {
    families.emplace_back([&scheduler, matrix = tree_like_distances(random, leaves, 20)] {
      request_neighbor_joining(matrix, scheduler);
    });
  };
  post(5);
  wait_until([&] { return is_busy.load(); });
  for (const std::uint32_t leaves : {8u, 20u, 12u, 30u}) {
    post(leaves);
  }
  wait_until([&] { return scheduler.open_requests() == 5; });
  go_on = true;
  for (std::thread& family : families) family.join();
  CHECK(order == std::vector<std::size_t>{5, 30, 20, 12, 8});
}
