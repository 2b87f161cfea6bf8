// SPDX-License-Identifier: Apache-2.0
// Likelihoods on every OpenCL device against the host, bit for bit.
#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "accord/base/error.hpp"
#include "backends/opencl_devices.hpp"
#include "backends/opencl_faults.hpp"
#include "base/parallel.hpp"
#include "engine/host/host_backend.hpp"
#include "phylogeny/ascertainment.hpp"
#include "phylogeny/likelihood/likelihood_call.hpp"
#include "phylogeny/likelihood/likelihood_opencl.hpp"
#include "run/devices/device_survey.hpp"
#include "support/align_cases.hpp"
#include "support/likelihood_cases.hpp"
#include "support/scratch.hpp"

namespace accord::testing {
namespace {

/// With what a GPU of NVIDIA's gets: more patterns in a work-item, or the layout of matrix units.
std::vector<ocl::DeviceInfo> devices_with_double() {
  std::vector<ocl::DeviceInfo> devices = devices_of_both_kinds();
  std::erase_if(devices, [](const ocl::DeviceInfo& device) { return !device.has_double; });
  if (!devices.empty() && devices.back().kind != ocl::DeviceKind::cpu) {
    devices.push_back(devices.back());
    devices.back().vendor = "NVIDIA";
    devices.back().compute_capability = 0;
    devices.push_back(devices.back());
    devices.back().compute_capability = 90;
  }
  return devices;
}

void check_same(const std::vector<Likelihood>& found, const std::vector<Likelihood>& expected) {
  REQUIRE(found.size() == expected.size());
  for (std::size_t k = 0; k < found.size(); ++k) {
    CAPTURE(k);
    CHECK(found[k].total == expected[k].total);
    CHECK(found[k].sites == expected[k].sites);
    CHECK(found[k].slope == expected[k].slope);
  }
}

TEST_CASE("likelihood on devices: the bits of the host") {
  std::mt19937 random(31);
  std::vector<LikelihoodCase> cases;
  for (const char* model : {"GTR{1,2,0.5,1.5,3}+G4{0.3}+I{0.2}", "JC", "LG+G4{0.5}", "GY94{2,0.3}",
                            "TN{2,3}+R3{0.2,0.1,0.5,0.8,0.3,2}"}) {
    cases.emplace_back(model, 2, 1, random);
    cases.emplace_back(model, 3, 16, random);
    cases.emplace_back(model, 40, 83, random, 2.0);
  }
  cases.emplace_back("JC+G2{1}", 1500, 3, random, 2.0);  // needs scaling
  std::vector<LikelihoodTask> tasks;
  for (const LikelihoodCase& one : cases) {
    tasks.push_back(one.task(true));
    tasks.push_back(one.task(false));
  }
  HostBackend host;
  const std::vector<Likelihood> expected = likelihoods(host, tasks);
  for (const ocl::DeviceInfo& device : devices_with_double()) {
    OpenClBackend backend(device);
    INFO(backend.name());
    REQUIRE(backend.limits(LikelihoodCall::stage));
    check_same(likelihoods(backend, tasks), expected);
  }
}

TEST_CASE("the self-test of likelihoods passes the host and every device") {
  const Stage* const stage = &LikelihoodCall::stage;
  HostBackend host;
  CHECK(compare_with_host(host, {&stage, 1}) == "");
  for (const ocl::DeviceInfo& device : devices_to_test()) {
    OpenClBackend backend(device);
    CHECK(compare_with_host(backend, {&stage, 1}) == "");
  }
}

/// In a simulator: shapes of every branch of the kernels, each as small as it can be.
TEST_CASE("likelihood on devices: as many unobserved sites are expected as on the host") {
  std::mt19937 random(38);
  LikelihoodCase one("HKY{2}+G4{0.5}+ASC", 12, 60, random);
  one.patterns.unobserved = 4;
  const auto expect_on = [&](Backend& backend) {
    Scheduler scheduler(backend);
    expect_unobserved(one.patterns, one.process, one.state.tree, one.state.lengths, scheduler);
    return one.patterns.weights;
  };
  HostBackend host;
  const std::vector<double> expected = expect_on(host);
  CHECK(expected.back() > 0);
  for (const ocl::DeviceInfo& device : devices_with_double()) {
    OpenClBackend backend(device);
    CHECK(expect_on(backend) == expected);
  }
}

TEST_CASE("small tasks: likelihoods of 4, 20 and 61 states") {
  std::mt19937 random(35);
  std::vector<LikelihoodCase> cases;
  cases.emplace_back("HKY{2}+G2{0.5}+I{0.2}", 5, 17, random);
  cases.emplace_back("LG", 4, 3, random);
  cases.emplace_back("GY94{2,0.3}", 3, 2, random);
  std::vector<LikelihoodTask> tasks;
  for (const LikelihoodCase& one : cases) tasks.push_back(one.task(true));
  tasks.push_back(cases.front().task(false));
  tasks.push_back(cases.front().task(true));
  tasks.back().precision = Precision::float32;
  HostBackend host;
  const std::vector<Likelihood> expected = likelihoods(host, tasks);
  const ThreadCount scope(1);  // Oclgrind --uninitialized crashes when several threads call OpenCL
  for (const ocl::DeviceInfo& device : devices_with_double()) {
    OpenClBackend backend(device);
    check_same(likelihoods(backend, tasks), expected);
  }
}

/// In a simulator that looks for memory which nobody has written: one task on one device.
void check_alone(const char* model, std::uint32_t tips, std::size_t patterns) {
  std::mt19937 random(37);
  const LikelihoodCase one(model, tips, patterns, random);
  const LikelihoodTask task = one.task(true);
  HostBackend host;
  const std::vector<Likelihood> expected = likelihoods(host, {&task, 1});
  const ThreadCount scope(1);
  for (const ocl::DeviceInfo& device : devices_with_double()) {
    if (device.kind == ocl::DeviceKind::cpu) continue;
    OpenClBackend backend(device);
    check_same(likelihoods(backend, {&task, 1}), expected);
    return;
  }
}

TEST_CASE("small tasks: one likelihood of 4 states") { check_alone("HKY{2}+G2{0.5}", 5, 17); }
TEST_CASE("small tasks: one likelihood of 20 states") { check_alone("LG", 4, 3); }
TEST_CASE("small tasks: one likelihood of 61 states") { check_alone("GY94{2,0.3}", 3, 2); }

TEST_CASE("likelihood on devices: patterns in several parts, and a tree that is too large") {
  std::mt19937 random(32);
  const LikelihoodCase one("HKY{2}+G4{0.5}", 30, 700, random);
  const std::vector<LikelihoodTask> tasks = {one.task(true)};
  HostBackend host;
  const std::vector<Likelihood> expected = likelihoods(host, tasks);
  for (ocl::DeviceInfo device : devices_with_double()) {
    device.largest_buffer = 600000;  // of 5.4 MB for what is around the nodes
    OpenClBackend backend(device);
    check_same(likelihoods(backend, tasks), expected);
    device.largest_buffer = 1000;
    OpenClBackend small(device);
    CHECK(error_of([&] { likelihoods(small, tasks); }).kind() == ErrorKind::out_of_memory);
  }
}

TEST_CASE("likelihood on devices: single precision, also where there is no double") {
  std::mt19937 random(36);
  std::vector<LikelihoodCase> cases;
  for (const char* model : {"HKY{2}+G4{0.3}+I{0.2}", "LG+G4{0.5}", "GY94{2,0.3}"}) {
    cases.emplace_back(model, 3, 16, random);
    cases.emplace_back(model, 40, 83, random, 2.0);
  }
  std::vector<LikelihoodTask> tasks, exact;
  for (const LikelihoodCase& one : cases) {
    for (const bool derivatives : {true, false}) {
      exact.push_back(one.task(derivatives));
      tasks.push_back(one.task(derivatives));
      tasks.back().precision = Precision::float32;
    }
  }
  HostBackend host;
  const std::vector<Likelihood> expected = likelihoods(host, tasks);
  const std::vector<Likelihood> in_doubles = likelihoods(host, exact);
  for (ocl::DeviceInfo device : devices_with_double()) {
    OpenClBackend backend(device);
    INFO(backend.name());
    check_same(likelihoods(backend, tasks), expected);
    device.has_double = false;
    OpenClBackend without(device);
    const std::vector<Likelihood> found = likelihoods(without, tasks);
    for (std::size_t k = 0; k < tasks.size(); ++k) {
      for (std::size_t c = 0; c < found[k].sites.size(); ++c) {
        CHECK(std::abs(found[k].sites[c] - in_doubles[k].sites[c]) <= rounding_bound(tasks[k]));
      }
    }
    CHECK(error_of([&] { likelihoods(without, exact); }).kind() == ErrorKind::usage);
    CHECK(LikelihoodCall::self_test(without, host).empty());
  }
}

TEST_CASE("likelihood on devices: every call fails once") {
  std::mt19937 random(33);
  const LikelihoodCase one("JC", 4, 20, random);
  const std::vector<LikelihoodTask> tasks = {one.task(true)};
  HostBackend host;
  const std::vector<Likelihood> expected = likelihoods(host, tasks);
  for (const ocl::DeviceInfo& device : devices_with_double()) {
    std::uint64_t calls = 0;
    OpenClBackend backend(device);
    {
      const Faults counting("count");
      check_same(likelihoods(backend, tasks), expected);
      calls = ocl::counted_calls().at("all");
    }
    for (std::uint64_t number = 1; number <= calls; ++number) {
      CAPTURE(number);
      try {
        const Faults faults(std::to_string(number) + ":-5");
        check_same(likelihoods(backend, tasks), expected);
      } catch (const Error& error) {
        CHECK(error.kind() == ErrorKind::device_failed);
      }
      check_same(likelihoods(backend, tasks), expected);
    }
  }
}

TEST_CASE("likelihood on devices: a part waits for the levels before it alone") {
  std::mt19937 random(34);
  GuideTree caterpillar = random_tree(60, random);
  for (std::uint32_t join = 0; join < 59; ++join) {
    caterpillar.left[join] = join + 1;
    caterpillar.right[join] = join == 0 ? 0 : 59 + join;
  }
  for (const GuideTree& tree : {random_tree(60, random), caterpillar, random_tree(2, random)}) {
    for (const std::uint32_t least : {1u, 4u, 1000u}) {
      const ClimbPlan plan = plan_climb(tree, least);
      CHECK(plan.steps.size() == tree.left.size());
      std::vector<bool> done(tree.nodes(), false);  // before the level
      std::fill_n(done.begin(), tree.leaves, true);
      for (std::size_t level = 0; level + 1 < plan.level_begin.size(); ++level) {
        std::vector<bool> with_level = done;
        for (std::uint32_t part = plan.level_begin[level]; part < plan.level_begin[level + 1];
             ++part) {
          const std::uint32_t begin = plan.part_begin[part], end = plan.part_begin[part + 1];
          CHECK(end - begin < 2 * least);
          CHECK((end - begin >= least || end == plan.steps.size()));
          std::vector<bool> with_part = done;
          for (std::uint32_t k = begin; k < end; ++k) {
            const accord_peel_node& at = plan.steps[k];
            CHECK((with_part[at.left] && with_part[at.right]));
            CHECK((k == begin || plan.steps[k - 1].node != at.right));
            with_part[at.node] = with_level[at.node] = true;
          }
        }
        done = with_level;
      }
      CHECK(plan.steps.back().node == tree.nodes() - 1);
      CHECK(std::count(done.begin(), done.end(), true) == tree.nodes());
    }
  }
}

TEST_CASE("likelihood on devices: a level waits for those before it alone") {
  std::mt19937 random(34);
  const PeelPlan downward = plan_downward(random_tree(60, random));
  CHECK(downward.nodes.size() == 118);
  std::vector<bool> done(119, false);
  done[118] = true;
  for (std::size_t level = 0; level + 1 < downward.begin.size(); ++level) {
    for (std::uint32_t k = downward.begin[level]; k < downward.begin[level + 1]; ++k) {
      CHECK(done[downward.nodes[k].parent]);
    }
    for (std::uint32_t k = downward.begin[level]; k < downward.begin[level + 1]; ++k) {
      done[downward.nodes[k].node] = true;
    }
  }
}

}  // namespace
}  // namespace accord::testing
