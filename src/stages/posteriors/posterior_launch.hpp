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

/// A task that still has to be computed.
struct PosteriorJob {
  PairTask task;
  std::uint32_t capacity = 0;  ///< the cells of each of its pairs that fit
};

/// What one launch may use.
struct LaunchLimits {
  std::size_t workspace_bytes = 0;
  std::size_t cells = 0;               ///< room for posterior cells
  double work = 0;                     ///< cells of the dynamic programming
  std::size_t usual_bytes = SIZE_MAX;  ///< workspace of a launch of more than one task
  std::size_t fewest = 0;              ///< tasks that are taken whatever their work is
  std::size_t most = SIZE_MAX;         ///< tasks
  /// Tasks at the same time, whose workspace later ones take; SIZE_MAX: each has one of its own.
  std::size_t slots = SIZE_MAX;
  std::size_t teams = 1;  ///< tasks that a work-group begins with, and takes at a time later
  std::uint32_t residues = UINT32_MAX;  ///< of a sequence
};

/// Tasks that are computed by one launch, as the device gets them.
struct PosteriorLaunch {
  std::vector<PosteriorJob> jobs;
  std::vector<accord_pair_task> tasks;  ///< one per job
  std::size_t slots = 0;                ///< tasks with a workspace of their own, the first ones
  std::size_t workspace_bytes = 0;
  std::size_t cells = 0;  ///< room for all pairs
  std::size_t pairs = 0;
  double work = 0;
};

/// The job of a task with the room that is enough for most pairs: 24 cells per residue of both
/// sequences, at least 64, at most all cells of the pair or what `most_cells` of a launch leave for
/// one task.
PosteriorJob first_job(const CodedSequences& sequences, const PairTask& task,
                       std::size_t most_cells);

/// Takes jobs from the front of the queue into one launch until a limit is reached. Pure.
/// Invariant  at least one job is taken; if there are some behind the slots, none of them needs
///         more workspace than any slot has, and every team of each work-group has a slot.
/// Throws  Error{out_of_memory} if the first job alone is above the limits for memory.
PosteriorLaunch take_launch(const CodedSequences& sequences, std::deque<PosteriorJob>& jobs,
                            std::uint32_t lanes, const LaunchLimits& limits);

/// The pairs of a launch whose cells all had room, and where these lie.
struct FoundCells {
  std::vector<PairIndex> pairs;
  std::vector<std::uint64_t> from;      ///< room of each pair, in cells
  std::vector<std::uint64_t> to = {0};  ///< the same without gaps, and the number of all cells
};

/// The pairs of every task whose cells all fitted; the other tasks go to `again` with enough room.
/// `found`: cells that each pair has, as the device counted them.
FoundCells collect_found(const PosteriorLaunch& launch, std::span<const std::uint32_t> found,
                         std::deque<PosteriorJob>& again);

}  // namespace accord::ocl
