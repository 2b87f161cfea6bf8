// SPDX-License-Identifier: Apache-2.0
// Several backends, good and bad: the same alignment, and an account of what went wrong.
#include "accord/schedule/scheduler.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <new>
#include <thread>

#include "accord/base/parallel.hpp"
#include "accord/host/kernels.hpp"
#include "accord/method/pipeline.hpp"
#include "accord/schedule/device_health.hpp"
#include "golden/stages.hpp"
#include "support/align_cases.hpp"
#include "support/distances.hpp"
#include "support/fake_backends.hpp"
#include "support/scratch.hpp"
#include "support/waiting.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

const SequenceSet& family() {
  static const SequenceSet set = read_simulated("moderate_12");
  return set;
}

/// The family 4 times over, a little shorter each time: enough pairs for many batches.
const SequenceSet& large_family() {
  static const SequenceSet set = [] {
    std::vector<SequenceRecord> records;
    for (int copy = 0; copy < 4; ++copy) {
      for (std::size_t x = 0; x < family().size(); ++x) {
        records.push_back({family().header(x) + "_" + std::to_string(copy), family().letters(x)});
        records.back().letters.resize(records.back().letters.size() -
                                      3 * static_cast<std::size_t>(copy));
      }
    }
    return SequenceSet(records, family().type());
  }();
  return set;
}

const PosteriorModel& large_model() {
  static const PosteriorModel model =
      build_posterior_model(settings_of(large_family()).parameters, large_family().type());
  return model;
}

Msa aligned_by(Scheduler& scheduler, const SequenceSet& set) {
  return align_family(set, settings_of(set), scheduler).msa;
}

const Msa& expected(const SequenceSet& set) {
  static const auto on_host = [](const SequenceSet& of) {
    HostBackend host;
    Scheduler scheduler(host);
    return aligned_by(scheduler, of);
  };
  static const Msa small = on_host(family()), large = on_host(large_family());
  return &set == &family() ? small : large;
}

/// Aligns the family on the devices, checks the result, and returns what went wrong.
DeviceFaults run_on(const std::vector<Backend*>& devices, HostRole role,
                    const SequenceSet& set = family()) {
  HostBackend host;
  Scheduler scheduler(devices, host, role);
  CHECK(aligned_by(scheduler, set) == expected(set));
  return scheduler.faults();
}

const ErrorKind kDeviceErrors[] = {ErrorKind::device_failed, ErrorKind::device_unavailable,
                                   ErrorKind::out_of_memory};

}  // namespace

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

TEST_CASE("scheduler: a device that always fails is retired, the host does the work") {
  for (const ErrorKind kind : kDeviceErrors) {
    CAPTURE(static_cast<int>(kind));
    FakeDevice useless("useless");
    make_useless(useless, kind);
    const DeviceFaults faults = run_on({&useless}, HostRole::standby);
    CHECK(faults.retired == std::vector<std::string>{"useless"});
    CHECK(faults.retries > 0);
    CHECK(faults.moves > 0);
    CHECK(faults.first == "this device always fails");
    if (kind != ErrorKind::out_of_memory)
      CHECK(useless.calls_made() == DeviceHealth::kMostFaultsInRow);
  }
}

TEST_CASE("scheduler: the other device takes over before the host") {
  FakeDevice useless("useless"), good("good");
  make_useless(useless, ErrorKind::device_failed);
  HostBackend host;
  FakeDevice watched_host("host");
  make_useless(watched_host, ErrorKind::internal);  // throws if it is ever asked
  Scheduler scheduler({&useless, &good}, watched_host, HostRole::standby);
  CHECK(aligned_by(scheduler, large_family()) == expected(large_family()));
  CHECK(watched_host.calls_made() == 0);
  CHECK(good.calls_made() > 0);
}

TEST_CASE("scheduler: a fault of any call is tried again on the same device") {
  FakeDevice counted("counted");
  run_on({&counted}, HostRole::standby);
  REQUIRE(counted.calls_made() >= 2);  // posteriors and consistency
  for (const ErrorKind kind : kDeviceErrors) {
    for (int n = 0; n < counted.calls_made(); ++n) {
      CAPTURE(n);
      FakeDevice device("device");
      make_fail_once(device, n, kind);
      const DeviceFaults faults = run_on({&device}, HostRole::standby);
      CHECK(faults.faults == 1);
      CHECK(faults.retries == 1);
      CHECK(faults.moves == 0);
      CHECK(faults.retired.empty());
    }
  }
}

TEST_CASE("scheduler: a device that fails every other time is retired in the end") {
  MadeUpTime time;
  FakeDevice flaky("flaky");
  flaky.claimed_calls = 2;  // which share the pairs; so slow that each batch is one block
  flaky.before = [](int call) {
    if (call % 2 == 0) fail_with(ErrorKind::device_failed, "every other call fails");
  };
  flaky.check_pairs = [&](const PosteriorCall& call) {
    time.pass(1000.0 * static_cast<double>(pairs_of(call)));
  };
  HostBackend host;
  Scheduler scheduler({&flaky}, host, HostRole::standby, time.clock());
  CHECK(aligned_by(scheduler, large_family()) == expected(large_family()));
  CHECK(scheduler.faults().faults >= DeviceHealth::kMostFaults);
  CHECK(scheduler.faults().faults <= 2 * DeviceHealth::kMostFaults);
  CHECK(scheduler.faults().retired.size() == 1);
}

