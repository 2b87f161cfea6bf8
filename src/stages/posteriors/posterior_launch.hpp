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

/// A task that is not computed yet, and the room for its results.
struct PosteriorJob {
  PairTask task;
  std::uint32_t capacity = 0;  ///< cells for which each of its pairs has room
};

/// The limits of one launch: of all its tasks together, where a field does not state another limit.
struct LaunchLimits {
  std::size_t workspace_bytes = 0;     ///< bytes of all workspaces
  std::size_t cells = 0;               ///< posterior cells for which there is room
  double work = 0;                     ///< cells of the dynamic programming
  std::size_t usual_bytes = SIZE_MAX;  ///< bytes of all workspaces if there is more than one task
  std::size_t fewest = 0;              ///< number of tasks that are taken even above `work`
  std::size_t most = SIZE_MAX;         ///< number of tasks
  /// Number of workspaces. Tasks that run at the same time have one each; later tasks reuse these.
  /// SIZE_MAX: each task has a workspace.
  std::size_t slots = SIZE_MAX;
  std::size_t teams = 1;                ///< tasks that a work-group computes at the same time
  std::uint32_t residues = UINT32_MAX;  ///< longest sequence that is allowed
};

/// Tasks that one launch computes, as the device gets them; the sums are over all tasks.
struct PosteriorLaunch {
  std::vector<PosteriorJob> jobs;
  std::vector<accord_pair_task> tasks;  ///< [job]: its description for the device
  std::size_t slots = 0;                ///< number of workspaces; the first tasks have one each
  std::size_t workspace_bytes = 0;      ///< bytes of all workspaces
  std::size_t cells = 0;                ///< posterior cells for which there is room
  std::size_t pairs = 0;                ///< number of pairs
  double work = 0;                      ///< cells of the dynamic programming, of all lanes
};

/// Makes the first job of a task. Each pair gets room that is enough for most pairs: 24 cells for
/// each residue of both sequences, at least 64, and at most all cells of a pair. All pairs of the
/// task together get room for at most `most_cells`, the limit of a launch.
PosteriorJob first_job(const CodedSequences& sequences, const PairTask& task,
                       std::size_t most_cells);

/// Moves jobs from the front of `jobs` into one launch until a limit is reached. `lanes`: the
/// number of pairs that the kernel computes side by side; the work of a task is that of all lanes,
/// idle ones too. The result depends on the arguments only.
/// Invariant  at least one job is taken. If there are more jobs than slots, no later job needs more
///         workspace than the smallest slot has, and every team of each work-group has a slot.
/// Throws  Error{out_of_memory} if the first job needs more memory than the limits give, or if a
///         job that it reaches has a sequence that is too long for the device.
PosteriorLaunch take_launch(const CodedSequences& sequences, std::deque<PosteriorJob>& jobs,
                            std::uint32_t lanes, const LaunchLimits& limits);

/// The finished tasks of a launch: their pairs, and the places of the cells of these pairs on the
/// device. A task is finished if each of its pairs had room for all of its cells.
struct FoundCells {
  std::vector<PairIndex> pairs;
  std::vector<std::uint64_t> from;  ///< [pair]: index of the pair's first cell in the launch
  /// [pair]: index of its first cell once the cells of all pairs are packed without gaps; the last
  /// element is the number of cells.
  std::vector<std::uint64_t> to = {0};
};

/// Returns the pairs of the finished tasks (see FoundCells). Appends the other tasks to `again`,
/// with enough room. `found`: the number of cells that the device counted, for each pair of the
/// launch.
FoundCells collect_found(const PosteriorLaunch& launch, std::span<const std::uint32_t> found,
                         std::deque<PosteriorJob>& again);

}  // namespace accord::ocl
