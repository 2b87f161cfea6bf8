// SPDX-License-Identifier: Apache-2.0
// Local alignments of every OpenCL device against the host backend, in both kernel layouts.
#include <doctest/doctest.h>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "accord/base/error.hpp"
#include "backends/opencl_devices.hpp"
#include "backends/opencl_faults.hpp"
#include "base/parallel.hpp"
#include "engine/host/host_backend.hpp"
#include "stages/local_pairs/local_pairs_call.hpp"
#include "stages/local_pairs/local_pairs_opencl.hpp"
#include "support/align_cases.hpp"
#include "support/scratch.hpp"
#include "support/sequences.hpp"

namespace accord::testing {
namespace {

/// Scores with cheap gaps, so that there are many.
accord_local_scores cheap_scores(LocalGaps gaps) {
  accord_local_scores scores = local_scores(ResidueType::protein, gaps);
  scores.open = 200;
  scores.extend = 20;
  if (gaps == LocalGaps::generalised) scores.jump = 400;
  return scores;
}

/// Computes a family on the host and on each device in each layout, both kinds of gaps, usual and
/// cheap ones; `task_bytes` limits the memory of a task, so that it is cut into blocks of rows.
void compare_with_host(const std::vector<Codes>& sequences, std::size_t task_bytes = SIZE_MAX) {
  const ThreadCount threads(2);
  const SequenceSet set = make_set(sequences);
  HostBackend host;
  for (const LocalGaps gaps : {LocalGaps::affine, LocalGaps::generalised}) {
    for (const bool is_cheap : {false, true}) {
      const accord_local_scores scores =
          is_cheap ? cheap_scores(gaps) : local_scores(ResidueType::protein, gaps);
      const auto expected = local_alignments(host, set.coded(), scores);
      for (const ocl::DeviceInfo& device : devices_to_test()) {
        for (const std::string layout : {"lanes", "group"}) {
          CAPTURE(layout);
          CAPTURE(is_cheap);
          const ForcedLayout forced(layout);
          OpenClBackend backend(device);
          INFO(backend.name());
          CHECK(local_alignments(backend, set.coded(), scores, task_bytes) == expected);
        }
      }
    }
  }
}

/// Some pieces of a sequence, with unrelated residues between them.
Codes pieces_of(SequenceGenerator& random, const Codes& root) {
  Codes relative = random.background(random.below(40));
  for (std::size_t first = 0; first + 30 <= root.size(); first += 45) {
    const Codes piece = random.mutate({root.begin() + static_cast<std::ptrdiff_t>(first),
                                       root.begin() + static_cast<std::ptrdiff_t>(first + 30)},
                                      0.2, 0.02, 0.2);
    const Codes between = random.background(random.below(25));
    relative.insert(relative.end(), piece.begin(), piece.end());
    relative.insert(relative.end(), between.begin(), between.end());
  }
  return relative;
}

TEST_CASE("local pairs on devices: lengths around the borders of strips and passes") {
  SequenceGenerator random(31);
  const Codes root = random.background(530);
  std::vector<Codes> family;
  for (const std::size_t length :
       {0, 1, 2, 7, 8, 9, 31, 33, 64, 255, 256, 257, 263, 265, 512, 520}) {
    const Codes relative = random.mutate(root, 0.4, 0.0, 0.0);
    family.emplace_back(relative.begin(), relative.begin() + static_cast<std::ptrdiff_t>(length));
  }
  compare_with_host(family);
}

TEST_CASE("local pairs on devices: motifs in unrelated sequence, in one block and in many") {
  SequenceGenerator random(32);
  const Codes root = random.background(400);
  std::vector<Codes> family;
  for (int k = 0; k < 12; ++k) family.push_back(pieces_of(random, root));
  for (int k = 0; k < 4; ++k) family.push_back(random.background(5 + random.below(300)));
  for (const std::size_t task_bytes : {SIZE_MAX, std::size_t{1} << 17, std::size_t{1}}) {
    CAPTURE(task_bytes);
    compare_with_host(family, task_bytes);
  }
}

TEST_CASE("local pairs on devices: ties, repeats and residues that stand for any") {
  constexpr std::uint8_t kAny = 23;
  compare_with_host({homopolymer(3, 300), homopolymer(3, 270), homopolymer(kAny, 80),
                     homopolymer(kAny, 2), homopolymer(4, 90)});
  for (const PairCase& pair : hard_pairs()) {
    if (pair.x.size() > 400) continue;
    CAPTURE(pair.name);
    compare_with_host({pair.x, pair.y});
  }
}

TEST_CASE("local pairs on devices: no pairs, no work") {
  compare_with_host({});
  compare_with_host({{1, 2, 3}});
  compare_with_host({{}, {}, {1}});
}

TEST_CASE("local pairs on devices: little memory gives the same, less is refused in words") {
  SequenceGenerator random(33);
  std::vector<Codes> sequences;
  for (int k = 0; k < 12; ++k) sequences.push_back(random.background(150 + random.below(150)));
  const SequenceSet set = make_set(sequences);
  const accord_local_scores scores = cheap_scores(LocalGaps::generalised);
  HostBackend host;
  const auto expected = local_alignments(host, set.coded(), scores);
  for (ocl::DeviceInfo device : devices_to_test()) {
    for (const std::string layout : {"lanes", "group"}) {
      CAPTURE(layout);
      const ForcedLayout forced(layout);
      device.global_memory = std::uint64_t{10} << 20;
      OpenClBackend small(device);
      CHECK(local_alignments(small, set.coded(), scores) == expected);
      device.global_memory = 40000;
      OpenClBackend none(device);
      const Error error = error_of([&] { local_alignments(none, set.coded(), scores); });
      CHECK(error.kind() == ErrorKind::out_of_memory);
      CHECK(std::string(error.what()).find("local alignment of a pair") != std::string::npos);
    }
  }
}

TEST_CASE("local pairs on devices: every call fails once") {
  SequenceGenerator random(34);
  const SequenceSet set =
      make_set({random.background(40), random.background(30), random.background(20)});
  const accord_local_scores scores = cheap_scores(LocalGaps::affine);
  HostBackend host;
  const auto expected = local_alignments(host, set.coded(), scores);
  for (const ocl::DeviceInfo& device : devices_to_test()) {
    check_every_failing_call(device, expected, [&](Backend& backend) {
      return local_alignments(backend, set.coded(), scores);
    });
  }
}

TEST_CASE("local pairs on devices: launches respect every limit and lose no pair") {
  SequenceGenerator random(35);
  std::vector<Codes> sequences;
  for (int k = 0; k < 20; ++k) sequences.push_back(random.background(10 + random.below(90)));
  const SequenceSet set = make_set(sequences);
  for (const ocl::LocalLayout layout :
       {ocl::LocalLayout{false, 4, 20000}, ocl::LocalLayout{true}}) {
    const ocl::LocalLaunchLimits limits{std::size_t{1} << 20, 3000, 100000.0, 1, 30};
    const std::vector<PairBlock> tasks = cut_blocks(plan_pair_blocks(set.lengths()), layout.lanes);
    std::vector<int> seen(20 * 20);
    for (std::span<const PairBlock> left = tasks; !left.empty();) {
      const ocl::LocalLaunch launch = ocl::take_local_launch(set.coded(), left, layout, limits);
      REQUIRE(!launch.jobs.empty());
      CHECK(launch.jobs.size() <= limits.most);
      CHECK((launch.work <= limits.work || launch.jobs.size() == 1));
      std::uint64_t memory = 0, segments = 0;
      for (const accord_local_job& job : launch.jobs) {
        CHECK(job.memory % 8 == 0);
        CHECK(job.memory >= memory);
        CHECK(job.segments >= segments);
        memory = job.memory + (layout.is_group
                                   ? accord_local_group_bytes(job.plan, job.length_y)
                                   : accord_local_bytes(job.plan, job.length_y, layout.lanes)) /
                                  8;
        segments = job.segments + std::uint64_t{job.count} * job.length_y;
      }
      CHECK(memory * 8 <= launch.workspace_bytes);
      CHECK(launch.workspace_bytes <= limits.workspace_bytes);
      CHECK(segments <= launch.segments);
      CHECK(launch.segments <= limits.segments);
      CHECK(launch.room.size() == launch.pairs.size());
      for (const PairIndex pair : launch.pairs) ++seen[pair.y * 20 + pair.x];
    }
    for (std::uint32_t y = 0; y < 20; ++y) {
      for (std::uint32_t x = 0; x < 20; ++x) CHECK(seen[y * 20 + x] == (x < y ? 1 : 0));
    }
  }
}

TEST_CASE("local pairs on devices: the self-test passes in both layouts") {
  for (const ocl::DeviceInfo& device : devices_to_test()) {
    for (const std::string layout : {"lanes", "group"}) {
      const ForcedLayout forced(layout);
      HostBackend host;
      OpenClBackend backend(device);
      CHECK(LocalPairsCall::self_test(backend, host) == "");
    }
  }
}

}  // namespace
}  // namespace accord::testing
