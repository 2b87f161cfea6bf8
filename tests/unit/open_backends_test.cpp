// SPDX-License-Identifier: Apache-2.0
// Devices that open side by side, get ready in any order, and fail.
#include "run/devices/open_backends.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <cstddef>
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "accord/base/error.hpp"
#include "stages/consistency/consistency_call.hpp"
#include "stages/posteriors/posterior_call.hpp"
#include "support/fake_backends.hpp"
#include "support/scratch.hpp"
#include "support/sum_request.hpp"
#include "support/waiting.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

/// Remembers the stages that were announced to it.
class ListeningDevice : public FakeDevice {
 public:
  ListeningDevice(std::string name, std::atomic<int>& calls, std::atomic<int>& announced)
      : FakeDevice(std::move(name)), announced_(announced) {
    before = [&calls](int) { ++calls; };
  }
  void announce(const Stage&) override { ++announced_; }

 private:
  std::atomic<int>& announced_;
};

/// A device that opens, or fails, when a test says so.
struct SlowDevice {
  enum State { opening, ready, failed, absent };
  explicit SlowDevice(std::string of_name, State at_first = opening)
      : name(std::move(of_name)), state(at_first) {}

  DeviceOpener opener() {
    return {.open =
                [this] {
                  wait_until([this] { return state != opening; });
                  if (state == failed) fail_with(ErrorKind::device_failed, name + " is broken");
                  if (state == absent) return ReadyDevice{};
                  auto device = std::make_unique<ListeningDevice>(name, calls, announced);
                  device->is_on_host = is_on_host;
                  return ReadyDevice{std::move(device),
                                     {.id = name, .name = name, .self_test = "passed"}};
                },
            .failed = UsedDevice{.id = name, .name = name, .self_test = "failed"},
            .on_host = is_on_host};
  }

  std::string name;
  bool is_on_host = false;
  std::atomic<State> state;
  std::atomic<int> calls{0}, announced{0};
};

void compute_something(OpenBackends& backends) {
  SumRequest sum({1, 2, 3, 4});
  backends.scheduler().run(sum);
  CHECK(sum.sum() == 10);
}

std::string tests_of(const OpenBackends& backends) {
  std::string text;
  for (const UsedDevice& used : backends.used()) text += used.id + " " + used.self_test + "; ";
  return text;
}

void wait_for_opening(const OpenBackends& backends) {
  wait_until([&] { return !backends.is_opening(); });
}

const std::string kHost = "none not needed; ";

}  // namespace

TEST_CASE("open backends: the run begins with the first device that is ready, others join") {
  SlowDevice slow("slow"), fast("fast", SlowDevice::ready), broken("broken");
  OpenBackends backends({slow.opener(), fast.opener(), broken.opener()}, HostRole::standby,
                        BeginWhen::first_ready, std::vector{&PosteriorCall::stage});
  CHECK(backends.is_opening());
  CHECK(backends.names() == "fast");
  CHECK(tests_of(backends) == "fast passed; ");
  compute_something(backends);
  CHECK(fast.calls > 0);
  backends.announce(ConsistencyCall::stage);
  CHECK(fast.announced == 2);
  const WarningCatcher catcher;
  broken.state = SlowDevice::failed;
  wait_until([&] { return tests_of(backends) == "fast passed; broken failed; "; });
  slow.state = SlowDevice::ready;
  wait_for_opening(backends);
  CHECK(slow.announced == 2);
  CHECK(backends.names() == "slow; fast");
  CHECK(tests_of(backends) == "slow passed; fast passed; broken failed; ");
  REQUIRE(catcher.warnings().size() == 1);
  CHECK(catcher.warnings()[0] == "broken is broken; not used");
  wait_until([&] {  // whoever wakes up first computes
    compute_something(backends);
    return slow.calls > 0;
  });
}

