// SPDX-License-Identifier: Apache-2.0
// Requests of one call, and of several, on devices that come, fail and fill.
#include "engine/work_queue.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <deque>
#include <memory>
#include <numeric>
#include <optional>
#include <random>
#include <thread>
#include <vector>

#include "engine/work_queue_parts.hpp"
#include "stages/consistency/consistency_call.hpp"
#include "support/fake_backends.hpp"
#include "support/scratch.hpp"
#include "support/sum_request.hpp"
#include "support/waiting.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

/// A request that is a batch.
class AloneRequest : public SumRequest {
 public:
  using SumRequest::SumRequest;
  bool shares_batch_with(const StageRequest& other) const override { return this == &other; }
};

/// A request of another stage, which notes who computes it.
class OtherRequest : public SumRequest {
 public:
  OtherRequest(std::vector<long> numbers, std::atomic<const Backend*>& by)
      : SumRequest(std::move(numbers)), by_(by) {}

  const Stage& stage() const override { return ConsistencyCall::stage; }
  const SharePolicy& policy() const override { return ConsistencyCall::policy; }
  void run(Backend& backend, std::uint32_t memory_parts,
           std::span<const ItemRange> items) override {
    by_ = &backend;
    SumRequest::run(backend, memory_parts, items);
  }

 private:
  std::atomic<const Backend*>& by_;
};

/// Numbers that are pairs as well, and what batches had of all of them.
class PairsRequest : public SumRequest {
 public:
  PairsRequest(std::size_t pairs, std::vector<std::size_t>& batches)
      : SumRequest(std::vector<long>(pairs, 1)), batches_(batches) {}

  std::uint32_t pairs(std::size_t) const override { return 1; }
  void run(Backend& backend, std::uint32_t memory_parts,
           std::span<const ItemRange> items) override {
    batches_.push_back(0);
    for (const ItemRange& range : items) batches_.back() += range.last - range.first;
    SumRequest::run(backend, memory_parts, items);
  }

 private:
  std::vector<std::size_t>& batches_;
};

/// Requests that together add up 1, 2, ... `last`, each a random part of them.
struct Sums {
  explicit Sums(unsigned seed, long last) {
    std::mt19937 random(seed);
    for (long k = 1; k <= last;) {
      std::vector<long> numbers;
      for (auto n = static_cast<long>(random() % 20); n > 0 && k <= last; --n) {
        numbers.push_back(k++);
      }
      sums.emplace_back(std::move(numbers));  // some have no items
    }
    for (SumRequest& sum : sums) requests.push_back(&sum);
  }

  long total() const {
    return std::accumulate(sums.begin(), sums.end(), 0L,
                           [](long sum, const SumRequest& request) { return sum + request.sum(); });
  }

  std::deque<SumRequest> sums;
  std::vector<StageRequest*> requests;
};

}  // namespace

TEST_CASE("work queue: every item of every request is computed once") {
  constexpr long kLast = 200;
  FakeDevice good("good"), flaky("flaky");
  good.claimed_batches = 3;
  flaky.before = [](int call) {
    if (call % 5 == 0) fail_with(ErrorKind::device_failed, "every fifth call fails");
  };
  HostBackend host;
  for (const std::vector<Backend*>& devices :
       {std::vector<Backend*>{}, {&good}, {&flaky}, {&good, &flaky}}) {
    WorkQueue queue(devices, host, HostRole::works);
    for (unsigned seed = 1; seed <= 5; ++seed) {
      CAPTURE(seed);
      Sums sums(seed, kLast);
      queue.run(sums.requests);
      CHECK(sums.total() == kLast * (kLast + 1) / 2);
      CHECK(queue.open_requests() == 0);
    }
  }
}

