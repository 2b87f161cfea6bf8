// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstddef>
#include <new>
#include <utility>

#include "accord/base/error.hpp"
#include "base/checked_size.hpp"
#include "base/parallel.hpp"
#include "base/text.hpp"
#include "engine/host/aligned_vector.hpp"
#include "stages/posteriors/posterior_call.hpp"
#include "stages/posteriors/posterior_host_kernels.hpp"
#include "stages/posteriors/posterior_plan.hpp"

namespace accord::host {
namespace {

/// Bytes of the forward values of a band. A task that exceeds the caches of a CPU is cut into
/// bands, although its forward values are then computed twice.
constexpr std::size_t kBandBytes = std::size_t{8} << 20;

/// Room for this many cells per residue at first; a task that finds more is run again.
constexpr std::uint32_t kCellsPerResidue = 64;

/// Returns memory of at least `bytes` for vector loads, not initialised. `room` grows if needed,
/// and never shrinks.
void* room_for(std::uint64_t bytes, AlignedRoom<std::byte>& room) {
  if (bytes <= room.size()) return room.data();
  room = AlignedRoom<std::byte>();  // frees the old memory before the new one is allocated
  try {
    room.resize(checked_size(bytes));
  } catch (const std::bad_alloc&) {
    throw Error(ErrorKind::out_of_memory,
                "no " + format_bytes(static_cast<double>(bytes)) + " for a posterior task",
                "use shorter sequences, fewer threads ({threads}), or a machine with more memory");
  }
  return room.data();
}

/// Scratch memory of one thread.
struct Scratch {
  AlignedRoom<std::byte> workspace;
  AlignedRoom<std::byte> cells;
};

/// Reports the progress of a task to the listener of a call. A small task, and the last cells of
/// every task, are reported at the end of the task.
class TaskProgress {
 public:
  TaskProgress(const PosteriorCall& call, const PairTask& task) : call_(call), task_(task) {}

  void note(std::uint32_t done, std::uint32_t all) {
    const double share = static_cast<double>(done) / all;
    const double cells = share * static_cast<double>(cells_of(0)) * task_.count;
    if (done >= all || cells < reported_ + kReportedCells) return;
    reported_ = cells;
    for (std::uint32_t lane = 0; lane < task_.count; ++lane) {
      const auto now = static_cast<std::uint64_t>(share * static_cast<double>(cells_of(lane)));
      if (now <= of_lane_[lane]) continue;  // reported already: the task is run again
      const std::uint64_t more = now - std::exchange(of_lane_[lane], now);
      (*call_.listener)(task_.first_x + lane, more);
    }
  }

  /// Has a task of the kernels report to this object, if there is a listener.
  void listen_to(LanesTask& task) {
    if (call_.listener == nullptr) return;
    task.listener = this;
    task.tell = [](void* listener, std::uint32_t done, std::uint32_t all) {
      static_cast<TaskProgress*>(listener)->note(done, all);
    };
  }

  std::uint64_t reported(std::uint32_t lane) const { return of_lane_[lane]; }

 private:
  /// About 10 ms of a CPU.
  static constexpr double kReportedCells = 1 << 22;

  std::uint64_t cells_of(std::uint32_t lane) const {
    return call_.cells_of(task_.first_x + lane, task_.y);
  }

  const PosteriorCall& call_;
  const PairTask& task_;
  double reported_ = 0;
  std::array<std::uint64_t, kMaxLanes> of_lane_{};
};

void run_task(const PosteriorKernels& kernels, const PosteriorCall& call, const PairTask& task,
              Scratch& scratch) {
  const CodedSequences& sequences = call.sequences;
  LanesTask lanes{};
  lanes.count = task.count;
  lanes.y = sequences.codes(task.y).data();
  lanes.n = sequences.length(task.y);
  lanes.band_columns = task.band_columns;
  lanes.model = &call.model.tables;
  lanes.memory = room_for(task.work_bytes, scratch.workspace);
  for (std::uint32_t lane = 0; lane < task.count; ++lane) {
    lanes.x[lane] = sequences.codes(task.first_x + lane).data();
    lanes.m[lane] = sequences.length(task.first_x + lane);
  }
  TaskProgress progress(call, task);
  progress.listen_to(lanes);
  std::uint32_t capacity = kCellsPerResidue * (lanes.m[0] + lanes.n);
  while (true) {
    lanes.capacity = capacity;
    lanes.cells = static_cast<accord_cell*>(
        room_for(std::uint64_t{capacity} * task.count * sizeof(accord_cell), scratch.cells));
    (task.is_wavefront ? kernels.run_wavefront : kernels.run_lanes)(lanes);
    capacity = *std::max_element(lanes.found, lanes.found + task.count);
    if (capacity <= lanes.capacity) break;
  }
  for (std::uint32_t lane = 0; lane < task.count; ++lane) {
    const std::span cells(lanes.cells + std::size_t{lane} * lanes.capacity, lanes.found[lane]);
    const std::uint32_t x = task.first_x + lane;
    call.deliver(x, task.y, call.matrix_of(x, task.y, cells), progress.reported(lane));
  }
}

}  // namespace

TaskLimits task_limits(const Processor& processor) {
  TaskLimits limits;
  limits.lanes = processor.wide->lanes;
  limits.narrow_lanes = processor.narrow ? processor.narrow->lanes : 0;
  limits.task_bytes = SIZE_MAX;
  limits.band_bytes = kBandBytes;
  limits.has_wavefronts = true;
  return limits;
}

void compute(const Processor& processor, const PosteriorCall& call) {
  TaskLimits limits = task_limits(processor);
  limits.task_bytes = call.most_task_bytes;
  const std::vector<PairTask> tasks =
      plan_pair_tasks(call.sequences.lengths(), call.blocks, limits);
  std::vector<Scratch> scratch(static_cast<std::size_t>(thread_count()));
  parallel_for(tasks.size(), [&](std::size_t index, int thread) {
    const PairTask& task = tasks[index];
    Scratch& thread_scratch = scratch[static_cast<std::size_t>(thread)];
    const bool is_narrow = processor.narrow && task.lanes == processor.narrow->lanes;
    const Kernels& kernels = is_narrow ? *processor.narrow : *processor.wide;
    run_task(*kernels.posteriors, call, task, thread_scratch);
  });
}

}  // namespace accord::host