TEST_CASE("open backends: a device on the processors of the host does not begin before others") {
  for (const SlowDevice::State end : {SlowDevice::ready, SlowDevice::failed}) {
    SlowDevice on_host("on host", SlowDevice::ready), other("other");
    on_host.is_on_host = true;
    std::thread opening([&] {
      wait_until([&] { return on_host.announced > 0; });  // it is about to join
      other.state = end;
    });
    OpenBackends backends({on_host.opener(), other.opener()}, HostRole::standby,
                          BeginWhen::first_ready, std::vector{&PosteriorCall::stage});
    CHECK(other.state == end);
    SumRequest request({1, 2});
    backends.scheduler().run(request);
    CHECK(request.sum() == 3);
    CHECK((other.calls > 0) == (end == SlowDevice::ready));
    CHECK((on_host.calls > 0) == (end == SlowDevice::failed));
    opening.join();
  }
}

TEST_CASE("open backends: a host that works is ready at once") {
  SlowDevice device("device");
  for (const SlowDevice::State end : {SlowDevice::ready, SlowDevice::failed}) {
    device.state = SlowDevice::opening;
    OpenBackends backends({device.opener()}, HostRole::works, BeginWhen::first_ready);
    CHECK(backends.is_opening());
    CHECK(backends.expects_devices());
    CHECK(tests_of(backends) == kHost);
    compute_something(backends);
    const WarningCatcher catcher;
    device.state = end;
    wait_for_opening(backends);
    const bool is_good = end == SlowDevice::ready;
    CHECK(tests_of(backends) == (is_good ? "device passed; " : "device failed; ") + kHost);
    CHECK(backends.expects_devices() == is_good);
    CHECK(catcher.warnings().size() == !is_good);
    compute_something(backends);
  }
}

TEST_CASE("open backends: the host computes until the only device is ready, or for good") {
  SlowDevice device("device");
  for (const SlowDevice::State end : {SlowDevice::ready, SlowDevice::failed, SlowDevice::absent}) {
    device.state = SlowDevice::opening;
    DeviceOpener opener = device.opener();
    opener.failed.reset();  // as of auto
    OpenBackends backends({opener}, HostRole::standby, BeginWhen::at_once);
    CHECK(tests_of(backends) == kHost);
    compute_something(backends);
    const WarningCatcher catcher;
    device.state = end;
    wait_for_opening(backends);
    device.calls = 0;
    compute_something(backends);
    CHECK((device.calls > 0) == (end == SlowDevice::ready));
    CHECK(tests_of(backends) == (end == SlowDevice::ready ? "device passed; " : kHost));
    CHECK(catcher.warnings().size() == (end == SlowDevice::failed));
  }
}

TEST_CASE("open backends: a single device that fails is an error, and so are several") {
  SlowDevice one("one", SlowDevice::failed), two("two", SlowDevice::failed),
      good("good", SlowDevice::ready);
  const auto open = [](const std::vector<DeviceOpener>& openers, HostRole role, BeginWhen begin) {
    return tests_of(OpenBackends(openers, role, begin));
  };
  const WarningCatcher catcher;
  for (const BeginWhen begin : {BeginWhen::first_ready, BeginWhen::all_ready}) {
    const Error alone = error_of([&] { open({one.opener()}, HostRole::standby, begin); });
    CHECK(alone.kind() == ErrorKind::device_failed);
    CHECK(std::string(alone.what()) == "one is broken");
    const Error both = error_of([&] {
      open({one.opener(), two.opener()}, HostRole::standby, begin);
    });
    CHECK(both.kind() == ErrorKind::device_failed);
    CHECK(std::string(both.what()) == "no device can be used: one is broken; two is broken");
  }
  CHECK(catcher.warnings().empty());
  CHECK(open({one.opener(), two.opener()}, HostRole::works, BeginWhen::all_ready) ==
        "one failed; two failed; " + kHost);
  CHECK(open({one.opener(), good.opener()}, HostRole::standby, BeginWhen::all_ready) ==
        "one failed; good passed; ");
  CHECK(catcher.warnings().size() == 3);
}

TEST_CASE("open backends: no devices") {
  OpenBackends backends({}, HostRole::works, BeginWhen::first_ready);
  CHECK_FALSE(backends.is_opening());
  CHECK_FALSE(backends.expects_devices());
  CHECK(tests_of(backends) == kHost);
  compute_something(backends);
}
