// SPDX-License-Identifier: Apache-2.0
#include "stages/posteriors/posterior_launch.hpp"

#include <algorithm>
#include <string>

#include "accord/base/error.hpp"
#include "base/text.hpp"

namespace accord::ocl {
namespace {

static_assert(sizeof(accord_pair_task) == 40, "the kernels read this layout");
static_assert(sizeof(accord_cell) == 12, "the kernels write this layout");
static_assert(sizeof(accord_found_cell) == 16, "the kernels write this layout");

/// The workspace of a task begins at a multiple of this: the widest vector of any layout.
constexpr std::size_t kAlignment = 64;

std::uint64_t aligned(std::uint64_t bytes) {
  return (bytes + kAlignment - 1) / kAlignment * kAlignment;
}

/// The description of a job for the device. Its memory follows that of the earlier jobs of the
/// launch.
accord_pair_task device_task(const PosteriorJob& job, const PosteriorLaunch& launch) {
  return {launch.workspace_bytes / sizeof(float),
          launch.cells,
          job.task.first_x,
          job.task.y,
          job.task.count,
          job.task.band_columns,
          job.capacity,
          static_cast<std::uint32_t>(launch.pairs)};
}

constexpr const char* kOnHost =
    "{device=none} computes the same alignment in the memory of the host";

void check_lengths(const CodedSequences& sequences, const PosteriorJob& job,
                   const LaunchLimits& limits) {
  const std::uint32_t longest =
      std::max(sequences.length(job.task.first_x), sequences.length(job.task.y));
  if (longest <= limits.residues) return;
  throw Error(ErrorKind::out_of_memory,
              "a pair with a sequence of " + counted(longest, "residue") +
                  "; the kernel of this device has room for " + std::to_string(limits.residues),
              kOnHost);
}

void check_fits(const CodedSequences& sequences, const PosteriorJob& job,
                const LaunchLimits& limits) {
  const std::size_t cells = std::size_t{job.capacity} * job.task.count;
  if (aligned(job.task.work_bytes) <= limits.workspace_bytes && cells <= limits.cells) return;
  throw Error(ErrorKind::out_of_memory,
              "the pair of lengths " + std::to_string(sequences.length(job.task.first_x)) +
                  " and " + std::to_string(sequences.length(job.task.y)) + " needs " +
                  format_bytes(static_cast<double>(job.task.work_bytes)) +
                  " of workspace and room for " + std::to_string(cells) +
                  " cells; the device gives " +
                  format_bytes(static_cast<double>(limits.workspace_bytes)) + " and room for " +
                  std::to_string(limits.cells),
              kOnHost);
}

}  // namespace

PosteriorJob first_job(const CodedSequences& sequences, const PairTask& task,
                       std::size_t most_cells) {
  constexpr std::uint64_t kCellsPerResidue = 24, kFewest = 64;
  const std::uint64_t m = sequences.length(task.first_x), n = sequences.length(task.y);
  const std::uint64_t usual = std::max(kFewest, kCellsPerResidue * (m + n));
  const std::uint64_t fitting = std::max<std::uint64_t>(1, most_cells / task.count);
  return {task, static_cast<std::uint32_t>(std::min({usual, m * n, fitting}))};
}

PosteriorLaunch take_launch(const CodedSequences& sequences, std::deque<PosteriorJob>& jobs,
                            std::uint32_t lanes, const LaunchLimits& limits) {
  PosteriorLaunch launch;
  const std::size_t most_bytes = std::min(limits.workspace_bytes, limits.usual_bytes);
  std::uint64_t smallest_slot = UINT64_MAX;
  launch.jobs.reserve(std::min(jobs.size(), limits.most));
  launch.tasks.reserve(launch.jobs.capacity());
  while (!jobs.empty()) {
    const PosteriorJob& job = jobs.front();
    const std::uint64_t bytes = aligned(job.task.work_bytes);
    const std::size_t cells = std::size_t{job.capacity} * job.task.count;
    const double work = static_cast<double>(sequences.length(job.task.first_x)) *
                        sequences.length(job.task.y) * lanes;
    // A work-group begins only if there is room for all of its teams.
    const std::uint64_t room = launch.slots % limits.teams == 0 ? limits.teams * bytes : bytes;
    const bool has_slot =
        launch.jobs.empty() || (launch.slots == launch.jobs.size() && launch.slots < limits.slots &&
                                launch.workspace_bytes + room <= most_bytes);
    const bool takes_slot = limits.slots != SIZE_MAX && launch.slots % limits.teams == 0 &&
                            bytes <= smallest_slot;  // the slot of an earlier task
    check_lengths(sequences, job, limits);
    if (launch.jobs.empty()) {
      check_fits(sequences, job, limits);
    } else if (launch.jobs.size() >= limits.most || launch.cells + cells > limits.cells ||
               (!has_slot && !takes_slot) ||
               (launch.work + work > limits.work &&
                (!has_slot || launch.jobs.size() >= limits.fewest))) {
      break;
    }
    launch.tasks.push_back(device_task(job, launch));
    launch.jobs.push_back(job);
    if (has_slot) {
      ++launch.slots;
      launch.workspace_bytes += bytes;
      smallest_slot = std::min(smallest_slot, bytes);
    }
    launch.cells += cells;
    launch.pairs += job.task.count;
    launch.work += work;
    jobs.pop_front();
  }
  return launch;
}

FoundCells collect_found(const PosteriorLaunch& launch, std::span<const std::uint32_t> found,
                         std::deque<PosteriorJob>& again) {
  FoundCells result;
  for (std::size_t k = 0; k < launch.tasks.size(); ++k) {
    const accord_pair_task& device = launch.tasks[k];
    const PairTask& task = launch.jobs[k].task;
    const auto of_task = found.subspan(device.found, task.count);
    const std::uint32_t most = *std::max_element(of_task.begin(), of_task.end());
    if (most > device.capacity) {
      again.push_back({task, most});
      continue;
    }
    for (std::uint32_t lane = 0; lane < task.count; ++lane) {
      result.pairs.push_back({task.first_x + lane, task.y});
      result.from.push_back(device.cells + std::uint64_t{lane} * device.capacity);
      result.to.push_back(result.to.back() + of_task[lane]);
    }
  }
  return result;
}

}  // namespace accord::ocl
