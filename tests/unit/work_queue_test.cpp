// SPDX-License-Identifier: Apache-2.0
// Requests that depend on each other.
#include "engine/work_queue.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <deque>
#include <memory>
#include <numeric>
#include <random>
#include <thread>
#include <vector>

#include "stages/neighbor_joining/call.hpp"
#include "support/fake_backends.hpp"
#include "support/scratch.hpp"
#include "support/waiting.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

/// A node of a tree of sums: its items add up numbers, which are its own at a leaf and the sums of
/// the children at an inner node.
class SumRequest : public StageRequest {
 public:
  explicit SumRequest(std::vector<long> numbers) : numbers_(std::move(numbers)) {}
  explicit SumRequest(std::vector<SumRequest*> children) : children_(std::move(children)) {
    for (SumRequest* child : children_) begin_after(*child);
  }

  BackendStage stage() const override { return BackendStage::join; }
  const SharePolicy& policy() const override { return JoinCall::policy; }
  std::size_t items() override {
    for (const SumRequest* child : children_) numbers_.push_back(child->sum());
    return numbers_.size();
  }
  double work(std::size_t) const override { return 1; }
  bool shares_batch_with(const StageRequest& other) const override {
    return dynamic_cast<const SumRequest*>(&other) != nullptr;
  }
  void run(Backend& backend, std::uint32_t, std::span<const ItemRange> items) override {
    std::vector<GuideTree> none;
    backend.compute(JoinCall{{}, none});  // may fail
    for (const ItemRange& range : items) {
      auto* request = static_cast<SumRequest*>(range.request);
      for (std::size_t k = range.first; k < range.last; ++k) {
        if (request->numbers_[k] < 0) {  // no fault of those that share the batch
          request->fail(std::make_exception_ptr(Error(ErrorKind::bad_input, "negative")));
        }
        request->sum_ += request->numbers_[k];
      }
    }
  }
  long sum() const { return sum_; }

 private:
  std::vector<SumRequest*> children_;
  std::vector<long> numbers_;
  std::atomic<long> sum_{0};
};

/// A request that is a batch.
class AloneRequest : public SumRequest {
 public:
  using SumRequest::SumRequest;
  bool shares_batch_with(const StageRequest& other) const override { return this == &other; }
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

/// A random tree over leaves with the numbers 1, 2, ...; the root comes last. In any order of the
/// requests.
struct SumTree {
  explicit SumTree(unsigned seed, long leaves) {
    std::mt19937 random(seed);
    std::deque<SumRequest*> open;
    const auto add = [&](auto input) {
      nodes.push_back(std::make_unique<SumRequest>(std::move(input)));
      open.push_back(nodes.back().get());
    };
    for (long k = 1; k <= leaves; ++k) add(std::vector<long>{k});
    while (open.size() > 1) {
      std::vector<SumRequest*> children;
      for (std::size_t k = 2 + random() % 3; k > 0 && !open.empty(); --k) {
        std::swap(open.front(), open[random() % open.size()]);
        children.push_back(open.front());
        open.pop_front();
      }
      add(children);
    }
    root = open.front();
    for (const auto& node : nodes) requests.push_back(node.get());
    std::shuffle(requests.begin(), requests.end(), random);
  }

  std::vector<std::unique_ptr<SumRequest>> nodes;
  std::vector<StageRequest*> requests;
  SumRequest* root = nullptr;
};

}  // namespace

TEST_CASE("work queue: the requests of a tree are computed after those that they wait for") {
  constexpr long kLeaves = 200;
  FakeDevice good("good"), flaky("flaky");
  good.claimed_calls = 3;
  flaky.before = [](int call) {
    if (call % 5 == 0) fail_with(ErrorKind::device_failed, "every fifth call fails");
  };
  HostBackend host;
  for (const std::vector<Backend*>& devices :
       {std::vector<Backend*>{}, {&good}, {&flaky}, {&good, &flaky}}) {
    WorkQueue queue(devices, host, HostRole::works);
    for (unsigned seed = 1; seed <= 5; ++seed) {
      CAPTURE(seed);
      SumTree tree(seed, kLeaves);
      queue.run(tree.requests);
      CHECK(tree.root->sum() == kLeaves * (kLeaves + 1) / 2);
      CHECK(queue.open_requests() == 0);
    }
  }
}

