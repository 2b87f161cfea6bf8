// SPDX-License-Identifier: Apache-2.0
// Posteriors and consistency of some pairs of a family: what a run of all pairs finds for them.
#include <doctest/doctest.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <string>
#include <thread>
#include <vector>

#include "accord/base/error.hpp"
#include "backends/opencl_devices.hpp"
#include "engine/host/host_backend.hpp"
#include "engine/host/kernels.hpp"
#include "method/family_posteriors.hpp"
#include "stages/consistency/consistency_request.hpp"
#include "stages/posteriors/expected_accuracy.hpp"
#include "support/align_cases.hpp"
#include "support/fake_backends.hpp"
#include "support/random_posteriors.hpp"
#include "support/sequences.hpp"

using namespace accord;
using namespace accord::testing;

namespace {

constexpr std::uint32_t kSequences = 70;

/// Relatives of many lengths, and two sequences without residues.
SequenceSet make_family() {
  SequenceGenerator generator(31);
  const Codes root = generator.background(48);
  std::vector<Codes> codes;
  for (std::uint32_t k = 0; k + 2 < kSequences; ++k) {
    codes.push_back(generator.mutate(root, 0.4, 0.03, 0.1));
    codes.back().resize(std::max<std::size_t>(4, codes.back().size() - k % 23));
  }
  codes.resize(kSequences);
  return make_set(codes);
}

const SequenceSet& family() {
  static const SequenceSet set = make_family();
  return set;
}

const PosteriorModel& model() {
  static const PosteriorModel built =
      build_posterior_model(default_parameters(ResidueType::protein), ResidueType::protein);
  return built;
}

/// The posteriors of all pairs, by the host.
const PosteriorSet& all_posteriors() {
  static const PosteriorSet all = [] {
    HostBackend host;
    Scheduler scheduler(host);
    return compute_posteriors({family(), model()}, PairSet::all(kSequences), scheduler);
  }();
  return all;
}

/// Two groups that share no sequence, and of neither every fifth.
std::vector<std::vector<std::uint32_t>> two_groups() {
  std::vector<std::vector<std::uint32_t>> groups(2);
  for (std::uint32_t x = 0; x < kSequences; ++x) {
    if (x % 5 != 3) groups[x * 7 % 3 == 0].push_back(x);
  }
  return groups;
}

std::vector<PairSet> wanted_sets() {
  Random random(32);
  const auto groups = two_groups();
  std::vector<PairIndex> few, many;
  for (std::uint32_t y = 1; y < kSequences; ++y) {
    for (std::uint32_t x = 0; x < y; ++x) {
      const std::uint32_t chance = draw(random, 0, 99);
      if (chance < 3) few.push_back({x, y});
      if (chance < 60) many.push_back({x, y});
    }
  }
  return {PairSet::all(kSequences),
          PairSet::within(kSequences, groups[0]),
          PairSet::between(kSequences, groups[0], groups[1]),
          PairSet::listed(kSequences, few),
          PairSet::listed(kSequences, many),
          PairSet::listed(kSequences, {{0, 1}}),
          PairSet::listed(kSequences, {})};
}

void check_same(const PosteriorSet& found, const PosteriorSet& all) {
  std::size_t different = 0;
  for (std::size_t k = 0; k < found.pairs().size(); ++k) {
    const auto [x, y] = found.pairs()[k];
    different += !(found[k] == all.at(x, y));
  }
  CHECK(different == 0);
}

void check_posteriors(Scheduler& scheduler) {
  for (const PairSet& wanted : wanted_sets()) {
    CAPTURE(wanted.size());
    const PosteriorSet found = compute_posteriors({family(), model()}, wanted, scheduler);
    CHECK(found.pairs().size() == wanted.size());
    check_same(found, all_posteriors());
  }
}

/// Counts what it is told.
struct Counter : ProgressListener {
  void begin(const std::string&, const std::string&, std::uint64_t items,
             std::uint64_t work) override {
    all_items = items;
    all_work = work;
  }
  void advance(std::uint64_t items, std::uint64_t work) override {
    done_items += items;
    done_work += work;
  }
  std::uint64_t all_items = 0, all_work = 0;
  std::atomic<std::uint64_t> done_items{0}, done_work{0};
};

}  // namespace

TEST_CASE("wanted pairs: their posteriors are those of a run of all pairs") {
  HostBackend host;
  Scheduler alone(host);
  check_posteriors(alone);
  const ThreadCount threads(2);
  FakeDevice wide("wide"), other("other", host::available_kernels().back());
  Scheduler mixed({&wide, &other}, host, HostRole::works);
  check_posteriors(mixed);
  CHECK(wide.pairs_done() + other.pairs_done() > 0);
}