TEST_CASE("scheduler: a device that fails now and then is used to the end") {
  MadeUpTime time;
  FakeDevice device("device");
  device.claimed_calls = 2;
  std::atomic<std::size_t> fails{0};
  device.before = [&](int call) {
    if (call % 12 != 0) return;
    ++fails;
    fail_with(ErrorKind::device_failed, "every twelfth call fails");
  };
  device.check_pairs = [&](const PosteriorCall& call) {
    time.pass(1000.0 * static_cast<double>(pairs_of(call)));
  };
  HostBackend host;
  Scheduler scheduler({&device}, host, HostRole::standby, time.clock());
  while (fails < 2 * DeviceHealth::kMostFaults) {
    std::atomic<std::size_t> pairs{0};
    scheduler.posteriors(large_family(), large_model(),
                         MatrixSink([&](std::uint32_t, std::uint32_t, SparseMatrix) { ++pairs; }));
    CHECK(pairs == 48 * 47 / 2);
  }
  CHECK(scheduler.faults().retired.empty());
  CHECK(scheduler.faults().faults == fails);
}

TEST_CASE("scheduler: batches are halved until they fit the memory that there really is") {
  FakeDevice liar("liar");
  make_lie_about_memory(liar, 8);
  const DeviceFaults faults = run_on({&liar}, HostRole::standby, large_family());
  CHECK(faults.retries > 0);
  CHECK(faults.retired.empty());
  CHECK(liar.pairs_done() > 0);
  FakeDevice tiny("tiny");
  make_lie_about_memory(tiny, ~0u);
  CHECK(run_on({&tiny}, HostRole::standby).moves > 0);
}

TEST_CASE("scheduler: a device with impossible limits is not used") {
  for (const std::uint32_t calls : {0u, 65u, ~0u}) {
    CAPTURE(calls);
    FakeDevice liar("liar");
    liar.claimed_calls = calls;
    CHECK(run_on({&liar}, HostRole::standby).retired.size() == 1);
    CHECK(liar.calls_made() == 0);
  }
}

TEST_CASE("scheduler: pairs that a device hands over before it fails are replaced") {
  FakeDevice device("device");
  std::atomic<int> pairs{0};
  device.bend = [&](const MatrixSink& sink) {
    return [&, sink](std::uint32_t x, std::uint32_t y, SparseMatrix matrix) {
      const std::vector<PosteriorCell> wrong{{0, 0, 0.5f}};
      if (pairs++ >= 10) fail_with(ErrorKind::device_failed, "half of the way");
      sink(x, y, SparseMatrix(matrix.rows(), matrix.cols(), wrong));
    };
  };
  CHECK(run_on({&device}, HostRole::standby).faults > 0);
}

TEST_CASE("scheduler: a device that forgets a pair has failed") {
  FakeDevice device("device");
  device.bend = [](const MatrixSink& sink) {
    return [sink](std::uint32_t x, std::uint32_t y, SparseMatrix matrix) {
      if (x != 2 || y != 7) sink(x, y, std::move(matrix));
    };
  };
  const DeviceFaults faults = run_on({&device}, HostRole::standby);
  CHECK(faults.faults > 0);
  CHECK(faults.first.find("pairs") != std::string::npos);
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
  forgetful.bend_trees = [](std::span<GuideTree> built) { built.back() = GuideTree(); };
  for (const std::vector<Backend*>& devices :
       {std::vector<Backend*>{&useless}, {&forgetful}, {&good}, {&useless, &forgetful, &good}}) {
    Scheduler scheduler(devices, host, HostRole::standby);
    std::vector<std::thread> families;
    std::vector<GuideTree> found(matrices.size());
    for (std::size_t k = 0; k < matrices.size(); ++k) {
      families.emplace_back([&, k] { found[k] = scheduler.join(matrices[k]); });
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
  const ThreadCount threads(2);  // a core for each
  MadeUpTime time;
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
    scheduler.posteriors(large_family(), large_model(),
                         MatrixSink([&](std::uint32_t, std::uint32_t, SparseMatrix) { ++done; }));
    CHECK(slow.calls_made() <= 1);
    CHECK(slow_pairs < done / 3);
  }
  CHECK(fast.calls_made() >= 3);
}

TEST_CASE("scheduler: a stage that a device does not compute is for the others") {
  FakeDevice no_relax("no consistency"), no_posteriors("no posteriors");
  no_relax.missing = {BackendStage::relax};
  no_posteriors.missing = {BackendStage::posteriors, BackendStage::join};
  HostBackend host;
  for (const std::vector<Backend*>& devices :
       {std::vector<Backend*>{&no_relax}, {&no_posteriors}, {&no_posteriors, &no_relax}}) {
    CHECK(run_on(devices, HostRole::standby).faults == 0);
  }
  CHECK(no_relax.pairs_done() > 0);
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
  wide.claimed_calls = 3;
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
    FakeDevice device("device");
    device.claimed_calls = 2;
    device.claimed_at_once = at_once;
    HostBackend host;
    Scheduler scheduler({&device}, host, HostRole::standby);
    scheduler.posteriors(large_family(), large_model(),
                         MatrixSink([](std::uint32_t, std::uint32_t, SparseMatrix) {}));
    return device.calls_made();
  };
  CHECK(large_family().size() == 48);
  CHECK(calls_with(48 * 47 / 2) == 1);
  CHECK(calls_with(1) > 2);
  const int halves = calls_with(48 * 47 / 4);
  CHECK(halves >= 2);
  CHECK(halves <= 4);
}

