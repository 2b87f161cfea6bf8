// SPDX-License-Identifier: Apache-2.0
#include "stages/posteriors/posterior_opencl.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>

#include "accord/base/error.hpp"
#include "base/parallel.hpp"
#include "stages/posteriors/posterior_plan.hpp"

namespace accord::ocl {
namespace {

/// Groups that a compute unit runs at the same time: a launch of fewer would not be faster.
constexpr std::size_t kGroupsPerUnit = 8;

/// The most tasks of a launch, as a multiple of those that a GPU runs at the same time: more would
/// only take more memory for their cells.
constexpr std::size_t kMostRounds = 16;

/// Working memory of one task; larger tasks are cut into bands.
constexpr std::size_t kTaskBytes = std::size_t{64} << 20;

/// Tasks of a launch for each compute unit of a processor, so that no unit is idle for long at the
/// end.
constexpr std::size_t kTasksPerUnit = 4;

/// Work of the first launch on a GPU, in cells: below 50 ms on any of the last ten years.
constexpr double kFirstWork = 2e8;

using PosteriorKernel = cl::KernelFunctor<cl::Buffer, cl::Buffer, cl::Buffer, cl::Buffer, cl_uint,
                                          cl::Buffer, cl::Buffer, cl::Buffer>;
using GroupKernel = cl::KernelFunctor<cl::Buffer, cl::Buffer, cl::Buffer, cl::Buffer, cl_uint,
                                      cl::Buffer, cl::Buffer, cl::Buffer, cl::Buffer>;
using PackKernel = cl::KernelFunctor<cl::Buffer, cl::Buffer, cl::Buffer, cl::Buffer, cl::Buffer>;

std::uint32_t lanes_of(const DeviceInfo& device, KernelLayout layout) {
  if (layout == KernelLayout::group) return 1;
  return device.float_lanes >= 16 ? 16 : 8;
}

/// Size of a cell as the kernel of a layout leaves it.
std::size_t found_cell_bytes(KernelLayout layout) {
  return layout == KernelLayout::group ? sizeof(accord_found_cell) : sizeof(accord_cell);
}

/// A part of the memory, for one buffer.
std::size_t budget_share(const DeviceInfo& device, std::uint64_t percent) {
  return static_cast<std::size_t>(std::min(device.largest_buffer, device.budget() / 100 * percent));
}

std::size_t units_of(const DeviceInfo& device) {
  return std::max<std::size_t>(1, device.compute_units);
}

/// Groups of kTeamGroup items that a GPU computes at the same time, and tasks of teams of a size.
std::size_t groups_at_once(const DeviceInfo& device) { return kGroupsPerUnit * units_of(device); }
std::size_t tasks_at_once(const DeviceInfo& device, std::uint32_t team) {
  return groups_at_once(device) * kTeamGroup / team;
}

/// The kernel of the group layout, for teams of `team` items.
KernelChoice group_kernel(std::uint32_t team) {
  return {"posteriors/posterior_group.cl", "posterior_group",
          "-D ACCORD_LANES=1 -D ACCORD_TEAM=" + std::to_string(team) +
              " -D ACCORD_GROUP=" + std::to_string(group_of(team)),
          group_of(team)};
}

/// The kernel that packs cells. One work-group packs the cells of a pair.
KernelChoice pack_kernel(const DeviceInfo& device, KernelLayout layout) {
  const std::string combine = layout == KernelLayout::group ? " -D ACCORD_COMBINE" : "";
  const std::size_t group = device.kind == DeviceKind::cpu ? 1 : 32;
  return {"posteriors/pack_cells.cl", "pack_cells", "-D ACCORD_LANES=1" + combine, group};
}

static_assert(sizeof(accord_matrix_task) == 24, "the kernel reads this layout");

/// Work-items of a group, which makes the matrix of a pair. Most rows have fewer cells than this.
constexpr std::size_t kGroup = 32;

/// Columns whose sums fit in the 32 KiB of local memory that every device of the full profile has.
constexpr std::uint32_t kMostColumns = 6000;

using MatrixKernel = cl::KernelFunctor<cl::Buffer, cl::Buffer, cl::Buffer, cl::Buffer, cl::Buffer,
                                       cl::LocalSpaceArg>;

/// Reads a pair from the words of the device: its expected accuracy, the index of the first cell of
/// each row, its cells.
/// Throws  Error{device_failed} if the rows do not follow each other.
PairPosterior pair_of(std::span<const std::uint32_t> words, std::uint32_t rows,
                      std::uint32_t columns) {
  const auto begin = words.subspan(1, std::size_t{rows} + 1), cells = words.subspan(rows + 2);
  if (begin.front() != 0 || begin.back() != cells.size() ||
      !std::is_sorted(begin.begin(), begin.end())) {
    throw Error(ErrorKind::device_failed, "the device made a matrix whose rows are in disorder",
                "{device=none} computes the same alignment without the device");
  }
  return {SparseMatrix(columns, begin, {cells.begin(), cells.end()}), words.front()};
}

}  // namespace

KernelLayout choose_layout(const DeviceInfo& device) {
  const char* variable = std::getenv("ACCORD_OPENCL_LAYOUT");
  const std::string wanted = variable ? variable : "";
  if (wanted == "lanes") return KernelLayout::lanes;
  if (wanted == "group") return KernelLayout::group;
  if (!wanted.empty()) {
    throw Error(ErrorKind::usage, "ACCORD_OPENCL_LAYOUT=" + wanted + ": unknown layout",
                "use lanes or group, or unset it");
  }
  return device.kind == DeviceKind::gpu ? KernelLayout::group : KernelLayout::lanes;
}

std::vector<KernelChoice> posterior_kernels(const DeviceInfo& device, KernelLayout layout) {
  const KernelChoice pack = pack_kernel(device, layout);
  if (layout == KernelLayout::lanes) {
    const std::string lanes = "-D ACCORD_LANES=" + std::to_string(lanes_of(device, layout));
    return {{"posteriors/posterior_lanes.cl", "posterior_lanes", lanes}, pack};
  }
  std::vector<KernelChoice> kernels = {pack, PairMatrices::kernel()};
  for (const std::uint32_t team : kTeams) kernels.push_back(group_kernel(team));
  return kernels;
}

StageOnDevice stage_on(const DeviceInfo& device, std::type_identity<PosteriorCall>) {
  const KernelLayout layout = choose_layout(device);
  const std::size_t tasks =
      device.kind == DeviceKind::cpu ? units_of(device) : tasks_at_once(device, kTeams.front());
  return {.kernels = posterior_kernels(device, layout),
          .limits = StageLimits{static_cast<std::uint32_t>(tasks * lanes_of(device, layout))},
          .open = [layout](const Session& session) {
            return std::make_unique<PosteriorStage>(session, layout);
          }};
}

PosteriorStage::PosteriorStage(const Session& session, KernelLayout layout)
    : session_(session),
      reading_(part_of(session, 1)),
      layout_(layout),
      pace_(session.info, kFirstWork),
      matrices_(session) {}

LaunchLimits PosteriorStage::launch_limits(std::uint32_t team) const {
  const DeviceInfo& info = session_.info;
  LaunchLimits limits;
  limits.workspace_bytes = budget_share(info, 60);
  limits.cells = budget_share(info, 15) / found_cell_bytes(layout_);
  limits.work = pace_.most_work();
  limits.fewest = tasks_at_once(info, team);
  limits.most = kMostRounds * limits.fewest;
  if (layout_ == KernelLayout::group) {
    limits.slots = limits.fewest;
    limits.teams = group_of(team) / team;
    limits.residues = kGroupResidues;
  }
  if (info.kind == DeviceKind::cpu) {
    limits.usual_bytes = kTasksPerUnit * units_of(info) * task_limits().task_bytes;
  }
  return limits;
}

TaskLimits PosteriorStage::task_limits() const {
  return {lanes_of(session_.info, layout_), 0,
          std::min(kTaskBytes, budget_share(session_.info, 60) / 4)};
}

/// The posterior kernel for teams of `team` items; in the lanes layout there is a single kernel.
const cl::Kernel& PosteriorStage::kernel_for(std::uint32_t team) {
  const auto found = of_team_.find(team);
  if (found != of_team_.end()) return found->second;
  const KernelChoice choice = layout_ == KernelLayout::group
                                  ? group_kernel(team)
                                  : posterior_kernels(session_.info, layout_)[0];
  return of_team_.emplace(team, build_kernel(session_, choice)).first->second;
}

void PosteriorStage::run(const StageCall& of_stage) {
  const auto& call = of_stage.get<PosteriorCall>();
  if (call.blocks.empty()) return;
  if (!pack_) pack_ = build_kernel(session_, pack_kernel(session_.info, layout_));
  const Inputs inputs = send(call);
  TaskLimits limits = task_limits();
  limits.task_bytes = std::min(limits.task_bytes, call.most_task_bytes);
  std::vector<PairTask> tasks = plan_pair_tasks(call.sequences.lengths(), call.blocks, limits);
  // Largest first: the last tasks then leave little of the device idle, and fit in any workspace.
  std::stable_sort(tasks.begin(), tasks.end(), [](const PairTask& a, const PairTask& b) {
    return a.work_bytes > b.work_bytes;
  });
  std::map<std::uint32_t, std::deque<PosteriorJob>> jobs_of;  // by team
  const std::vector<std::uint32_t> teams = teams_of(call.sequences, tasks);
  const std::size_t most_cells = launch_limits(kTeams.front()).cells;  // whatever the team is
  for (std::size_t k = 0; k < tasks.size(); ++k) {
    jobs_of[teams[k]].push_back(first_job(call.sequences, tasks[k], most_cells));
  }
  const auto start_next = [&]() -> std::optional<Running> {
    for (auto& [team, jobs] : jobs_of) {
      if (jobs.empty()) continue;
      const LaunchLimits of_launch = launch_limits(team);
      return start(take_launch(call.sequences, jobs, limits.lanes, of_launch), team, inputs);
    }
    return std::nullopt;
  };
  for (std::optional<Running> running = start_next(); running;) {
    const auto counts = finish(*running);
    const FoundCells found = collect_found(running->launch, counts, jobs_of[running->team]);
    const bool as_matrices =
        layout_ == KernelLayout::group && PairMatrices::suits(call, found.pairs);
    const DeviceItems packed = as_matrices ? matrices_.make(found, cells_.get(), inputs.model, call)
                                           : pack(found, inputs.model);
    running = start_next();
    read_items(reading_, packed, staging_, [&](std::size_t k, const void* data) {
      if (as_matrices) return PairMatrices::deliver(found, packed, k, data, call);
      const auto [x, y] = found.pairs[k];
      const std::span cells(static_cast<const accord_cell*>(data), found.to[k + 1] - found.to[k]);
      call.deliver(x, y, call.matrix_of(x, y, cells));
    });
  }
}

/// The size of the team of each task; in the lanes layout all have the same.
std::vector<std::uint32_t> PosteriorStage::teams_of(const CodedSequences& sequences,
                                                    std::span<const PairTask> tasks) const {
  if (layout_ == KernelLayout::lanes)
    return std::vector<std::uint32_t>(tasks.size(), kTeams.front());
  std::vector<PairLengths> pairs;
  for (const PairTask& task : tasks) {
    pairs.push_back({sequences.length(task.first_x), sequences.length(task.y)});
  }
  return plan_teams(pairs, groups_at_once(session_.info));
}

PosteriorStage::Inputs PosteriorStage::send(const PosteriorCall& call) {
  const std::span<const std::size_t> first = call.sequences.first_code();
  std::vector<accord_sequence> sequences;
  for (std::uint32_t k = 0; k < call.sequences.size(); ++k) {
    sequences.push_back({first[k], call.sequences.length(k), 0});
  }
  return {model_.send(session_, std::span(&call.model.tables, 1)),
          codes_.send(session_, call.sequences.all_codes()),
          sequences_.send(session_, std::span<const accord_sequence>(sequences))};
}

/// Begins to compute a launch. The previous launch must have ended.
PosteriorStage::Running PosteriorStage::start(PosteriorLaunch launch, std::uint32_t team,
                                              const Inputs& in) {
  const cl::Buffer& tasks = tasks_.send(session_, std::span(std::as_const(launch.tasks)));
  const std::size_t bytes = launch.pairs * sizeof(std::uint32_t);
  const cl::Buffer& counts = counts_.reserve(session_, bytes);
  const auto counted = static_cast<std::uint32_t*>(counted_.reserve(session_, bytes));
  const cl::Buffer& workspace = workspace_.reserve(session_, launch.workspace_bytes);
  const cl::Buffer& cells = cells_.reserve(session_, launch.cells * found_cell_bytes(layout_));
  const auto count = static_cast<cl_uint>(launch.tasks.size());
  Running running{std::move(launch), team, {}, counted, {}};
  if (layout_ == KernelLayout::group) {
    const std::uint32_t group = group_of(team), teams = group / team;
    const auto groups = static_cast<std::uint32_t>((running.launch.slots + teams - 1) / teams);
    next_.room<std::uint32_t>(session_, 1)[0] = groups * teams;
    GroupKernel{kernel_for(team)}(
        cl::EnqueueArgs(session_.queue, std::size_t{groups} * group, group), in.model, in.codes,
        in.sequences, tasks, count, workspace, cells, counts, next_.send(session_));
  } else {
    PosteriorKernel{kernel_for(team)}(cl::EnqueueArgs(session_.queue, count, 1), in.model, in.codes,
                                      in.sequences, tasks, count, workspace, cells, counts);
  }
  session_.queue.enqueueReadBuffer(counts, CL_FALSE, 0, bytes, counted, nullptr,
                                   &running.is_counted);
  session_.queue.flush();
  return running;
}

/// The number of cells that each pair found.
std::span<const std::uint32_t> PosteriorStage::finish(const Running& running) {
  wait_for(running.is_counted);
  pace_.note(running.launch.work, running.timer.seconds());
  return {running.counts, running.launch.pairs};
}

/// Begins to pack the cells of the pairs, one item for each pair.
DeviceItems PosteriorStage::pack(const FoundCells& found, const cl::Buffer& model) {
  DeviceItems packed{nullptr, found.to, {}};
  for (std::uint64_t& place : packed.place) place *= sizeof(accord_cell);
  if (packed.place.back() == 0) return packed;
  packed.buffer = &packed_.reserve(session_, packed.place.back());
  const std::size_t group = pack_kernel(session_.info, layout_).group;
  packed.made_by.push_back(
      PackKernel{*pack_}(cl::EnqueueArgs(session_.queue, found.from.size() * group, group), model,
                         cells_.get(), from_.send(session_, std::span(found.from)),
                         to_.send(session_, std::span(found.to)), *packed.buffer));
  return packed;
}

KernelChoice PairMatrices::kernel() {
  return {"posteriors/matrices.cl", "make_matrices",
          "-D ACCORD_LANES=1 -D ACCORD_MATRIX_GROUP=" + std::to_string(kGroup), kGroup};
}

bool PairMatrices::suits(const PosteriorCall& call, std::span<const PairIndex> pairs) {
  return call.model.tables.cutoff * ACCORD_UNITS_OF_ONE >= 1 &&
         std::all_of(pairs.begin(), pairs.end(),
                     [&](PairIndex pair) { return call.sequences.length(pair.y) <= kMostColumns; });
}

void PairMatrices::load(const Calibration& calibration) {
  if (loaded_ && *loaded_ == calibration) return;
  const std::vector<std::uint16_t> table = calibration.table();
  calibration_ = upload(session_, std::span(table));
  loaded_ = calibration;
}

DeviceItems PairMatrices::make(const FoundCells& found, const cl::Buffer& cells,
                               const cl::Buffer& model, const PosteriorCall& call) {
  DeviceItems made;
  if (found.pairs.empty()) return made;
  std::vector<accord_matrix_task> tasks;
  std::vector<std::uint64_t>& place = made.place;
  std::uint32_t most_columns = 0;
  for (std::size_t k = 0; k < found.pairs.size(); ++k) {
    const auto [x, y] = found.pairs[k];
    const auto count = static_cast<std::uint32_t>(found.to[k + 1] - found.to[k]);
    const std::uint32_t rows = call.sequences.length(x);
    tasks.push_back({found.from[k], place.back() / sizeof(std::uint32_t), count, rows});
    place.push_back(place.back() + (std::uint64_t{rows} + 2 + count) * sizeof(std::uint32_t));
    most_columns = std::max(most_columns, call.sequences.length(y));
  }
  if (!kernel_) kernel_ = build_kernel(session_, kernel());
  load(call.model.calibration);
  made.buffer = &words_.reserve(session_, place.back());
  made.made_by.push_back(MatrixKernel{*kernel_}(
      cl::EnqueueArgs(session_.queue, tasks.size() * kGroup, kGroup), model, cells,
      tasks_.send(session_, std::span<const accord_matrix_task>(tasks)), calibration_, *made.buffer,
      cl::Local((most_columns + 1) * sizeof(std::uint32_t))));
  return made;
}

void PairMatrices::deliver(const FoundCells& found, const DeviceItems& made, std::size_t k,
                           const void* data, const PosteriorCall& call) {
  const auto [x, y] = found.pairs[k];
  const std::span words(static_cast<const std::uint32_t*>(data),
                        (made.place[k + 1] - made.place[k]) / sizeof(std::uint32_t));
  call.deliver(x, y, pair_of(words, call.sequences.length(x), call.sequences.length(y)));
}

}  // namespace accord::ocl
