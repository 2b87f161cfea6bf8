// SPDX-License-Identifier: Apache-2.0
// What the wavefront layout saves on the host (docs/lab/2026-11/posterior-shapes.md): the processor
// time of the posteriors of one y and a few x's, all relatives of one length, with the tasks that
// the host cuts and with those that it cuts if lanes is the only layout. Runs of both take turns;
// the figures are medians.
//   ninja -C build accord_posterior_shapes
//   build/tests/accord_posterior_shapes PAIRS LENGTH THREADS [REPEATS]
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "base/parallel.hpp"
#include "base/system_process.hpp"
#include "base/timer.hpp"
#include "engine/host/host_backend.hpp"
#include "models/models.hpp"
#include "stages/posteriors/posterior_host.hpp"
#include "stages/posteriors/posterior_host_kernels.hpp"

namespace {

using namespace accord;

/// Relatives of one length: 60 % of the residues of an ancestor are kept.
CodedSequences relatives(int count, std::size_t length) {
  constexpr std::string_view kLetters = "ACDEFGHIKLMNPQRSTVWY";
  std::mt19937 random(1);
  const auto letter = [&] { return kLetters[random() % kLetters.size()]; };
  std::string ancestor;
  while (ancestor.size() < length) ancestor += letter();
  std::vector<SequenceRecord> records;
  for (int k = 0; k < count; ++k) {
    std::string letters = ancestor;
    for (char& residue : letters) {
      if (random() % 10 < 4) residue = letter();
    }
    records.push_back({std::to_string(k), letters});
  }
  return protein_contexts().add_to(SequenceSet(std::move(records), ResidueType::protein).coded());
}

/// Memory for vector loads, written once, so that the first touch of its pages is not measured.
struct Memory {
  explicit Memory(std::size_t bytes) : data(std::aligned_alloc(64, (bytes + 63) / 64 * 64)) {
    std::fill_n(static_cast<char*>(data), bytes, char{0});
  }
  Memory(const Memory&) = delete;
  ~Memory() { std::free(data); }
  void* data;
};

void run(const host::Processor& processor, const CodedSequences& sequences,
         const accord_model& model, const PairTask& task, void* workspace, void* cells) {
  host::LanesTask lanes{};
  lanes.count = task.count;
  lanes.y = sequences.codes(task.y).data();
  lanes.n = sequences.length(task.y);
  lanes.band_columns = task.band_columns;
  lanes.model = &model;
  lanes.memory = workspace;
  lanes.cells = static_cast<accord_cell*>(cells);
  lanes.capacity = 64 * 2 * lanes.n;
  for (std::uint32_t lane = 0; lane < task.count; ++lane) {
    lanes.x[lane] = sequences.codes(task.first_x + lane).data();
    lanes.m[lane] = sequences.length(task.first_x + lane);
  }
  const bool is_narrow = processor.narrow && task.lanes == processor.narrow->lanes;
  const host::Kernels& kernels = is_narrow ? *processor.narrow : *processor.wide;
  (task.is_wavefront ? kernels.posteriors->run_wavefront : kernels.posteriors->run_lanes)(lanes);
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 4) {
    std::fprintf(stderr, "usage: %s PAIRS LENGTH THREADS [REPEATS]\n", arguments[0]);
    return 2;
  }
  const auto pairs = static_cast<std::uint32_t>(std::atoi(arguments[1]));
  const auto length = static_cast<std::uint32_t>(std::atoi(arguments[2]));
  const int threads = std::atoi(arguments[3]), repeats = count > 4 ? std::atoi(arguments[4]) : 5;
  if (pairs < 1 || pairs > kBlockPairs || length < 1 || threads < 1 || repeats < 1) return 2;
  set_thread_count(threads);
  const HostBackend host;
  const CodedSequences sequences = relatives(static_cast<int>(pairs) + 1, length);
  const accord_model model =
      build_posterior_model(default_parameters(ResidueType::protein), ResidueType::protein).tables;
  const PairBlock block{pairs, 0, pairs};
  std::vector<PairTask> tasks[2];
  std::vector<double> cpu[2], wall[2];
  for (const bool wavefronts : {false, true}) {
    TaskLimits limits = host::task_limits(host.processor());
    limits.has_wavefronts = wavefronts;
    tasks[wavefronts] = plan_pair_tasks(sequences.lengths(), {&block, 1}, limits);
  }
  std::size_t bytes = 0;
  for (const auto& layout : tasks) {
    for (const PairTask& task : layout) bytes = std::max(bytes, task.work_bytes);
  }
  std::vector<std::unique_ptr<Memory>> workspaces, cells;
  for (int thread = 0; thread < threads; ++thread) {
    workspaces.push_back(std::make_unique<Memory>(bytes));
    cells.push_back(std::make_unique<Memory>(sizeof(accord_cell) * kBlockPairs * 128 * length));
  }
  for (int k = 0; k < repeats; ++k) {
    for (const bool wavefronts : {false, true}) {
      const double before = process_cpu_seconds();
      const Timer timer;
      parallel_for(tasks[wavefronts].size(), [&](std::size_t task, int thread) {
        const auto t = static_cast<std::size_t>(thread);
        run(host.processor(), sequences, model, tasks[wavefronts][task], workspaces[t]->data,
            cells[t]->data);
      });
      wall[wavefronts].push_back(timer.seconds());
      cpu[wavefronts].push_back(process_cpu_seconds() - before);
    }
  }
  std::size_t in_wavefronts = 0;
  for (const PairTask& task : tasks[1]) in_wavefronts += task.is_wavefront ? task.count : 0;
  std::printf(
      "%s: %u pairs of %u, %d threads: lanes %.4f s, as cut %.4f s of a CPU (%.2f); "
      "%.4f, %.4f s of time (%.2f); %zu pairs in wavefronts\n",
      host.name().c_str(), pairs, length, threads, median(cpu[0]), median(cpu[1]),
      median(cpu[1]) / median(cpu[0]), median(wall[0]), median(wall[1]),
      median(wall[1]) / median(wall[0]), in_wavefronts);
  return 0;
}
