// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <deque>
#include <span>
#include <vector>

#include "core/sequence_set.hpp"
#include "shared/layout.h"
#include "stages/posteriors/posterior_plan.hpp"

namespace accord::ocl {

/// A task that is not computed yet.
struct PosteriorJob {
  PairTask task;
  std::uint32_t capacity = 0;  ///< cells for which each of its pairs has room
};

/// The limits of one launch.
struct LaunchLimits {
  std::size_t workspace_bytes = 0;
  std::size_t cells = 0;               ///< room for posterior cells
  double work = 0;                     ///< cells of the dynamic programming
  std::size_t usual_bytes = SIZE_MAX;  ///< workspace of a launch of more than one task
  std::size_t fewest = 0;              ///< number of tasks that are taken even above `work`
  std::size_t most = SIZE_MAX;         ///< tasks
  /// Number of workspaces, for tasks that run at the same time; later tasks reuse them. SIZE_MAX: a
  /// workspace for each task.
  std::size_t slots = SIZE_MAX;
  std::size_t teams = 1;                ///< tasks that a work-group computes at the same time
  std::uint32_t residues = UINT32_MAX;  ///< longest sequence that is allowed
};

/// Tasks that are computed by one launch, as the device gets them.
struct PosteriorLaunch {
  std::vector<PosteriorJob> jobs;
  std::vector<accord_pair_task> tasks;  ///< one per job
  std::size_t slots = 0;                ///< number of workspaces; the first tasks have one each
  std::size_t workspace_bytes = 0;
  std::size_t cells = 0;  ///< room for cells, over all pairs
  std::size_t pairs = 0;
  double work = 0;
};

/// The first job of a task, with enough room for most pairs: 24 cells for each residue of both
/// sequences, at least 64, and at most all cells of a pair. All pairs of the task together have
/// room for at most `most_cells`, the limit of a launch.
PosteriorJob first_job(const CodedSequences& sequences, const PairTask& task,
                       std::size_t most_cells);

/// Moves jobs from the front of `jobs` into one launch until a limit is reached. `lanes`: the
/// number of pairs that the kernel computes side by side; a task counts the work of all lanes, idle
/// ones too. Depends on the arguments only.
/// Invariant  at least one job is taken. If there are more jobs than slots, no later job needs more
///         workspace than the smallest slot has, and every team of each work-group has a slot.
/// Throws  Error{out_of_memory} if the first job needs more memory than the limits give, or if a
///         job that it reaches has a sequence that is too long for the device.
PosteriorLaunch take_launch(const CodedSequences& sequences, std::deque<PosteriorJob>& jobs,
                            std::uint32_t lanes, const LaunchLimits& limits);

/// The pairs of those tasks of a launch in which all cells of all pairs had room, and the places of
/// the cells.
struct FoundCells {
  std::vector<PairIndex> pairs;
  std::vector<std::uint64_t> from;      ///< [pair]: index of its first cell in the launch
  std::vector<std::uint64_t> to = {0};  ///< the same when packed; last the number of cells
};

/// Returns the pairs of the tasks in which every pair had room for all its cells, and appends the
/// other tasks to `again`, with enough room. `found`: the number of cells that the device counted
/// for each pair.
FoundCells collect_found(const PosteriorLaunch& launch, std::span<const std::uint32_t> found,
                         std::deque<PosteriorJob>& again);

}  // namespace accord::ocl
