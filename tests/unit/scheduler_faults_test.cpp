// SPDX-License-Identifier: Apache-2.0
// Backends that fail: the same alignment, and an account of what went wrong.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <new>
#include <span>
#include <string>
#include <vector>

#include "engine/scheduler.hpp"
#include "engine/work_queue_parts.hpp"
#include "stages/posteriors/posterior_request.hpp"
#include "support/scheduler_cases.hpp"
#include "support/scratch.hpp"
#include "support/waiting.hpp"

using namespace accord;
using namespace accord::testing;

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

TEST_CASE("scheduler: a copy shares the device and its record, and has a check of its own") {
  FakeDevice device("device");
  make_fail_once(device, 0, ErrorKind::device_failed);
  HostBackend host;
  Scheduler scheduler({&device}, host, HostRole::standby);
  Scheduler first = scheduler, second = scheduler;
  CHECK(aligned_by(first, family()) == expected(family()));
  const DeviceFaults before = second.faults();
  CHECK(before.faults == 1);
  CHECK(aligned_by(second, family()) == expected(family()));
  CHECK(second.faults().since(before).faults == 0);
  second.set_check([] { fail_with(ErrorKind::usage, "given up"); });
  CHECK(error_of([&] { second.run({}); }).kind() == ErrorKind::usage);
  first.run({});
  const DeviceFaults later =
      DeviceFaults{5, 3, 2, {"device"}, "a", "b"}.since({3, 2, 2, {}, "a", "a"});
  CHECK(later.faults == 2);
  CHECK(later.retries == 1);
  CHECK(later.moves == 0);
  CHECK(later.retired == std::vector<std::string>{"device"});
  CHECK(later.first == "b");
}

TEST_CASE("scheduler: a device that fails every other time is retired in the end") {
  FakeTime time;
  FakeDevice flaky("flaky");
  // So slow that each batch is one block. One call at a time: of two, one may fail time after time.
  flaky.claimed_batches = 1;
  flaky.before = [](int call) {
    if (call % 2 == 0) fail_with(ErrorKind::device_failed, "every other call fails");
  };
  flaky.check_pairs = [&](const PosteriorCall& call) {
    time.pass(1000.0 * static_cast<double>(pairs_of(call)));
  };
  HostBackend host;
  Scheduler scheduler({&flaky}, host, HostRole::standby, time.clock());
  for (int run = 0; run < 10 && scheduler.faults().retired.empty(); ++run) {
    CHECK(aligned_by(scheduler, large_family()) == expected(large_family()));
  }
  CHECK(scheduler.faults().faults >= DeviceHealth::kMostFaults);
  CHECK(scheduler.faults().faults <= 2 * DeviceHealth::kMostFaults);
  CHECK(scheduler.faults().retired.size() == 1);
}

TEST_CASE("scheduler: a device that fails now and then is used to the end") {
  FakeTime time;
  FakeDevice device("device");
  device.claimed_batches = 2;
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
    request_posteriors({large_family(), large_model()}, PairSet::all(48), scheduler,
                       [&](std::uint32_t, std::uint32_t, const PairPosterior&) { ++pairs; });
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
    liar.claimed_batches = calls;
    CHECK(run_on({&liar}, HostRole::standby).retired.size() == 1);
    CHECK(liar.calls_made() == 0);
  }
}

TEST_CASE("scheduler: pairs that a device hands over before it fails are replaced") {
  FakeDevice device("device");
  std::atomic<int> pairs{0};
  device.tamper_with = [&](const PosteriorSink& sink) {
    return [&, sink](std::uint32_t x, std::uint32_t y, const PairPosterior& pair) {
      const std::vector<PosteriorCell> wrong{{0, 0, 0.5f}};
      if (pairs++ >= 10) fail_with(ErrorKind::device_failed, "half of the way");
      sink(x, y, SparseMatrix(pair.matrix.rows(), pair.matrix.cols(), wrong));
    };
  };
  CHECK(run_on({&device}, HostRole::standby).faults > 0);
}