TEST_CASE("scheduler: a device with several threads is retired once, and nothing is lost") {
  for (const ErrorKind kind : kDeviceErrors) {
    FakeDevice useless("useless"), flaky("flaky");
    useless.claimed_calls = 4;
    flaky.claimed_calls = 4;
    make_useless(useless, kind);
    flaky.before = [kind](int call) {
      if (call % 3 == 0) fail_with(kind, "every third call fails");
    };
    CHECK(run_on({&useless}, HostRole::standby, large_family()).retired ==
          std::vector<std::string>{"useless"});
    CHECK(run_on({&flaky}, HostRole::standby, large_family()).faults > 0);
    const DeviceFaults both = run_on({&useless, &flaky}, HostRole::works, large_family());
    CHECK(std::count(both.retired.begin(), both.retired.end(), "useless") == 1);
  }
}

TEST_CASE("scheduler: errors that are no fault of a device are thrown, not tried again") {
  for (const ErrorKind kind : {ErrorKind::bad_input, ErrorKind::internal, ErrorKind::usage}) {
    FakeDevice device("device");
    make_useless(device, kind);
    HostBackend host;
    Scheduler scheduler({&device}, host, HostRole::standby);
    CHECK(error_of([&] { aligned_by(scheduler, family()); }).kind() == kind);
    CHECK(device.calls_made() == 1);
    CHECK(scheduler.faults().faults == 0);
  }
  FakeDevice device("device");
  device.before = [](int) { throw std::bad_alloc(); };
  HostBackend host;
  Scheduler scheduler({&device}, host, HostRole::standby);
  CHECK_THROWS_AS(aligned_by(scheduler, family()), std::bad_alloc);
}

TEST_CASE("scheduler: what the host throws is final") {
  FakeDevice useless("useless"), host("host");
  make_useless(useless, ErrorKind::device_failed);
  make_useless(host, ErrorKind::out_of_memory);
  Scheduler scheduler({&useless}, host, HostRole::standby);
  CHECK(error_of([&] { aligned_by(scheduler, family()); }).kind() == ErrorKind::out_of_memory);
}

TEST_CASE("scheduler: what the sink throws fails its family and no other") {
  const PosteriorModel model =
      build_posterior_model(settings_of(family()).parameters, family().type());
  FakeDevice device("device");
  HostBackend host;
  Scheduler scheduler({&device}, host, HostRole::standby);
  const auto bad = [&] {
    scheduler.posteriors(family(), model,
                         MatrixSink([](std::uint32_t, std::uint32_t, SparseMatrix) {
                           fail_with(ErrorKind::out_of_memory, "no room for the cells");
                         }));
  };
  CHECK(error_of(bad).kind() == ErrorKind::out_of_memory);
  CHECK(scheduler.faults().faults == 0);
  CHECK(aligned_by(scheduler, family()) == expected(family()));
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
  device.bend_trees = [&](std::span<GuideTree> trees) {
    const std::lock_guard lock(mutex);
    for (const GuideTree& tree : trees) order.push_back(tree.leaves);
  };
  HostBackend host;
  Scheduler scheduler({&device}, host, HostRole::standby);
  Random random(6);
  std::vector<std::thread> families;
  const auto post = [&](std::uint32_t leaves) {
    families.emplace_back(
        [&scheduler, matrix = tree_like_distances(random, leaves, 20)] { scheduler.join(matrix); });
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

TEST_CASE("scheduler: one warning says what happened") {
  const WarningCatcher catcher;
  warn_of({});
  CHECK(catcher.warnings().empty());
  warn_of({4, 2, 1, {"gpu0"}, "gpu0: computing posteriors failed"});
  REQUIRE(catcher.warnings().size() == 1);
  const std::string text = catcher.warnings().front();
  for (const char* part :
       {"gpu0: computing posteriors failed", "3 more", "2 batches", "gpu0 was"}) {
    CAPTURE(part);
    CHECK(text.find(part) != std::string::npos);
  }
}
