// SPDX-License-Identifier: Apache-2.0
#include "stages/local_pairs/local_pairs_launch.hpp"

#include <algorithm>
#include <string>

#include "accord/base/error.hpp"
#include "base/text.hpp"

namespace accord::ocl {
namespace {

static_assert(sizeof(accord_local_job) == 240, "the kernels read this layout");
static_assert(sizeof(accord_local_result) == 8, "the kernels write this layout");
static_assert(sizeof(accord_local_segment) == 12, "the kernels write this layout");

/// The workspace of a task begins at a multiple of this: the widest vector of any layout.
constexpr std::size_t kAlignment = 64;
/// The unit of offsets into the workspace, in bytes.
constexpr std::size_t kMemoryUnit = 8;

/// A task, with its memory and its work.
struct SizedTask {
  PairBlock pairs;
  std::uint32_t rows = 0, columns = 0;
  accord_local_plan plan{};
  std::size_t bytes = 0, segments = 0;
  double work = 0;
};

SizedTask sized(const CodedSequences& sequences, const PairBlock& pairs,
                const LocalLayout& layout) {
  SizedTask task{pairs, sequences.length(pairs.first_x), sequences.length(pairs.y)};
  std::uint64_t bytes = 0;
  if (layout.is_group) {
    task.plan = accord_plan_local_group(task.rows, task.columns, layout.task_bytes);
    bytes = accord_local_group_bytes(task.plan, task.columns);
  } else {
    task.plan = accord_plan_local(task.rows, task.columns, layout.lanes, layout.task_bytes);
    bytes = accord_local_bytes(task.plan, task.columns, layout.lanes);
  }
  task.bytes = (bytes + kAlignment - 1) / kAlignment * kAlignment;
  task.segments = std::size_t{task.columns} * pairs.count;
  task.work = static_cast<double>(task.rows) * task.columns * layout.lanes;
  return task;
}

void add(const CodedSequences& sequences, const SizedTask& task, LocalLaunch& launch) {
  accord_local_job job{};
  job.memory = launch.workspace_bytes / kMemoryUnit;
  job.segments = launch.segments;
  job.first_y = sequences.first_code()[task.pairs.y];
  job.length_y = task.columns;
  job.count = task.pairs.count;
  job.plan = task.plan;
  job.result = static_cast<std::uint32_t>(launch.pairs.size());
  for (std::uint32_t lane = 0; lane < task.pairs.count; ++lane) {
    const std::uint32_t x = task.pairs.first_x + lane;
    job.first_x[lane] = sequences.first_code()[x];
    job.length_x[lane] = sequences.length(x);
    launch.pairs.push_back({x, task.pairs.y});
    launch.room.push_back(launch.segments + std::size_t{lane} * task.columns);
  }
  launch.jobs.push_back(job);
  launch.workspace_bytes += task.bytes;
  launch.segments += task.segments;
  launch.work += task.work;
}

void check_fits(const SizedTask& task, const LocalLaunchLimits& limits) {
  if (task.bytes <= limits.workspace_bytes && task.segments <= limits.segments) return;
  throw Error(ErrorKind::out_of_memory,
              "the local alignment of a pair of lengths " + std::to_string(task.rows) + " and " +
                  std::to_string(task.columns) + " needs " +
                  format_bytes(static_cast<double>(task.bytes)) + " of workspace and room for " +
                  std::to_string(task.segments) + " segments; the device gives " +
                  format_bytes(static_cast<double>(limits.workspace_bytes)) + " and room for " +
                  std::to_string(limits.segments),
              "{device=none} computes the same alignment in the memory of the host");
}

}  // namespace

LocalLaunch take_local_launch(const CodedSequences& sequences, std::span<const PairBlock>& tasks,
                              const LocalLayout& layout, const LocalLaunchLimits& limits) {
  LocalLaunch launch;
  for (; !tasks.empty(); tasks = tasks.subspan(1)) {
    const SizedTask task = sized(sequences, tasks.front(), layout);
    if (launch.jobs.empty()) {
      check_fits(task, limits);
    } else if (launch.jobs.size() >= limits.most ||
               launch.workspace_bytes + task.bytes > limits.workspace_bytes ||
               launch.segments + task.segments > limits.segments ||
               (launch.work + task.work > limits.work && launch.jobs.size() >= limits.fewest)) {
      break;
    }
    add(sequences, task, launch);
  }
  return launch;
}

}  // namespace accord::ocl
