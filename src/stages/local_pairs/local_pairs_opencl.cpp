// SPDX-License-Identifier: Apache-2.0
#include "stages/local_pairs/local_pairs_opencl.hpp"

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

#include "accord/base/error.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "base/timer.hpp"

namespace accord::ocl {
namespace {

/// The number of groups that a compute unit of a GPU runs at the same time; and the largest number
/// of groups of a launch, as a multiple of it. With several rounds, the walks back at the end of a
/// launch leave little of the device idle.
constexpr std::size_t kGroupsPerUnit = 24, kMostRounds = 4;

/// Tasks of a launch for each compute unit of a processor. A few are enough, since tasks are of
/// similar size.
constexpr std::size_t kTasksPerUnit = 4;

/// Working memory of one task; larger ones are cut into blocks of rows, which are computed twice.
constexpr std::size_t kGroupTaskBytes = std::size_t{64} << 20;
constexpr std::size_t kLanesTaskBytes = std::size_t{8} << 20;

/// Work of the first launch on a GPU, in cells: below 50 ms on any of the last ten years.
constexpr double kFirstWork = 5e8;

/// Work-items that pack the segments of a pair together.
constexpr std::size_t kPackGroup = 16;

using AlignKernel = cl::KernelFunctor<cl::Buffer, cl::Buffer, cl::Buffer, cl_uint, cl::Buffer,
                                      cl::Buffer, cl::Buffer>;
using PackKernel = cl::KernelFunctor<cl::Buffer, cl::Buffer, cl::Buffer, cl::Buffer>;

std::uint32_t lanes_of(const DeviceInfo& device, KernelLayout layout) {
  if (layout == KernelLayout::group) return 1;
  return device.float_lanes >= 16 ? 16 : 8;
}

std::size_t tasks_at_once(const DeviceInfo& device) {
  const std::size_t units = std::max<std::size_t>(1, device.compute_units);
  return device.kind == DeviceKind::cpu ? units : units * kGroupsPerUnit;
}

/// A part of the memory, for one buffer.
std::size_t budget_share(const DeviceInfo& device, std::uint64_t percent) {
  return static_cast<std::size_t>(std::min(device.largest_buffer, device.budget() / 100 * percent));
}

LocalLayout layout_of(const DeviceInfo& device, KernelLayout layout) {
  const bool is_group = layout == KernelLayout::group;
  return {is_group, lanes_of(device, layout),
          std::min(is_group ? kGroupTaskBytes : kLanesTaskBytes, budget_share(device, 60) / 4)};
}

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

std::vector<KernelChoice> local_kernels(const DeviceInfo& device, KernelLayout layout) {
  const std::string lanes = "-D ACCORD_LANES=" + std::to_string(lanes_of(device, layout));
  const KernelChoice pack{"local_pairs/pack.cl", "local_pack", "", kPackGroup};
  if (layout == KernelLayout::lanes)
    return {{"local_pairs/local_lanes.cl", "local_lanes", lanes}, pack};
  return {{"local_pairs/local_group.cl", "local_group", lanes, ACCORD_LOCAL_GROUP}, pack};
}

StageOnDevice stage_on(const DeviceInfo& device, std::type_identity<LocalPairsCall>) {
  const KernelLayout layout = choose_layout(device);
  const std::size_t at_once = tasks_at_once(device) * lanes_of(device, layout);
  return {.kernels = local_kernels(device, layout),
          .limits = StageLimits{static_cast<std::uint32_t>(at_once)},
          .open = [layout](const Session& session) {
            return std::make_unique<LocalPairsStage>(session, layout);
          }};
}

LocalPairsStage::LocalPairsStage(const Session& session, KernelLayout layout)
    : session_(session), layout_(layout), pace_(session.info, kFirstWork) {}

LocalLaunchLimits LocalPairsStage::launch_limits() const {
  const DeviceInfo& info = session_.info;
  LocalLaunchLimits limits;
  limits.workspace_bytes = budget_share(info, 60);
  limits.segments = budget_share(info, 15) / sizeof(LocalSegment);
  limits.work = pace_.most_work();
  limits.fewest = tasks_at_once(info);
  limits.most = (info.kind == DeviceKind::cpu ? kTasksPerUnit : kMostRounds) * limits.fewest;
  return limits;
}

void LocalPairsStage::run(const StageCall& of_stage) {
  const auto& call = of_stage.get<LocalPairsCall>();
  check(call);
  LocalLayout layout = layout_of(session_.info, layout_);
  layout.task_bytes = std::min(layout.task_bytes, call.most_task_bytes);
  const std::vector<PairBlock> tasks = cut_blocks(call.blocks, layout.lanes);
  if (tasks.empty()) return;
  if (!align_) {
    const std::vector<KernelChoice> kernels = local_kernels(session_.info, layout_);
    pack_ = build_kernel(session_, kernels[1]);
    align_ = build_kernel(session_, kernels[0]);
  }
  const cl::Buffer codes = upload(session_, call.sequences.all_codes());
  const cl::Buffer scores = upload(session_, std::span(&call.scores, 1));
  for (std::span<const PairBlock> left = tasks; !left.empty();) {
    const LocalLaunch launch = take_local_launch(call.sequences, left, layout, launch_limits());
    hand_over(launch, compute(launch, codes, scores), call.sink);
  }
}

/// Computes a launch. Returns the score of each pair, and the number of its segments.
std::vector<accord_local_result> LocalPairsStage::compute(const LocalLaunch& launch,
                                                          const cl::Buffer& codes,
                                                          const cl::Buffer& scores) {
  const cl::Buffer jobs = upload(session_, std::span(launch.jobs));
  std::vector<accord_local_result> results(launch.pairs.size());
  const cl::Buffer found = allocate(session_, results.size() * sizeof results[0]);
  const cl::Buffer& workspace = workspace_.reserve(session_, launch.workspace_bytes);
  const cl::Buffer& segments = segments_.reserve(session_, launch.segments * sizeof(LocalSegment));
  const std::size_t group = layout_ == KernelLayout::group ? ACCORD_LOCAL_GROUP : 1;
  const Timer timer;
  wait_for(AlignKernel{*align_}(cl::EnqueueArgs(session_.queue, launch.jobs.size() * group, group),
                                scores, codes, jobs, static_cast<cl_uint>(launch.jobs.size()),
                                workspace, segments, found));
  pace_.note(launch.work, timer.seconds());
  session_.queue.enqueueReadBuffer(found, CL_TRUE, 0, results.size() * sizeof results[0],
                                   results.data());
  return results;
}

/// Packs the segments of the pairs one after another, reads them, and gives them to the sink.
void LocalPairsStage::hand_over(const LocalLaunch& launch,
                                std::span<const accord_local_result> results,
                                const PairSink<LocalAlignment>& sink) {
  std::vector<std::uint64_t> begin = {0};
  for (const accord_local_result& result : results) begin.push_back(begin.back() + result.segments);
  std::vector<LocalSegment> segments(begin.back());
  if (!segments.empty()) {
    const cl::Buffer& packed = packed_.reserve(session_, segments.size() * sizeof(LocalSegment));
    const std::size_t group = session_.info.kind == DeviceKind::cpu ? 1 : kPackGroup;
    PackKernel{*pack_}(cl::EnqueueArgs(session_.queue, results.size() * group, group),
                       segments_.get(), upload(session_, std::span(launch.room)),
                       upload(session_, std::span(std::as_const(begin))), packed);
    session_.queue.enqueueReadBuffer(packed, CL_TRUE, 0, segments.size() * sizeof(LocalSegment),
                                     segments.data());
  }
  parallel_for(results.size(), [&](std::size_t k, int) {
    const auto of_pair = std::span(segments).subspan(begin[k], results[k].segments);
    sink(launch.pairs[k].x, launch.pairs[k].y,
         {results[k].score, {of_pair.rbegin(), of_pair.rend()}});
  });
}

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
