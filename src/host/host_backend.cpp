// SPDX-License-Identifier: Apache-2.0
#include "accord/host/host_backend.hpp"

#include <algorithm>
#include <cstdlib>
#include <memory>

#include "accord/base/error.hpp"
#include "accord/base/parallel.hpp"
#include "accord/host/consistency.hpp"
#include "accord/host/neighbor_joining.hpp"

namespace accord {
namespace {

/// Working memory of one task, about the second-level cache of a core; larger tasks are cut into
/// bands. For 142 sequences of 330-514 residues, bands of this size took 6.2 s of processor time
/// against 8.5 s for tasks in one band (64 MiB), though forward values are computed twice.
constexpr std::size_t kTaskBytes = std::size_t{3} << 19;

/// Room for this many cells a residue at first; a task that finds more is run again.
constexpr std::uint32_t kCellsPerResidue = 64;

/// Matrices with more leaves are joined one after another, each by all threads.
constexpr std::size_t kLeavesOfThread = 1000;

/// Memory for vector loads: aligned, grows, never shrinks, not initialised.
class AlignedBuffer {
 public:
  void* reserve(std::size_t bytes) {
    if (bytes > bytes_) {
      memory_.reset();
      bytes_ = 0;
      constexpr std::size_t kAlignment = 64;
      const std::size_t rounded = (bytes + kAlignment - 1) / kAlignment * kAlignment;
      memory_.reset(std::aligned_alloc(kAlignment, rounded));
      if (!memory_) {
        throw Error(ErrorKind::out_of_memory,
                    "no " + std::to_string(rounded >> 20) + " MiB for a posterior task",
                    "use fewer threads (-j), or a machine with more memory");
      }
      bytes_ = rounded;
    }
    return memory_.get();
  }

 private:
  struct Free {
    void operator()(void* memory) const { std::free(memory); }
  };
  std::unique_ptr<void, Free> memory_;
  std::size_t bytes_ = 0;
};

/// Scratch memory of one thread.
struct Scratch {
  AlignedBuffer workspace;
  AlignedBuffer cells;
};

void run_task(const host::Kernels& kernels, const CodedSequences& sequences, const PairTask& task,
              const accord_model& model, Scratch& scratch, const PosteriorSink& sink) {
  if (task.lanes != kernels.lanes || task.count > kernels.lanes ||
      task.work_bytes < pair_task_bytes(sequences.length(task.first_x), sequences.length(task.y),
                                        task.band_columns, kernels.lanes)) {
    throw Error(ErrorKind::internal, "a posterior task was planned for another backend");
  }
  host::LanesTask lanes{};
  lanes.count = task.count;
  lanes.y = sequences.codes(task.y).data();
  lanes.n = sequences.length(task.y);
  lanes.band_columns = task.band_columns;
  lanes.model = &model;
  lanes.memory = scratch.workspace.reserve(task.work_bytes);
  for (std::uint32_t lane = 0; lane < task.count; ++lane) {
    lanes.x[lane] = sequences.codes(task.first_x + lane).data();
    lanes.m[lane] = sequences.length(task.first_x + lane);
  }
  std::uint32_t capacity = kCellsPerResidue * (lanes.m[0] + lanes.n);
  while (true) {
    lanes.capacity = capacity;
    lanes.cells = static_cast<accord_cell*>(
        scratch.cells.reserve(std::size_t{capacity} * task.count * sizeof(accord_cell)));
    kernels.run_lanes(lanes);
    capacity = *std::max_element(lanes.found, lanes.found + task.count);
    if (capacity <= lanes.capacity) break;
  }
  for (std::uint32_t lane = 0; lane < task.count; ++lane) {
    sink(task.first_x + lane, task.y,
         std::span(lanes.cells + std::size_t{lane} * lanes.capacity, lanes.found[lane]));
  }
}

/// The kernels for tasks with few pairs: those of the next narrower vectors. Half of a vector is
/// half of the work, of which idle lanes would make nothing: full-length BAliBASE families of up to
/// 64 sequences left 58 % of 16 lanes idle. Fused multiply-adds in software are too slow for that.
const host::Kernels* narrower(const host::Kernels& wide) {
  for (const host::Kernels* kernels : host::available_kernels()) {
    if (kernels->lanes < wide.lanes && kernels->fuses) return kernels;
  }
  return nullptr;
}

}  // namespace

HostBackend::HostBackend(const host::Kernels* kernels)
    : kernels_(kernels ? kernels : host::available_kernels().front()),
      narrow_(kernels ? nullptr : narrower(*kernels_)) {}

std::string HostBackend::name() const {
  return "host (" + std::string(kernels_->name) + ", " + std::to_string(thread_count()) +
         (thread_count() == 1 ? " thread)" : " threads)");
}

BackendLimits HostBackend::limits() const {
  BackendLimits limits;
  limits.lanes = kernels_->lanes;
  limits.task_bytes = kTaskBytes;
  limits.batch_bytes = SIZE_MAX;  // a thread works on one task at a time
  limits.narrow_lanes = narrow_ ? narrow_->lanes : 0;
  return limits;
}

void HostBackend::posteriors(const CodedSequences& sequences, const PairBatch& batch,
                             const accord_model& model, const PosteriorSink& sink) {
  std::vector<Scratch> scratch(static_cast<std::size_t>(thread_count()));
  parallel_for(batch.tasks.size(), [&](std::size_t index, int thread) {
    const PairTask& task = batch.tasks[index];
    const bool is_narrow = narrow_ && task.lanes == narrow_->lanes;
    run_task(is_narrow ? *narrow_ : *kernels_, sequences, task, model,
             scratch[static_cast<std::size_t>(thread)], sink);
  });
}

void HostBackend::relax(const PosteriorSet& current, const RelaxBatch& batch,
                        const RelaxWeights& weights, float cutoff, const RelaxSink& sink) {
  host::relax(*kernels_, current, batch, weights, cutoff, sink);
}

std::vector<GuideTree> HostBackend::join(std::span<const DistanceMatrix> matrices) {
  std::vector<GuideTree> trees(matrices.size());
  std::vector<std::size_t> small;
  for (std::size_t k = 0; k < matrices.size(); ++k) {
    if (matrices[k].size() <= kLeavesOfThread) {
      small.push_back(k);
    } else {
      trees[k] = neighbor_joining(matrices[k], *kernels_);
    }
  }
  parallel_for(small.size(), [&](std::size_t index, int) {
    trees[small[index]] = neighbor_joining(matrices[small[index]], *kernels_);
  });
  return trees;
}

}  // namespace accord
