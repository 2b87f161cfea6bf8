// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <vector>

#include "base/checked_size.hpp"
#include "base/parallel.hpp"
#include "engine/host/kernels.hpp"
#include "stages/local_pairs/local_pairs_call.hpp"
#include "stages/local_pairs/local_pairs_host_kernels.hpp"

namespace accord::host {
namespace {

/// Working memory of one task; larger ones are cut into blocks of rows, which are computed twice.
constexpr std::size_t kTaskBytes = std::size_t{8} << 20;

/// Memory for vector loads.
struct alignas(64) Line {
  std::uint8_t bytes[64];
};

/// Scratch memory of one thread.
struct Scratch {
  std::vector<Line> workspace;
  std::vector<LocalSegment> segments;
};

void run_task(const Kernels& kernels, const LocalPairsCall& call, const PairBlock& part,
              Scratch& scratch) {
  const CodedSequences& sequences = call.sequences;
  LocalTask task{};
  task.count = part.count;
  task.y = sequences.codes(part.y).data();
  task.n = sequences.length(part.y);
  task.scores = &call.scores;
  task.plan = accord_plan_local(sequences.length(part.first_x), task.n, kernels.lanes,
                                std::min(kTaskBytes, call.most_task_bytes));
  const std::size_t lines =
      checked_size(accord_local_bytes(task.plan, task.n, kernels.lanes)) / sizeof(Line) + 1;
  if (scratch.workspace.size() < lines) scratch.workspace.resize(lines);
  task.memory = scratch.workspace.data();
  scratch.segments.resize(std::size_t{task.n} * part.count);
  for (std::uint32_t lane = 0; lane < part.count; ++lane) {
    task.x[lane] = sequences.codes(part.first_x + lane).data();
    task.m[lane] = sequences.length(part.first_x + lane);
    task.segments[lane] = scratch.segments.data() + std::size_t{task.n} * lane;
  }
  kernels.local_pairs->run_lanes(task);
  for (std::uint32_t lane = 0; lane < part.count; ++lane) {
    const std::span<const LocalSegment> found(task.segments[lane], task.found[lane]);
    call.sink(part.first_x + lane, part.y, {task.score[lane], {found.rbegin(), found.rend()}});
  }
}

}  // namespace

void compute(const Processor& processor, const LocalPairsCall& call) {
  check(call);
  const std::vector<PairBlock> parts = cut_blocks(call.blocks, processor.wide->lanes);
  std::vector<Scratch> scratch(static_cast<std::size_t>(thread_count()));
  parallel_for(parts.size(), [&](std::size_t index, int thread) {
    const bool is_narrow = processor.narrow && parts[index].count <= processor.narrow->lanes;
    run_task(is_narrow ? *processor.narrow : *processor.wide, call, parts[index],
             scratch[static_cast<std::size_t>(thread)]);
  });
}

}  // namespace accord::host