TEST_CASE("scheduler: a device that forgets a pair has failed") {
  FakeDevice device("device");
  device.tamper_with = [](const PosteriorSink& sink) {
    return [sink](std::uint32_t x, std::uint32_t y, PairPosterior pair) {
      if (x != 2 || y != 7) sink(x, y, std::move(pair));
    };
  };
  const DeviceFaults faults = run_on({&device}, HostRole::standby);
  CHECK(faults.faults > 0);
  CHECK(faults.first.find("pairs") != std::string::npos);
}

TEST_CASE("scheduler: a device that forgets new units of a pair, or a pair of them, has failed") {
  for (const std::string fault : {"none", "nothing of a pair", "too few", "too many"}) {
    CAPTURE(fault);
    FakeDevice device("device");
    std::atomic<bool> is_done{fault == "none"};  // a device that is good, as a control
    device.tamper_with_units = [&](const ConsistencySink& sink) {
      return ConsistencySink([&, sink](std::size_t pair, std::span<const std::uint16_t> units) {
        if (is_done.exchange(true)) return sink(pair, units);
        if (fault == "nothing of a pair") return;
        std::vector<std::uint16_t> other(units.begin(), units.end());
        other.resize(fault == "too few" ? other.size() - 1 : other.size() + 1, 1);
        sink(pair, other);
      });
    };
    const DeviceFaults faults = run_on({&device}, HostRole::standby);
    CHECK(faults.faults == (fault == "none" ? 0 : 1));
    CHECK(faults.retries == faults.faults);
    CHECK(faults.retired.empty());
  }
}

TEST_CASE("scheduler: a device with several threads is retired once, and nothing is lost") {
  for (const ErrorKind kind : kDeviceErrors) {
    FakeDevice useless("useless"), flaky("flaky");
    useless.claimed_batches = 4;
    flaky.claimed_batches = 4;
    make_useless(useless, kind);
    flaky.before = [kind](int call) {
      if (call % 3 == 0) fail_with(kind, "every third call fails");
    };
    CHECK(run_on({&useless}, HostRole::standby, large_family()).retired ==
          std::vector<std::string>{"useless"});
    CHECK(run_on({&flaky}, HostRole::standby, large_family()).faults > 0);
    // The others leave it work until it is retired, however late its threads begin.
    FakeDevice host("host");
    Scheduler scheduler({&useless, &flaky}, host, HostRole::works);
    const auto is_retired = [&] {
      const std::vector<std::string> retired = scheduler.faults().retired;
      return std::ranges::find(retired, "useless") != retired.end();
    };
    const auto wait_for_it = [&](int) { wait_until(is_retired); };
    host.before = wait_for_it;
    flaky.before = [&, fail = flaky.before](int call) {
      wait_for_it(call);
      fail(call);
    };
    CHECK(aligned_by(scheduler, large_family()) == expected(large_family()));
    CHECK(std::ranges::count(scheduler.faults().retired, "useless") == 1);
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
    request_posteriors({family(), model}, PairSet::all(family().size()), scheduler,
                       [](std::uint32_t, std::uint32_t, const PairPosterior&) {
                         fail_with(ErrorKind::out_of_memory, "no room for the cells");
                       });
  };
  CHECK(error_of(bad).kind() == ErrorKind::out_of_memory);
  CHECK(scheduler.faults().faults == 0);
  CHECK(aligned_by(scheduler, family()) == expected(family()));
}

TEST_CASE("scheduler: one warning says what happened") {
  const WarningCatcher catcher;
  warn_of_device_faults({});
  CHECK(catcher.warnings().empty());
  warn_of_device_faults({4, 2, 1, {"gpu0"}, "gpu0: computing posteriors failed", "another"});
  REQUIRE(catcher.warnings().size() == 1);
  const std::string text = catcher.warnings().front();
  for (const char* part :
       {"gpu0: computing posteriors failed", "3 more", "2 batches", "gpu0 was"}) {
    CAPTURE(part);
    CHECK(text.find(part) != std::string::npos);
  }
  // What an earlier call has given up is said again.
  warn_of_device_faults({0, 0, 0, {"gpu1"}, "", ""});
  REQUIRE(catcher.warnings().size() == 2);
  CHECK(catcher.warnings().back().find("gpu1 was given up in an earlier call") !=
        std::string::npos);
}
