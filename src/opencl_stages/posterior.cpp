// SPDX-License-Identifier: Apache-2.0
#include "accord/opencl_stages/posterior.hpp"

#include <algorithm>
#include <cstdlib>
#include <map>
#include <string>

#include "accord/base/error.hpp"
#include "accord/base/parallel.hpp"
#include "accord/base/timer.hpp"

namespace accord::ocl {
namespace {

/// Work-items of a group in the group shape, and how many of them walk a pair together: fewer suit
/// pairs of 100 residues, more those of 1000. All of a group walk a pair of so many cells or more,
/// if there are few of these, so that the last ones do not hold up all others: of 3703 x 3005
/// residues an H200 needed 0.29 s with 16, and 0.09 s so; but 60 sequences of 1000 residues took
/// 1.25 times as long.
constexpr std::uint32_t kGroup = 64;
constexpr std::uint32_t kTeam = 16;
constexpr std::uint32_t kLongTeam = kGroup;

/// Groups that a compute unit of a GPU runs at the same time. A launch with fewer is not faster,
/// so it is not made smaller than that, however long it takes.
constexpr std::size_t kGroupsPerUnit = 6;

/// A launch has so many times the tasks that a GPU runs at the same time, at most: more would only
/// take more memory for their cells.
constexpr std::size_t kMostRounds = 16;

/// Working memory of one task; larger tasks are cut into bands.
constexpr std::size_t kTaskBytes = std::size_t{64} << 20;

/// Tasks of the largest size for each compute unit of a processor: enough that the last ones of
/// a launch leave no unit idle for long, without taking the memory of the host.
constexpr std::size_t kTasksPerUnit = 4;

/// Work of the first launch on a GPU, in cells: below 50 ms on any of the last ten years.
constexpr double kFirstWork = 2e8;

using PosteriorKernel = cl::KernelFunctor<cl::Buffer, cl::Buffer, cl::Buffer, cl_uint, cl::Buffer,
                                          cl::Buffer, cl::Buffer>;
using GroupKernel = cl::KernelFunctor<cl::Buffer, cl::Buffer, cl::Buffer, cl_uint, cl::Buffer,
                                      cl::Buffer, cl::Buffer, cl::Buffer>;
using PackKernel = cl::KernelFunctor<cl::Buffer, cl::Buffer, cl::Buffer, cl::Buffer, cl::Buffer>;

std::uint32_t lanes_of(const DeviceInfo& device, Shape shape) {
  if (shape == Shape::group) return 1;
  return device.float_lanes >= 16 ? 16 : 8;
}

/// Size of a cell as the kernel of a shape leaves it.
std::size_t found_cell_bytes(Shape shape) {
  return shape == Shape::group ? sizeof(accord_found_cell) : sizeof(accord_cell);
}

/// A part of the memory, for one buffer.
std::size_t budget_share(const DeviceInfo& device, std::uint64_t percent) {
  return static_cast<std::size_t>(std::min(device.largest_buffer, device.budget() / 100 * percent));
}

std::size_t units_of(const DeviceInfo& device) {
  return std::max<std::size_t>(1, device.compute_units);
}

/// Tasks of teams of a size that a GPU computes at the same time.
std::size_t tasks_at_once(const DeviceInfo& device, std::uint32_t team) {
  return kGroupsPerUnit * units_of(device) * (kGroup / team);
}

/// The group shape, for teams of a size.
KernelChoice group_kernel(std::uint32_t team) {
  return {"posterior_group.cl", "posterior_group",
          "-D ACCORD_LANES=1 -D ACCORD_TEAM=" + std::to_string(team) +
              " -D ACCORD_GROUP=" + std::to_string(kGroup),
          kGroup};
}

/// Work-items that pack the cells of a pair together.
std::size_t pack_group(const DeviceInfo& device) { return device.kind == DeviceKind::cpu ? 1 : 32; }

}  // namespace

Shape choose_shape(const DeviceInfo& device) {
  const char* variable = std::getenv("ACCORD_OPENCL_SHAPE");
  const std::string wanted = variable ? variable : "";
  if (wanted == "lanes") return Shape::lanes;
  if (wanted == "group") return Shape::group;
  if (!wanted.empty()) {
    throw Error(ErrorKind::usage, "ACCORD_OPENCL_SHAPE=" + wanted + ": unknown shape",
                "use lanes or group, or unset it");
  }
  return device.kind == DeviceKind::gpu ? Shape::group : Shape::lanes;
}

std::vector<KernelChoice> posterior_kernels(const DeviceInfo& device, Shape shape) {
  const std::string lanes = "-D ACCORD_LANES=" + std::to_string(lanes_of(device, shape));
  KernelChoice pack{"pack_cells.cl", "pack_cells", "-D ACCORD_LANES=1", pack_group(device)};
  if (shape == Shape::lanes) return {{"posterior_lanes.cl", "posterior_lanes", lanes}, pack};
  pack.defines += " -D ACCORD_COMBINE";
  return {group_kernel(kTeam), pack, PairMatrices::kernel(), group_kernel(kLongTeam)};
}

StageOnDevice stage_on(const DeviceInfo& device, std::type_identity<PosteriorCall>) {
  const Shape shape = choose_shape(device);
  const std::size_t tasks =
      device.kind == DeviceKind::cpu ? units_of(device) : tasks_at_once(device, kTeam);
  const std::size_t at_once = tasks * lanes_of(device, shape);
  return {.kernels = posterior_kernels(device, shape),
          .limits = StageLimits{static_cast<std::uint32_t>(at_once)},
          .open = [shape](const Session& session) {
            return std::make_unique<PosteriorStage>(session, shape);
          }};
}

PosteriorStage::PosteriorStage(const Session& session, Shape shape)
    : session_(session), shape_(shape), pace_(session.info, kFirstWork), matrices_(session) {}

std::uint32_t PosteriorStage::lanes() const { return lanes_of(session_.info, shape_); }

LaunchLimits PosteriorStage::launch_limits(std::uint32_t team) const {
  const DeviceInfo& info = session_.info;
  LaunchLimits limits;
  limits.workspace_bytes = budget_share(info, 60);
  limits.cells = budget_share(info, 15) / found_cell_bytes(shape_);
  limits.work = pace_.most_work();
  limits.fewest = tasks_at_once(info, team);
  limits.most = kMostRounds * limits.fewest;
  if (shape_ == Shape::group) {
    limits.slots = limits.fewest;
    limits.teams = kGroup / team;
  }
  if (info.kind == DeviceKind::cpu) {
    limits.usual_bytes = kTasksPerUnit * units_of(info) * task_limits().task_bytes;
  }
  return limits;
}

TaskLimits PosteriorStage::task_limits() const {
  return {lanes(), 0, std::min(kTaskBytes, budget_share(session_.info, 60) / 4)};
}

void PosteriorStage::build_kernels() {
  if (posterior_) return;
  const std::vector<KernelChoice> kernels = posterior_kernels(session_.info, shape_);
  pack_ = build_kernel(session_, kernels[1]);
  if (shape_ == Shape::group) of_long_ = build_kernel(session_, kernels[3]);
  posterior_ = build_kernel(session_, kernels[0]);
}

void PosteriorStage::run(const StageCall& of_stage) {
  const auto& call = std::get<PosteriorCall>(of_stage);
  if (call.blocks.empty()) return;
  build_kernels();
  const cl::Buffer codes = upload(session_, call.sequences.all_codes());
  const cl::Buffer tables = upload(session_, std::span(&call.model.tables, 1));
  TaskLimits limits = task_limits();
  limits.task_bytes = std::min(limits.task_bytes, call.most_task_bytes);
  std::vector<PairTask> tasks = plan_pair_tasks(call.sequences.lengths(), call.blocks, limits);
  // Largest first: then the last ones leave little of the device idle, and fit in any workspace.
  std::stable_sort(tasks.begin(), tasks.end(), [](const PairTask& a, const PairTask& b) {
    return a.work_bytes > b.work_bytes;
  });
  const auto is_long = [&](const PairTask& task) {
    return shape_ == Shape::group && call.cells_of(task.first_x, task.y) >= kLongCells;
  };
  const bool are_few =
      static_cast<std::size_t>(std::count_if(tasks.begin(), tasks.end(), is_long)) <=
      tasks_at_once(session_.info, kLongTeam);
  std::map<std::uint32_t, std::deque<PosteriorJob>> jobs_of;  // by team
  for (const PairTask& task : tasks) {
    const std::uint32_t team = are_few && is_long(task) ? kLongTeam : kTeam;
    jobs_of[team].push_back(first_job(call.sequences, task, launch_limits(team)));
  }
  for (auto& [team, jobs] : jobs_of) {
    while (!jobs.empty()) {
      const PosteriorLaunch launch =
          take_launch(call.sequences, jobs, lanes(), launch_limits(team));
      const FoundCells found = collect_found(launch, compute(launch, team, codes, tables), jobs);
      hand_over(found, tables, call);
    }
  }
}

/// The number of cells that each pair found.
std::vector<std::uint32_t> PosteriorStage::compute(const PosteriorLaunch& launch,
                                                   std::uint32_t team, const cl::Buffer& codes,
                                                   const cl::Buffer& model) {
  const cl::Buffer tasks = upload(session_, std::span(launch.tasks));
  const cl::Buffer counts = allocate(session_, launch.pairs * sizeof(std::uint32_t));
  const cl::Buffer& workspace = workspace_.reserve(session_, launch.workspace_bytes);
  const cl::Buffer& cells = cells_.reserve(session_, launch.cells * found_cell_bytes(shape_));
  const auto count = static_cast<cl_uint>(launch.tasks.size());
  const Timer timer;
  if (shape_ == Shape::group) {
    const auto teams = static_cast<std::uint32_t>(kGroup / team);
    const auto groups = static_cast<std::uint32_t>((launch.slots + teams - 1) / teams);
    const std::uint32_t next = groups * teams;
    wait_for(GroupKernel{team == kTeam ? *posterior_ : *of_long_}(
        cl::EnqueueArgs(session_.queue, std::size_t{groups} * kGroup, kGroup), model, codes, tasks,
        count, workspace, cells, counts, upload(session_, std::span(&next, 1))));
  } else {
    wait_for(PosteriorKernel{*posterior_}(cl::EnqueueArgs(session_.queue, launch.tasks.size(), 1),
                                          model, codes, tasks, count, workspace, cells, counts));
  }
  pace_.note(launch.work, timer.seconds());
  std::vector<std::uint32_t> found(launch.pairs);
  session_.queue.enqueueReadBuffer(counts, CL_TRUE, 0, found.size() * sizeof found[0],
                                   found.data());
  return found;
}

/// Gives what the pairs have found to the sink: matrices made on the device, or their cells, packed
/// one after another and read a part at a time.
void PosteriorStage::hand_over(const FoundCells& found, const cl::Buffer& model,
                               const PosteriorCall& call) {
  if (shape_ == Shape::group && PairMatrices::suits(call, found.pairs)) {
    return matrices_.hand_over(found, cells_.get(), model, call);
  }
  const std::size_t group = pack_group(session_.info);
  const std::size_t all_bytes = found.to.back() * sizeof(accord_cell);
  const cl::Buffer& packed = packed_.reserve(session_, all_bytes);
  if (all_bytes > 0) {
    PackKernel{*pack_}(cl::EnqueueArgs(session_.queue, found.from.size() * group, group), model,
                       cells_.get(), upload(session_, std::span(found.from)),
                       upload(session_, std::span(found.to)), packed);
  }
  std::vector<std::uint64_t> place;
  for (const std::uint64_t cell : found.to) place.push_back(cell * sizeof(accord_cell));
  read_items(session_, packed, place, staging_, [&](std::size_t k, const void* data) {
    const auto [x, y] = found.pairs[k];
    call.deliver(x, y, {static_cast<const accord_cell*>(data), found.to[k + 1] - found.to[k]});
  });
}

}  // namespace accord::ocl