TEST_CASE("work queue: a further batch at the same time begins when a device has computed enough") {
  constexpr int kEnough = 40;
  FakeDevice device("device");
  device.claimed_batches = 3;
  device.claimed_warm_up = kEnough;
  std::atomic<bool> has_begun{false};
  device.before = [&](int call) {
    // A batch too many has time to come; that none comes takes no certain time, so that a busy
    // machine sees nothing that is not there.
    for (int k = 0; k < 20 && call < kEnough && device.calls_now() < 3; ++k) {
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
    if (call > kEnough + 2) wait_until([&] { return has_begun || device.calls_now() == 3; });
    if (device.calls_now() < 3) return;
    CHECK(device.calls_made() > kEnough);  // those that have ended, and this one
    has_begun = true;
  };
  HostBackend host;
  WorkQueue queue({&device}, host, HostRole::standby);
  std::deque<AloneRequest> alone;
  std::vector<StageRequest*> requests;
  for (long k = 0; k < 4 * kEnough; ++k) alone.emplace_back(std::vector<long>{k});
  for (AloneRequest& request : alone) requests.push_back(&request);
  queue.run(requests);
  CHECK(device.most_calls_at_once() == 3);
}

TEST_CASE("work queue: a batch that fills a device for long enough ends with a request") {
  FakeDevice device("device");
  device.claimed_at_once = 10;
  HostBackend host;
  const auto batches_at = [&](double seconds_each) {
    std::vector<std::size_t> batches;
    double now = 0;
    WorkQueue queue({&device}, host, HostRole::standby, [&] { return now += seconds_each; });
    PairsRequest a(30, batches), b(20, batches), c(5, batches), d(4, batches);
    std::vector<StageRequest*> requests{&c, &b, &d, &a};
    queue.run(requests);
    return batches;
  };
  CHECK(batches_at(100) == std::vector<std::size_t>{30, 20, 9});
  CHECK(batches_at(1e-5) == std::vector<std::size_t>{30, 29});
}

TEST_CASE("work queue: the host stands in until devices are added, if there are any") {
  constexpr long kLast = 50;
  FakeDevice good("good"), useless("useless");
  make_useless(useless, ErrorKind::device_failed);
  const auto sum_by = [](WorkQueue& queue) {
    Sums sums(7, kLast);
    queue.run(sums.requests);
    return sums.total();
  };
  constexpr long kSum = kLast * (kLast + 1) / 2;
  for (const std::vector<Backend*>& devices :
       {std::vector<Backend*>{}, {&good}, {&useless}, {&useless, &good}}) {
    FakeDevice host("host");
    WorkQueue queue({}, host, HostRole::standby, clock_seconds, true);
    CHECK(sum_by(queue) == kSum);
    const int alone = host.calls_made();
    CHECK(alone > 0);
    queue.add(devices);
    CHECK(sum_by(queue) == kSum);
    const bool has_good = std::find(devices.begin(), devices.end(), &good) != devices.end();
    CHECK((host.calls_made() > alone) == !has_good);
  }
  CHECK(good.calls_made() > 0);
}

TEST_CASE("work queue: devices are added one after another, and one does not come") {
  constexpr long kLast = 50;
  const auto sum_by = [](WorkQueue& queue) {
    Sums sums(7, kLast);
    queue.run(sums.requests);
    return sums.total();
  };
  constexpr long kSum = kLast * (kLast + 1) / 2;
  for (const HostRole role : {HostRole::standby, HostRole::works}) {
    FakeDevice host("host"), first("first"), second("second");
    WorkQueue queue({}, host, role, clock_seconds, role == HostRole::standby);
    CHECK(sum_by(queue) == kSum);
    Backend* added = &first;
    queue.add({&added, 1}, true);
    CHECK(sum_by(queue) == kSum);
    queue.add({}, true);
    CHECK(sum_by(queue) == kSum);
    added = &second;
    queue.add({&added, 1}, false);
    wait_until([&] {  // whoever wakes up first computes
      CHECK(sum_by(queue) == kSum);
      return first.calls_made() > 0 && second.calls_made() > 0;
    });
  }
}

TEST_CASE("work queue: a device that is alone leaves work for one that is to come") {
  FakeDevice first("first"), host("host");
  std::vector<std::size_t> batches;
  WorkQueue queue({&first}, host, HostRole::standby, clock_seconds, true);
  PairsRequest request(1000, batches);
  queue.run(request);
  CHECK(batches.size() > 1);
  batches.clear();
  queue.add({}, false);
  PairsRequest other(1000, batches);
  queue.run(other);
  CHECK(batches.size() == 1);
}

TEST_CASE("work queue: devices are added while the host computes") {
  constexpr long kLast = 50;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    FakeDevice device("device");
    HostBackend host;
    WorkQueue queue({}, host, HostRole::standby, clock_seconds, true);
    std::atomic<bool> is_added{false};
    std::thread adding([&] {
      Backend* const added = &device;
      if (seed % 4 != 0) queue.add({&added, 1});
      if (seed % 4 == 0) queue.add({});
      is_added = true;
    });
    for (bool was_added = false; !was_added;) {
      was_added = is_added;
      Sums sums(seed, kLast);
      queue.run(sums.requests);
      CHECK(sums.total() == kLast * (kLast + 1) / 2);
    }
    adding.join();
    CHECK((device.calls_made() > 0) == (seed % 4 != 0));
    CHECK(queue.open_requests() == 0);
  }
}