TEST_CASE("work queue: a further batch at the same time begins when a device has computed enough") {
  constexpr int kEnough = 40;
  FakeDevice device("device");
  device.claimed_calls = 3;
  device.before_last_call = kEnough;
  std::atomic<bool> has_begun{false};
  device.before = [&](int call) {
    if (call < kEnough) CHECK(device.calls_now() <= 2);
    if (call > kEnough + 2) wait_until([&] { return has_begun || device.calls_now() == 3; });
    has_begun = has_begun || device.calls_now() == 3;
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
  constexpr long kLeaves = 50;
  FakeDevice good("good"), useless("useless");
  make_useless(useless, ErrorKind::device_failed);
  const auto sum_by = [](WorkQueue& queue) {
    SumTree tree(7, kLeaves);
    queue.run(tree.requests);
    return tree.root->sum();
  };
  constexpr long kSum = kLeaves * (kLeaves + 1) / 2;
  for (const std::vector<Backend*>& devices :
       {std::vector<Backend*>{}, {&good}, {&useless}, {&useless, &good}}) {
    FakeDevice host("host");
    WorkQueue queue({}, host, HostRole::stands_in);
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

TEST_CASE("work queue: devices are added while the host computes") {
  constexpr long kLeaves = 50;
  for (unsigned seed = 1; seed <= 20; ++seed) {
    CAPTURE(seed);
    FakeDevice device("device");
    HostBackend host;
    WorkQueue queue({}, host, HostRole::stands_in);
    std::atomic<bool> is_added{false};
    std::thread adding([&] {
      Backend* const added = &device;
      if (seed % 4 != 0) queue.add({&added, 1});
      if (seed % 4 == 0) queue.add({});
      is_added = true;
    });
    for (bool was_added = false; !was_added;) {
      was_added = is_added;
      SumTree tree(seed, kLeaves);
      queue.run(tree.requests);
      CHECK(tree.root->sum() == kLeaves * (kLeaves + 1) / 2);
    }
    adding.join();
    CHECK((device.calls_made() > 0) == (seed % 4 != 0));
    CHECK(queue.open_requests() == 0);
  }
}

TEST_CASE("work queue: what waits for a request that fails is not computed, the rest is") {
  FakeDevice device("device");
  HostBackend host;
  for (const std::vector<Backend*>& devices : {std::vector<Backend*>{}, {&device}}) {
    WorkQueue queue(devices, host, HostRole::standby);
    // A chain long enough that recursion along it would need more stack than there is.
    std::vector<std::unique_ptr<SumRequest>> chain;
    chain.push_back(std::make_unique<SumRequest>(std::vector<long>{-1}));
    for (int k = 0; k < 200'000; ++k) {
      chain.push_back(std::make_unique<SumRequest>(std::vector<SumRequest*>{chain.back().get()}));
    }
    SumRequest other(std::vector<long>{4, 5});
    std::vector<StageRequest*> requests;
    for (const auto& request : chain) requests.push_back(request.get());
    requests.push_back(&other);
    CHECK(error_of([&] { queue.run(requests); }).kind() == ErrorKind::bad_input);
    CHECK(chain.back()->failed());
    CHECK(chain.back()->sum() == 0);
    CHECK(!other.failed());
    CHECK(other.sum() == 9);
    CHECK(queue.open_requests() == 0);
  }
}

TEST_CASE("work queue: requests that wait for each other, or for others, are refused") {
  HostBackend host;
  WorkQueue queue({}, host, HostRole::works);
  SumRequest a(std::vector<long>{1}), b(std::vector<long>{2});
  a.begin_after(b);
  CHECK(error_of([&] { queue.run(a); }).kind() == ErrorKind::internal);
  b.begin_after(a);
  const std::vector<StageRequest*> both{&a, &b};
  CHECK(error_of([&] { queue.run(both); }).kind() == ErrorKind::internal);
  CHECK(queue.open_requests() == 0);
}
