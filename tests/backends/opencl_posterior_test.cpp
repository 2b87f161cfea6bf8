// SPDX-License-Identifier: Apache-2.0
// Posteriors of every OpenCL device against the host backend, in both kernel layouts.
#include <doctest/doctest.h>

#include <algorithm>
#include <deque>
#include <mutex>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "accord/base/error.hpp"
#include "backends/opencl_devices.hpp"
#include "backends/opencl_faults.hpp"
#include "base/parallel.hpp"
#include "engine/host/host_backend.hpp"
#include "models/models.hpp"
#include "stages/posteriors/posterior_launch.hpp"
#include "stages/posteriors/posterior_opencl.hpp"
#include "support/host_cells.hpp"
#include "support/pair_matrices.hpp"
#include "support/rich_model.hpp"
#include "support/sequences.hpp"

namespace accord::testing {
namespace {

PosteriorModel protein_model() {
  return build_posterior_model(default_parameters(ResidueType::protein), ResidueType::protein);
}

/// The matrices of a family with the contexts of its residues, without calibration.
std::vector<SparseMatrix> all_matrices(Backend& backend, const SequenceSet& set,
                                       const accord_model& model,
                                       std::size_t most_task_bytes = SIZE_MAX) {
  return pair_matrices(backend, protein_contexts().add_to(set.coded()), {model, {}},
                       most_task_bytes);
}

/// Computes a family on the host and on each device in each layout; `task_bytes` limits the working
/// memory of a task, so that it is cut into bands.
void compare_with_host(const std::vector<Codes>& sequences, const accord_model& model,
                       std::size_t task_bytes = SIZE_MAX) {
  set_thread_count(2);
  const SequenceSet set = make_set(sequences);
  HostBackend host;
  const std::vector<SparseMatrix> expected = all_matrices(host, set, model);
  for_each_layout([&](OpenClBackend& backend, const std::string&) {
    CHECK(all_matrices(backend, set, model, task_bytes) == expected);
  });
}

TEST_CASE("lengths around the borders of tiles and strips") {
  SequenceGenerator random(7);
  const Codes root = random.background(260);
  std::vector<Codes> family;
  for (std::size_t length : {0, 1, 2, 7, 8, 9, 15, 16, 17, 63, 64, 65, 127, 128, 129, 255, 256}) {
    const Codes relative = random.mutate(root, 0.5, 0.0, 0.0);
    family.emplace_back(relative.begin(), relative.begin() + static_cast<std::ptrdiff_t>(length));
  }
  compare_with_host(family, protein_model().tables);
}

TEST_CASE("many relatives of differing lengths") {
  SequenceGenerator random(8);
  const Codes root = random.background(150);
  std::vector<Codes> family;
  for (int k = 0; k < 24; ++k) family.push_back(random.mutate(root, 0.3, 0.02, 0.3));
  for (int k = 0; k < 8; ++k) family.push_back(random.background(20 + random.below(200)));
  compare_with_host(family, protein_model().tables);
}

TEST_CASE("hard pairs: repeats, swapped domains, low complexity") {
  for (const PairCase& pair : hard_pairs()) {
    if (pair.x.size() > 800) continue;
    CAPTURE(pair.name);
    compare_with_host({pair.x, pair.y}, protein_model().tables);
  }
}

TEST_CASE("long pairs in several bands") {
  SequenceGenerator random(9);
  const Codes x = random.background(1040);  // some pairs are long enough for a whole work-group
  const std::vector<Codes> family = {x, random.relative(x), random.relative(x),
                                     random.background(700)};
  for (std::size_t task_bytes : {std::size_t{1} << 16, std::size_t{1} << 21}) {
    CAPTURE(task_bytes);
    compare_with_host(family, protein_model().tables, task_bytes);
  }
}

TEST_CASE("three gap classes, unequal shares, a blend of mean and root mean square") {
  SequenceGenerator random(13);
  const Codes root = random.background(180);
  std::vector<Codes> family = {root, {}, {3}, random.background(9)};
  for (int k = 0; k < 18; ++k) family.push_back(random.mutate(root, 0.4, 0.02, 0.4));
  for (const float cutoff : {0.01f, 0.0001f}) {
    CAPTURE(cutoff);
    accord_model model = rich_model();
    model.cutoff = cutoff;
    compare_with_host(family, model);
    compare_with_host(family, model, std::size_t{1} << 16);
  }
  const std::vector<Codes> few = {family[0], family[5], family[6], {3}, random.background(300)};
  for (const float square_share : {0.0f, 0.4f}) {
    for (const float hmm_share : {0.0f, 0.375f, 1.0f}) {
      CAPTURE(square_share);
      CAPTURE(hmm_share);
      accord_model model = rich_model();
      model.square_share = square_share;
      model.hmm_share = hmm_share;
      model.partition_share = 1 - hmm_share;
      compare_with_host(few, model);
      compare_with_host(few, model, std::size_t{1} << 16);
    }
  }
}

TEST_CASE("residues that stand for any") {
  constexpr std::uint8_t kAny = 23;
  SequenceGenerator random(10);
  compare_with_host({homopolymer(kAny, 90), homopolymer(kAny, 60),
                     random.with_ambiguity(random.background(80), 0.3), homopolymer(kAny, 1)},
                    protein_model().tables);
}

TEST_CASE("more cells than there is room for at first") {
  SequenceGenerator random(11);
  PosteriorModel model = protein_model();
  model.tables.cutoff = 1e-6f;
  const std::vector<Codes> family = {random.background(300), random.background(280),
                                     random.background(12)};
  const SequenceSet set = make_set(family);
  const std::size_t cells = host_cells(with_contexts(set), model.tables).front().size();
  const ocl::LaunchLimits ample{SIZE_MAX, SIZE_MAX, 1e300};
  PairTask first;
  first.y = first.count = 1;
  REQUIRE(cells > ocl::first_job(set.coded(), first, ample.cells).capacity);
  compare_with_host(family, model.tables);
}

TEST_CASE("many launches: results are read while the next one is computed, or given up") {
  set_thread_count(2);
  SequenceGenerator random(12);
  const Codes root = random.background(120);
  std::vector<Codes> family;
  for (int k = 0; k < 20; ++k) family.push_back(random.mutate(root, 0.4, 0.02, 0.2));
  const SequenceSet set = make_set(family);
  const PosteriorModel model = protein_model();
  HostBackend host;
  const std::vector<SparseMatrix> expected = all_matrices(host, set, model.tables);
  ocl::OpenClSettings settings;
  settings.memory_bytes = std::uint64_t{48} << 20;
  for (const ocl::DeviceInfo& device : devices_of_both_kinds()) {
    CAPTURE(static_cast<int>(device.kind));
    OpenClBackend backend(device, settings);
    const Faults count("count");
    CHECK(all_matrices(backend, set, model.tables) == expected);
    CHECK(ocl::counted_calls().at("clEnqueueNDRangeKernel") > 6);  // two of a launch
    int delivered = 0;
    std::mutex mutex;
    const PosteriorSink give_up = [&](std::uint32_t, std::uint32_t, const PairPosterior&) {
      const std::lock_guard lock(mutex);
      if (++delivered == 12) throw Error(ErrorKind::internal, "enough");
    };
    const CodedSequences coded = with_contexts(set);
    const std::vector<PairBlock> blocks = plan_pair_blocks(set.lengths());
    CHECK_THROWS_WITH_AS(backend.compute(PosteriorCall{coded, blocks, model, give_up}), "enough",
                         Error);
    CHECK(all_matrices(backend, set, model.tables) == expected);
  }
}

TEST_CASE("no pairs, no work") {
  compare_with_host({}, protein_model().tables);
  compare_with_host({{1, 2, 3}}, protein_model().tables);
  compare_with_host({{}, {}, {1}}, protein_model().tables);
}

TEST_CASE("launches respect every limit and lose no job") {
  SequenceGenerator random(12);
  std::vector<Codes> sequences;
  for (int k = 0; k < 20; ++k) sequences.push_back(random.background(10 + random.below(90)));
  const SequenceSet set = make_set(sequences);
  const TaskLimits plan{4, 0, SIZE_MAX};
  const ocl::LaunchLimits limits{std::size_t{3} << 20, 100000, 300000.0};
  std::deque<ocl::PosteriorJob> jobs;
  for (const PairTask& task :
       plan_pair_tasks(set.lengths(), plan_pair_blocks(set.lengths()), plan)) {
    jobs.push_back(ocl::first_job(set.coded(), task, limits.cells));
  }
  std::size_t pairs = 0;
  while (!jobs.empty()) {
    const ocl::PosteriorLaunch launch = ocl::take_launch(set.coded(), jobs, plan.lanes, limits);
    REQUIRE(!launch.tasks.empty());
    CHECK(launch.workspace_bytes <= limits.workspace_bytes);
    CHECK(launch.cells <= limits.cells);
    CHECK((launch.work <= limits.work || launch.tasks.size() == 1));
    std::uint64_t memory = 0, cells = 0;
    for (std::size_t k = 0; k < launch.tasks.size(); ++k) {
      const accord_pair_task& task = launch.tasks[k];
      CHECK(task.memory * sizeof(float) % 64 == 0);
      CHECK(task.memory >= memory);
      CHECK(task.cells >= cells);
      memory = task.memory + launch.jobs[k].task.work_bytes / sizeof(float);
      cells = task.cells + std::uint64_t{task.capacity} * task.count;
      pairs += task.count;
    }
    CHECK(memory * sizeof(float) <= launch.workspace_bytes);
    CHECK(cells <= launch.cells);
  }
  CHECK(pairs == 20 * 19 / 2);
}

TEST_CASE("launches: tasks that take the workspace of those before them") {
  SequenceGenerator random(14);
  std::vector<Codes> sequences;
  for (int k = 0; k < 24; ++k) sequences.push_back(random.background(10 + random.below(190)));
  const SequenceSet set = make_set(sequences);
  std::vector<PairTask> tasks =
      plan_pair_tasks(set.lengths(), plan_pair_blocks(set.lengths()), {1, 0, SIZE_MAX});
  std::stable_sort(tasks.begin(), tasks.end(), [](const PairTask& a, const PairTask& b) {
    return a.work_bytes > b.work_bytes;
  });
  bool shares = false;
  for (std::size_t bytes = tasks[0].work_bytes + 64; bytes < 12 * tasks[0].work_bytes;
       bytes += tasks[0].work_bytes / 3) {
    CAPTURE(bytes);
    ocl::LaunchLimits limits{bytes, SIZE_MAX, 1e300};
    limits.slots = 16;
    limits.teams = 4;
    std::deque<ocl::PosteriorJob> jobs;
    for (const PairTask& task : tasks)
      jobs.push_back(ocl::first_job(set.coded(), task, limits.cells));
    while (!jobs.empty()) {
      const ocl::PosteriorLaunch launch = ocl::take_launch(set.coded(), jobs, 1, limits);
      REQUIRE(launch.slots >= 1);
      CHECK(launch.slots <= limits.slots);
      CHECK(launch.workspace_bytes <= bytes);
      if (launch.slots == launch.tasks.size()) continue;
      shares = true;
      CHECK(launch.slots % limits.teams == 0);
      for (std::size_t k = launch.slots; k < launch.tasks.size(); ++k) {
        for (std::size_t slot = 0; slot < launch.slots; ++slot) {
          CHECK(launch.jobs[k].task.work_bytes <= launch.jobs[slot].task.work_bytes);
        }
      }
    }
  }
  CHECK(shares);
}

TEST_CASE("a task that is larger than the device is refused in words") {
  const SequenceSet set = make_set({Codes(500, 1), Codes(400, 2)});
  PairTask task;
  task.y = 1;
  task.count = 1;
  task.work_bytes = std::size_t{2} << 20;
  std::deque<ocl::PosteriorJob> jobs;
  const ocl::LaunchLimits limits{std::size_t{1} << 20, 1000, 1e9};
  jobs.push_back(ocl::first_job(set.coded(), task, limits.cells));
  try {
    ocl::take_launch(set.coded(), jobs, 1, limits);
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::out_of_memory);
    CHECK(std::string(error.what()).find("500 and 400") != std::string::npos);
  }
}

TEST_CASE("a task with a longer sequence than a kernel has room for is refused in words") {
  const SequenceSet set = make_set({Codes(500, 1), Codes(400, 2)});
  PairTask task;
  task.y = 1;
  task.count = 1;
  ocl::LaunchLimits limits{SIZE_MAX, SIZE_MAX, 1e300};
  const auto launched = [&](std::uint32_t residues) {
    limits.residues = residues;
    std::deque<ocl::PosteriorJob> jobs = {ocl::first_job(set.coded(), task, limits.cells)};
    return ocl::take_launch(set.coded(), jobs, 1, limits).jobs.size();
  };
  CHECK(launched(500) == 1);
  try {
    launched(499);
    FAIL("no error");
  } catch (const Error& error) {
    CHECK(error.kind() == ErrorKind::out_of_memory);
    CHECK(std::string(error.what()).find("of 500 residues") != std::string::npos);
  }
}

}  // namespace
}  // namespace accord::testing