TEST_CASE("work queue: a device that is as fast in one stage is tried soon in the next one") {
  // A batch lasts a second, so that one on a device a hundred times slower would be too long.
  FakeTime time;
  FakeDevice one("one"), two("two"), host("host");
  for (FakeDevice* device : {&one, &two}) device->before = [&](int) { time.pass(1); };
  WorkQueue queue({&one, &two}, host, HostRole::standby, time.clock());
  wait_until([&] {  // whoever wakes up first computes
    AloneRequest request({1, 2});
    queue.run(request);
    return one.calls_made() > 0 && two.calls_made() > 0;
  });
  std::atomic<const Backend*> by{nullptr};
  bool by_one = false, by_two = false;
  for (int k = 0; k < 800 && !(by_one && by_two); ++k) {
    OtherRequest request({1}, by);
    queue.run(request);
    by_one |= by == &one;
    by_two |= by == &two;
  }
  CHECK(by_one);
  CHECK(by_two);
}

TEST_CASE("work queue: a device on the processors of the host takes what no other backend can") {
  const std::thread::id caller = std::this_thread::get_id();
  for (const HostRole role : {HostRole::works, HostRole::standby}) {
    FakeDevice on_host("on host"), other("other"), host("host");
    on_host.is_on_host = true;
    std::atomic<bool> by_caller{false};
    host.before = [&](int) { by_caller = std::this_thread::get_id() == caller; };
    WorkQueue queue({&on_host}, host, role);
    SumRequest alone({1, 2});
    queue.run(alone);
    CHECK((on_host.calls_made() > 0) == (role == HostRole::standby));
    // What the host computes alone, it computes on the calling thread.
    CHECK(by_caller == (role == HostRole::works));
    other.before = [](int call) {
      if (call > 1) fail_with(ErrorKind::device_failed, "only the first call is computed");
    };
    Backend* const added = &other;
    queue.add({&added, 1});
    const int before = on_host.calls_made();
    SumRequest beside({1, 2});
    queue.run(beside);
    CHECK(on_host.calls_made() == before);
    if (role == HostRole::works) continue;  // the host, too, takes what the other device leaves
    while (queue.faults().retired.empty()) {
      SumRequest request({1});
      queue.run(request);
      CHECK(request.sum() == 1);
    }
    CHECK(on_host.calls_made() > before);
    CHECK(host.calls_made() == 0);
  }
}

TEST_CASE("work queue: a device on the processors of the host waits for them, others do not") {
  for (const bool is_on_host : {false, true}) {
    FakeDevice device("device");
    device.is_on_host = is_on_host;
    HostBackend host;
    WorkQueue queue({&device}, host, HostRole::standby);
    SumRequest request({1, 2});
    std::optional<CpuBudget::Lease> all(std::in_place, queue.cpus(), queue.cpus().cpus());
    std::thread running([&] { queue.run(request); });
    wait_until([&] { return is_on_host ? queue.cpus().waiting() == 1 : request.sum() == 3; });
    CHECK(device.calls_made() == !is_on_host);
    all.reset();
    running.join();
    CHECK(device.calls_made() == 1);
  }
}

TEST_CASE("work queue: of requests one of which fails the others are computed") {
  FakeDevice device("device");
  HostBackend host;
  for (const std::vector<Backend*>& devices : {std::vector<Backend*>{}, {&device}}) {
    WorkQueue queue(devices, host, HostRole::standby);
    SumRequest bad(std::vector<long>{-1});
    SumRequest other(std::vector<long>{4, 5});
    std::vector<StageRequest*> requests{&bad, &other};
    CHECK(error_of([&] { queue.run(requests); }).kind() == ErrorKind::bad_input);
    CHECK(bad.failed());
    CHECK(!other.failed());
    CHECK(other.sum() == 9);
    CHECK(queue.open_requests() == 0);
  }
}
