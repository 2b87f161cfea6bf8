// SPDX-License-Identifier: Apache-2.0
#include "stages/neighbor_joining/neighbor_joining_opencl.hpp"

#include <algorithm>
#include <numeric>
#include <string>

#include "accord/base/error.hpp"
#include "base/text.hpp"
#include "base/timer.hpp"
#include "stages/neighbor_joining/tree_of_joins.hpp"

namespace accord::ocl {
namespace {

/// Work-items of a work-group. On processors a group is one thread, and barriers cost.
constexpr std::uint32_t kGpuGroup = 256, kCpuGroup = 8;

/// Matrices with more places are faster with two launches per step over the whole device than with
/// one work-group.
constexpr std::uint32_t kGpuGroupPlaces = 768, kCpuGroupPlaces = 1024;

/// Work-groups that scan a large matrix, for each compute unit. A group scans its rows one after
/// another, and a step takes as long as the group with most rows: on an H200 10,000 leaves took
/// 1.45 s with 2 groups a unit and 0.85 s with 8, all that a unit can hold.
constexpr std::uint32_t kGpuGroupsPerUnit = 8, kCpuGroupsPerUnit = 2;
constexpr std::uint32_t kMostGroups = 2048;

/// The most matrices and steps of one launch.
constexpr std::size_t kMostTasks = 4096;

/// Work of the first launches on a GPU, in cells that are looked at if none is left out.
constexpr double kFirstWork = 2e7;

/// Steps of a large matrix that are queued together on a processor, for which LaunchPace has no
/// limit.
constexpr double kMostSteps = 1024;

using SmallKernel =
    cl::KernelFunctor<cl::Buffer, cl::Buffer, cl::Buffer, cl::Buffer, cl::Buffer, cl::Buffer,
                      cl::Buffer, cl::Buffer, cl::Buffer, cl_uint, cl_uint, cl_uint>;
using HalfStepKernel =
    cl::KernelFunctor<cl::Buffer, cl::Buffer, cl::Buffer, cl::Buffer, cl::Buffer, cl::Buffer,
                      cl::Buffer, cl::Buffer, cl::Buffer, cl_uint, cl_uint>;

std::uint32_t group_of(const DeviceInfo& device) {
  return device.kind == DeviceKind::cpu ? kCpuGroup : kGpuGroup;
}

void add_task(NeighborJoiningLaunch& launch, std::size_t matrix, std::uint32_t leaves) {
  launch.matrices.push_back(matrix);
  launch.tasks.push_back({launch.cells, leaves, launch.places, launch.steps, 0});
  launch.bytes += join_bytes(leaves);
  launch.cells += accord_nj_row(leaves);
  launch.places += leaves;
  launch.steps += accord_nj_steps(leaves);
}

}  // namespace

std::vector<KernelChoice> neighbor_joining_kernels(const DeviceInfo& device) {
  const std::uint32_t group = group_of(device);
  const std::string defines = "-D ACCORD_NJ_GROUP=" + std::to_string(group);
  return {{"neighbor_joining/join.cl", "neighbor_joining_small", defines, group},
          {"neighbor_joining/join.cl", "neighbor_joining_scan", defines, group},
          {"neighbor_joining/join.cl", "neighbor_joining_unite", defines, group}};
}

StageOnDevice stage_on(const DeviceInfo& device, std::type_identity<NeighborJoiningCall>) {
  return {.kernels = neighbor_joining_kernels(device),
          .takes_all = true,
          .open = [](auto& session) { return std::make_unique<NeighborJoiningStage>(session); }};
}

/// The buffers that the kernels share during a launch.
struct NeighborJoiningStage::Buffers {
  cl::Buffer tasks, distance, sum, reference, low, joins, united, found, tallies;
};

NeighborJoiningStage::NeighborJoiningStage(const Session& session)
    : NeighborJoiningStage(
          session, session.info.kind == DeviceKind::cpu ? kCpuGroupPlaces : kGpuGroupPlaces) {}

NeighborJoiningStage::NeighborJoiningStage(const Session& session, std::uint32_t group_places)
    : session_(session),
      group_places_(group_places),
      small_pace_(session.info, kFirstWork),
      large_pace_(session.info, kFirstWork) {}

std::uint32_t NeighborJoiningStage::group() const { return group_of(session_.info); }

NeighborJoiningLimits NeighborJoiningStage::limits() const {
  const DeviceInfo& info = session_.info;
  const std::uint64_t bytes = std::min(info.largest_buffer, info.budget() / 100 * 90);
  return {static_cast<std::size_t>(bytes), kMostTasks, group_places_};
}

void NeighborJoiningStage::build_kernels() {
  if (small_) return;
  const std::vector<KernelChoice> kernels = neighbor_joining_kernels(session_.info);
  scan_ = build_kernel(session_, kernels[1]);
  unite_ = build_kernel(session_, kernels[2]);
  small_ = build_kernel(session_, kernels[0]);
}

void NeighborJoiningStage::run(const StageCall& of_stage) {
  const auto& call = of_stage.get<NeighborJoiningCall>();
  std::vector<std::uint32_t> leaves;
  for (const DistanceMatrix* matrix : call.matrices) {
    leaves.push_back(static_cast<std::uint32_t>(matrix->size()));
  }
  for (std::size_t k = 0; k < leaves.size(); ++k) {
    if (leaves[k] < 2) call.trees[k] = tree_of_joins(leaves[k], {});
  }
  for (const NeighborJoiningLaunch& launch : plan_neighbor_joining_launches(leaves, limits())) {
    build_kernels();
    const Buffers buffers = upload_launch(launch, call);
    if (launch.whole_device) {
      run_large(launch, buffers);
    } else {
      run_small(launch, buffers);
    }
    std::vector<accord_join> joins(launch.steps);
    session_.queue.enqueueReadBuffer(buffers.joins, CL_TRUE, 0, joins.size() * sizeof joins[0],
                                     joins.data());
    for (std::size_t k = 0; k < launch.tasks.size(); ++k) {
      const accord_nj_task& task = launch.tasks[k];
      call.trees[launch.matrices[k]] =
          tree_of_joins(task.places, std::span<const accord_join>(joins).subspan(
                                         task.first_step, accord_nj_steps(task.places)));
    }
  }
}

NeighborJoiningStage::Buffers NeighborJoiningStage::upload_launch(
    const NeighborJoiningLaunch& launch, const NeighborJoiningCall& call) {
  const cl::Buffer& distance = distance_.reserve(session_, launch.cells * sizeof(std::int32_t));
  std::vector<std::int64_t> sum(launch.places);
  std::vector<std::int32_t> reference(launch.places);
  Mapped<std::int32_t> cells(session_, distance, CL_MAP_WRITE_INVALIDATE_REGION, launch.cells);
  for (std::size_t k = 0; k < launch.tasks.size(); ++k) {
    const accord_nj_task& task = launch.tasks[k];
    const std::span<std::int64_t> sums = std::span(sum).subspan(task.first_place, task.places);
    fill_join_units(
        *call.matrices[launch.matrices[k]],
        {cells.data() + task.cells, static_cast<std::size_t>(accord_nj_row(task.places))}, sums);
    for (std::uint32_t i = 0; i < task.places; ++i) {
      reference[task.first_place + i] =
          accord_nj_reference(sums[i], static_cast<std::int32_t>(task.places) - 2);
    }
  }
  cells.unmap();
  const std::vector<std::int32_t> low(launch.places, ACCORD_NJ_LOWEST);
  const std::size_t groups = launch.whole_device ? kMostGroups : launch.tasks.size();
  const accord_nj_found none = {{ACCORD_NJ_NO_VALUE, ACCORD_NJ_NO_PLACE, 0}, 0, 0};
  const std::vector<accord_nj_found> found(2 * groups, none);
  return {upload(session_, std::span(launch.tasks)),
          distance,
          upload(session_, std::span<const std::int64_t>(sum)),
          upload(session_, std::span<const std::int32_t>(reference)),
          upload(session_, std::span(low)),
          allocate(session_, launch.steps * sizeof(accord_join)),
          allocate(session_, launch.steps * sizeof(std::int64_t)),
          upload(session_, std::span(found)),
          allocate(session_, groups * sizeof(accord_nj_tally))};
}

/// Computes small matrices: one work-group for each matrix, and as many steps in a launch as the
/// pace allows.
void NeighborJoiningStage::run_small(const NeighborJoiningLaunch& launch, const Buffers& b) {
  const std::uint32_t steps = accord_nj_steps(launch.tasks.front().places);  // the largest
  const double work_a_step = 1.0 + static_cast<double>(launch.cells);
  for (std::uint32_t first = 0; first < steps;) {
    const double most = std::max(1.0, small_pace_.most_work() / work_a_step);
    const auto now = static_cast<std::uint32_t>(std::min(most, static_cast<double>(steps - first)));
    const Timer timer;
    wait_for(SmallKernel{*small_}(
        cl::EnqueueArgs(session_.queue, launch.tasks.size() * group(), group()), b.tasks,
        b.distance, b.sum, b.reference, b.low, b.joins, b.united, b.found, b.tallies, 1, first,
        now));
    small_pace_.note(work_a_step * now, timer.seconds());
    first += now;
  }
}

/// Computes a large matrix: two launches for each step. The host waits only after a number of
/// steps.
void NeighborJoiningStage::run_large(const NeighborJoiningLaunch& launch, const Buffers& b) {
  const std::uint32_t places = launch.tasks.front().places;
  const std::uint32_t units = std::max(1u, session_.info.compute_units);
  const std::uint32_t per_unit =
      session_.info.kind == DeviceKind::cpu ? kCpuGroupsPerUnit : kGpuGroupsPerUnit;
  const std::uint32_t scanners = std::min(kMostGroups, per_unit * units);
  const std::uint32_t uniters = std::min(scanners, (places + group() - 1) / group());
  const cl::EnqueueArgs scan_size(session_.queue, scanners * group(), group());
  const cl::EnqueueArgs unite_size(session_.queue, uniters * group(), group());
  const double work_a_step = static_cast<double>(launch.cells);
  HalfStepKernel scan{*scan_}, unite{*unite_};
  for (std::uint32_t step = 0; step < launch.steps;) {
    const double most = std::clamp(large_pace_.most_work() / work_a_step, 1.0, kMostSteps);
    const std::uint32_t end =
        step + static_cast<std::uint32_t>(std::min(most, double(launch.steps - step)));
    const std::uint32_t first = step;
    const Timer timer;
    cl::Event done;
    for (; step < end; ++step) {
      scan(scan_size, b.tasks, b.distance, b.sum, b.reference, b.low, b.joins, b.united, b.found,
           b.tallies, uniters, step);
      done = unite(unite_size, b.tasks, b.distance, b.sum, b.reference, b.low, b.joins, b.united,
                   b.found, b.tallies, scanners, step);
    }
    session_.queue.flush();
    wait_for(done);
    large_pace_.note(work_a_step * (end - first), timer.seconds());
  }
}

std::size_t join_bytes(std::uint32_t leaves) {
  constexpr std::size_t kOfPlace = sizeof(std::int64_t) + 2 * sizeof(std::int32_t);
  constexpr std::size_t kOfStep = sizeof(accord_join) + sizeof(std::int64_t);
  constexpr std::size_t kOfGroup = 2 * sizeof(accord_nj_found) + sizeof(accord_nj_tally);
  return accord_nj_row(leaves) * sizeof(std::int32_t) + leaves * (kOfPlace + kOfStep) + kOfGroup +
         sizeof(accord_nj_task);
}

std::vector<NeighborJoiningLaunch> plan_neighbor_joining_launches(
    std::span<const std::uint32_t> leaves, const NeighborJoiningLimits& limits) {
  std::vector<std::size_t> order(leaves.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return leaves[a] > leaves[b]; });
  std::vector<NeighborJoiningLaunch> launches;
  for (const std::size_t matrix : order) {
    const std::uint32_t n = leaves[matrix];
    if (n < 2) break;
    const std::size_t bytes = join_bytes(n);
    if (bytes > limits.bytes) {
      throw Error(ErrorKind::out_of_memory,
                  "neighbour joining of " + counted(n, "sequence") + " needs " +
                      format_bytes(static_cast<double>(bytes)) + " on the device, which gives " +
                      format_bytes(static_cast<double>(limits.bytes)),
                  "{device=none} computes the same tree in the memory of the host, and "
                  "{tree=upgma} needs no device");
    }
    const bool whole_device = n > limits.group_places;
    if (launches.empty() || launches.back().whole_device || whole_device ||
        launches.back().tasks.size() >= limits.tasks ||
        launches.back().bytes + bytes > limits.bytes) {
      launches.emplace_back();
      launches.back().whole_device = whole_device;
    }
    add_task(launches.back(), matrix, n);
  }
  return launches;
}

}  // namespace accord::ocl