TEST_CASE("wanted pairs: what fails on a device is computed again") {
  HostBackend host;
  for (int call = 0; call < 6; ++call) {
    CAPTURE(call);
    FakeDevice device("device");
    make_fail_once(device, call, ErrorKind::device_failed);
    Scheduler scheduler({&device}, host, HostRole::standby);
    check_posteriors(scheduler);
    CHECK(scheduler.faults().faults == 1);
  }
}

TEST_CASE("wanted pairs: several families, each with its pairs, share the batches of a device") {
  const ThreadCount threads(2);
  HostBackend host;
  FakeDevice device("device");
  Scheduler scheduler({&device}, host, HostRole::standby);
  const std::vector<PairSet> wanted = wanted_sets();
  std::vector<PosteriorSet> found(wanted.size());
  std::vector<std::thread> families;
  for (std::size_t k = 0; k < wanted.size(); ++k) {
    families.emplace_back([&, k] {
      found[k] = compute_posteriors({family(), model()}, wanted[k], scheduler);
    });
  }
  for (std::thread& thread : families) thread.join();
  for (const PosteriorSet& set : found) check_same(set, all_posteriors());
}

TEST_CASE("wanted pairs: on every OpenCL device, in both layouts") {
  for (const ocl::DeviceInfo& device : devices_to_test()) {
    for (const char* layout : {"lanes", "group"}) {
      CAPTURE(layout);
      const ForcedLayout forced(layout);
      OpenClBackend backend(device);
      HostBackend host;
      Scheduler scheduler({&backend}, host, HostRole::standby);
      check_posteriors(scheduler);
      CHECK(scheduler.faults().faults == 0);
    }
  }
}

TEST_CASE("wanted pairs: progress counts the pairs and cells that are wanted") {
  HostBackend host;
  Scheduler scheduler(host);
  for (const PairSet& wanted : wanted_sets()) {
    CAPTURE(wanted.size());
    Counter counter;
    compute_posteriors({family(), model()}, wanted, scheduler, &counter);
    std::uint64_t pairs = 0, cells = 0;
    for (std::size_t k = 0; k < wanted.size(); ++k) {
      const auto [x, y] = wanted[k];
      pairs += family().length(y) > 0;
      cells += std::uint64_t{family().length(x)} * family().length(y);
    }
    CHECK(counter.all_items == pairs);
    CHECK(counter.all_work == cells);
    CHECK(counter.done_items == pairs);
    CHECK(counter.done_work == cells);
  }
}

TEST_CASE("wanted pairs: their transform needs the pairs with the intermediates and no others") {
  constexpr float kCutoff = 0.01f;
  const std::vector<std::uint32_t> intermediates = {1, 4, 20, 33};
  const ConsistencyWeights weights(random_weights(5, kSequences), 1.0f, intermediates);
  HostBackend host;
  FakeDevice device("device");
  Scheduler alone(host), shared({&device}, host, HostRole::works);
  const PosteriorSet all =
      request_consistency(all_posteriors(), PairSet::all(kSequences), weights, kCutoff, alone);
  for (const PairSet& wanted : wanted_sets()) {
    CAPTURE(wanted.size());
    std::vector<PairIndex> needed;
    for (std::size_t k = 0; k < wanted.size(); ++k) {
      const PairIndex pair = wanted[k];
      needed.push_back(pair);
      for (const std::uint32_t of : {pair.x, pair.y}) {
        for (const std::uint32_t z : intermediates) {
          if (z != of) needed.push_back({std::min(z, of), std::max(z, of)});
        }
      }
    }
    const PosteriorSet current =
        compute_posteriors({family(), model()}, PairSet::listed(kSequences, needed), alone);
    for (Scheduler* scheduler : {&alone, &shared}) {
      const PosteriorSet found = request_consistency(current, wanted, weights, kCutoff, *scheduler);
      CHECK(found.pairs().size() == wanted.size());
      check_same(found, all);
    }
  }
  // Of the pair (2, 3) alone, those with the intermediates are missing.
  const PairSet pair = PairSet::listed(kSequences, {{2, 3}});
  const PosteriorSet lonely = compute_posteriors({family(), model()}, pair, alone);
  CHECK_THROWS_AS(request_consistency(lonely, pair, weights, kCutoff, alone), Error);
}

TEST_CASE("wanted pairs: distances alone are those of the matrices") {
  HostBackend host;
  Scheduler scheduler(host);
  AlignSettings settings;
  settings.parameters = default_parameters(ResidueType::protein);
  const DistanceMatrix distances = compute_distances(family(), settings, scheduler);
  std::size_t different = 0;
  for (std::uint32_t y = 1; y < kSequences; ++y) {
    for (std::uint32_t x = 0; x < y; ++x) {
      different += distances.at(x, y) != expected_accuracy_distance(all_posteriors().at(x, y));
    }
  }
  CHECK(different == 0);
}
