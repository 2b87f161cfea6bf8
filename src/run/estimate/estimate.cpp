// SPDX-License-Identifier: Apache-2.0
#include "run/estimate/estimate.hpp"

#include <algorithm>
#include <limits>

#include "accord/base/error.hpp"
#include "base/cpu_budget.hpp"
#include "base/system.hpp"
#include "base/text.hpp"
#include "engine/host/host_backend.hpp"
#include "method/family_posteriors.hpp"
#include "stages/consistency/consistency_request.hpp"

namespace accord {
namespace {

constexpr double kMebibyte = 1024.0 * 1024.0;
constexpr double kCellBytes = 4;  // of a posterior set, and of a row of it

/// The first `residues` residues of `wanted` sequences, which are spread over the canonical order,
/// and so over the lengths.
SequenceSet some_sequences(const SequenceSet& set, std::size_t wanted, std::size_t residues) {
  std::vector<SequenceRecord> records;
  const std::size_t n = set.size();
  for (std::size_t k = 0; k < std::min(wanted, n); ++k) {
    const std::size_t x = n <= wanted ? k : k * (n - 1) / (wanted - 1);
    records.push_back({set.header(x), set.letters(x).substr(0, residues)});
  }
  return SequenceSet(std::move(records), set.type());
}

double stored_bytes(const Workload& work, double cells_per_row) {
  return kCellBytes * work.rows * (cells_per_row + 1);
}

bool is_aligned(FamilyOutput output) {
  return output == FamilyOutput::alignment || output == FamilyOutput::core;
}

/// Posterior sets that are in memory at the same time.
double stored_sets(const Workload& work, const AlignSettings& settings, FamilyOutput output) {
  if (output == FamilyOutput::confidence) return 1;
  if (!is_aligned(output)) return 0;
  const int rounds = settings.parameters.consistency.rounds_for(work.backbone);
  return consistency_sets(rounds, settings.confidence);
}

/// Bytes for each of the N^2 distances: 2 for the distances, and 2 for making a tree or 9 for the
/// text of a square matrix.
double distance_bytes(FamilyOutput output) {
  return output == FamilyOutput::distances ? 2 + 9 : 2 + 2;
}

/// The number of sequences that the consistency transform goes through.
double intermediates_of(const Workload& work, const AlignSettings& settings) {
  const auto n = static_cast<double>(work.backbone);
  const ConsistencyParams& consistency = settings.parameters.consistency;
  if (const std::size_t nearest = consistency.nearest_for(work.backbone); nearest > 0) {
    return std::min(static_cast<double>(nearest), n);
  }
  return consistency.intermediates == 0 ? n : std::min<double>(consistency.intermediates, n);
}

/// The beginning of a hint, with the memory that a backbone would need; empty if that exceeds the
/// budget.
std::string backbone_that_fits(const SequenceSet& set, const Sample& sample,
                               const AlignSettings& settings, int threads, std::size_t budget,
                               std::size_t alignments) {
  AlignSettings with_backbone = settings;
  with_backbone.large = LargeFamilies::always;
  Workload work = workload_of(set, plan_family(set, with_backbone), with_backbone.large_effort);
  work.alignments = alignments;
  const std::uint64_t need =
      estimate_memory(work, sample, with_backbone, threads, FamilyOutput::alignment);
  if (work.backbone == work.sequences || need > budget) return {};
  return "{large=always} needs " + format_bytes(static_cast<double>(need)) + "; ";
}

/// Bytes that fewer sequences like those of a family need. The largest task is that of the whole
/// family: two sequences may be the longest.
std::uint64_t memory_of_fewer(Workload work, std::size_t sequences, const Sample& sample,
                              const AlignSettings& settings, int threads, FamilyOutput output) {
  const auto n = static_cast<double>(sequences);
  const auto all = static_cast<double>(work.sequences);
  const double members = std::min(1.0, n / static_cast<double>(work.backbone));
  work.residues = static_cast<std::uint64_t>(static_cast<double>(work.residues) * n / all);
  work.rows *= members * members;
  work.placed_rows *= n / all;
  work.backbone = std::min(work.backbone, sequences);
  work.sequences = sequences;
  return estimate_memory(work, sample, settings, threads, output);
}

/// How many sequences like those of a family fit into a budget that the family exceeds, with a
/// margin of a twentieth; 0 or 1 if two do not fit.
std::size_t sequences_that_fit(const Workload& work, const Sample& sample,
                               const AlignSettings& settings, int threads, std::size_t budget,
                               FamilyOutput output) {
  std::size_t fits = 0, exceeds = work.sequences;
  while (fits + 1 < exceeds) {
    const std::size_t middle = fits + (exceeds - fits) / 2;
    const bool is_more = memory_of_fewer(work, middle, sample, settings, threads, output) > budget;
    (is_more ? exceeds : fits) = middle;
  }
  return fits - fits / 20;
}

}  // namespace

Sample worst_case() {
  Sample sample;
  sample.cells_per_row = 12;
  return sample;
}

Sample sample_family(const SequenceSet& set, const AlignSettings& settings) {
  // Enough sequences to fill the vector lanes of the host, and few enough to be quick.
  constexpr std::size_t kMostSequences = 17, kFewestSequences = 3;
  constexpr double kMostCells = 3e7, kFewestCells = 1e5;
  constexpr double kEnoughSeconds = 0.03;  // a shorter computation is repeated up to this
  constexpr int kMostRuns = 16;
  constexpr std::size_t kMostResidues = 1200;  // longer sequences have the same rate
  SequenceSet some = some_sequences(set, kMostSequences, kMostResidues);
  Workload work = workload_of(some);
  while (work.cells > kMostCells && some.size() > kFewestSequences) {
    some = some_sequences(set, some.size() - 2, kMostResidues);
    work = workload_of(some);
  }
  Sample sample;
  if (work.cells > kMostCells || work.cells < kFewestCells) return sample;
  CpuBudget one(1);
  const CpuBudget::Lease alone(one, 1);
  HostBackend host;
  Scheduler scheduler(host);
  const PosteriorFamily family(some, settings.parameters);
  std::size_t kept = 0;
  double all_seconds = 0, least_seconds = std::numeric_limits<double>::infinity();
  for (int run = 0; run < 2 || (run < kMostRuns && all_seconds < kEnoughSeconds); ++run) {
    const double before = process_cpu_seconds();
    kept = compute_posteriors(family, PairSet::all(some.size()), scheduler).cells();
    if (run == 0) continue;  // it fills the caches
    const double seconds = std::max(1e-4, process_cpu_seconds() - before);
    all_seconds += seconds;
    least_seconds = std::min(least_seconds, seconds);
  }
  sample.cells_per_row = static_cast<double>(kept) / work.rows;
  sample.lane_cells_per_second = work.lane_cells / least_seconds;
  sample.is_measured = true;
  return sample;
}

double host_seconds(double work, int threads) {
  constexpr double kWorkPerSecond = 2.5e8;
  return work / (kWorkPerSecond * threads);
}

std::uint64_t family_memory(const Workload& work, const Sample& sample,
                            const AlignSettings& settings, int threads, FamilyOutput output) {
  constexpr double kMostLists = 1024 * kMebibyte;  // the limit of the host's consistency transform
  const double stored = stored_bytes(work, sample.cells_per_row);
  const auto n = static_cast<double>(work.backbone);
  const double sets = stored_sets(work, settings, output);
  const double lists =
      sets > 1 ? std::min(2.5 * stored * intermediates_of(work, settings) / n, kMostLists) : 0;
  const double kept =
      sets > 1 ? ConsistencyRequest::kept_bytes(work.rows * sample.cells_per_row) : 0;
  // Bytes of a residue: letters, codes, columns, confidence, and copies of these for writing. A
  // large family also has the place of each residue: with a million sequences, 34 bytes were
  // measured in all. A residue outside a core takes fewer: 7 bytes, with 100,000 sequences.
  const double row_bytes = (output == FamilyOutput::core     ? 9
                            : work.backbone < work.sequences ? 48
                                                             : 24) *
                           static_cast<double>(work.alignments);
  const double placed =
      output == FamilyOutput::core ? 0 : kCellBytes * work.placed_rows * (sample.cells_per_row + 1);
  if (is_aligned(output) && settings.is_local()) {
    // Bytes of a row of a pair: its importance, and before that its segments. Posteriors are needed
    // for the confidence only.
    constexpr double kOfRow = 12;
    return static_cast<std::uint64_t>(
        kOfRow * work.rows + (settings.confidence ? stored : 0) + placed +
        threads * std::max(work.local_task_bytes, settings.confidence ? work.task_bytes : 0) +
        distance_bytes(output) * n * n + row_bytes * static_cast<double>(work.residues));
  }
  const double superposed = is_aligned(output) && settings.superposes ? work.superposed_bytes : 0;
  const double folded = is_aligned(output) && settings.folds ? work.folded_bytes : 0;
  return static_cast<std::uint64_t>(stored * sets + lists + kept + placed +
                                    threads * std::max({work.task_bytes, superposed, folded}) +
                                    folded / 2 + distance_bytes(output) * n * n +
                                    row_bytes * static_cast<double>(work.residues));
}

std::size_t program_memory(int threads) {
  constexpr double kProgram = 16 * kMebibyte, kThread = 8 * kMebibyte;
  return static_cast<std::size_t>(kProgram + kThread * threads);
}

std::uint64_t estimate_memory(const Workload& work, const Sample& sample,
                              const AlignSettings& settings, int threads, FamilyOutput output) {
  // A task of posteriors is a sequence with others: in a small family, some threads get none.
  const std::size_t tasks = std::max<std::size_t>(1, work.sequences - 1);
  const int working = static_cast<int>(std::min<std::size_t>(threads, tasks));
  return program_memory(working) + family_memory(work, sample, settings, working, output);
}

namespace {

/// expected_stages() in the local modes.
std::vector<ExpectedStage> local_stages(const Workload& work, const Sample& sample,
                                        const AlignSettings& settings, int threads) {
  // All in lane cells, as in estimate_seconds().
  constexpr double kPairCells = 0.15;   // a cell of a pair
  constexpr double kGroupCells = 1.5;   // a cell of two groups, which have more columns
  constexpr double kPlacedCells = 1.5;  // of each, in a large family
  const auto backbone = static_cast<double>(work.backbone);
  const double length = static_cast<double>(work.residues) /
                        static_cast<double>(std::max<std::size_t>(work.sequences, 1));
  const double pass = kGroupCells * backbone * length * length;
  const double rate = threads * sample.lane_cells_per_second;
  std::vector<ExpectedStage> stages = {{"local pairs", kPairCells * work.lane_cells / rate, true},
                                       {"align", pass / rate},
                                       {"refine", 2.0 * settings.local_rounds * pass / rate}};
  if (settings.confidence) stages.push_back({"confidence", work.lane_cells / rate, true});
  if (work.placed_lane_cells > 0) {
    stages.push_back({"place", kPlacedCells * work.placed_lane_cells / rate, true});
  }
  return stages;
}

}  // namespace

std::vector<ExpectedStage> expected_stages(const Workload& work, const Sample& sample,
                                           const AlignSettings& settings, int threads) {
  // All in lane cells; the sample has the time of a lane cell on this machine.
  constexpr double kTermCells = 0.6;  // a kept cell with an intermediate, in the transform
  constexpr double kSplitCells = 0.3, kResidueCells = 60;  // of each, in an iteration of refinement
  constexpr double kPlacedCells = 0.6, kWordCells = 0.5;   // of each, in a large family
  constexpr double kSuperposedCells = 60;                  // a cell of two structures
  constexpr double kFoldedCells = 1;                       // of the cube of a length, folded twice
  if (settings.is_local()) return local_stages(work, sample, settings, threads);
  const Parameters& parameters = settings.parameters;
  const double kept = work.rows * sample.cells_per_row;
  const double terms = work.repeats * intermediates_of(work, settings) * kept;  // of a round
  const double iteration =
      work.repeats *
      (kSplitCells * kept + kResidueCells * static_cast<double>(work.residues) *
                                static_cast<double>(work.backbone) /
                                static_cast<double>(std::max<std::size_t>(work.sequences, 1)));
  const double posteriors = std::max(work.lane_cells / threads, work.task_lane_cells);
  const double rate = threads * sample.lane_cells_per_second;
  std::vector<ExpectedStage> stages = {
      {"posteriors", posteriors / sample.lane_cells_per_second, true}};
  if (settings.superposes && work.superposed_cells > 0) {
    stages.push_back({"superposition", kSuperposedCells * work.superposed_cells / rate});
  }
  // The rounds of a family that is not very large are one stage.
  const int rounds = parameters.consistency.rounds_for(work.backbone);
  const int parts = ConsistencyRequest::is_large(kept) ? rounds : std::min(rounds, 1);
  for (int part = 0; part < parts; ++part) {
    stages.push_back({"consistency", rounds * kTermCells * terms / rate / parts, true});
  }
  stages.push_back({"refine", parameters.refine_iterations * iteration / rate});
  if (work.common_words > 0) stages.push_back({"nearest", kWordCells * work.common_words / rate});
  if (work.placed_lane_cells > 0) {
    stages.push_back({"place", kPlacedCells * work.placed_lane_cells / rate, true});
  }
  if (settings.folds && work.folded_cubes > 0) {  // and aligned once more
    const std::vector<ExpectedStage> again = stages;
    stages.push_back({"fold", kFoldedCells * work.folded_cubes / rate});
    stages.insert(stages.end(), again.begin(), again.end());
  }
  return stages;
}

double estimate_seconds(const Workload& work, const Sample& sample, const AlignSettings& settings,
                        int threads) {
  double seconds = 0;
  for (const ExpectedStage& stage : expected_stages(work, sample, settings, threads)) {
    seconds += stage.seconds;
  }
  return seconds;
}

double estimate_seconds(const PreparedFamily& family, int threads) {
  return estimate_seconds(workload_of(family), Sample(), family.settings, threads);
}

void check_memory(const SequenceSet& set, const AlignSettings& settings, const FamilyPlan& plan,
                  int threads, std::optional<std::size_t> budget, FamilyOutput output,
                  std::size_t alignments) {
  if (!budget) return;
  Workload work = workload_of(set, plan, settings.large_effort);
  work.alignments = alignments;
  Sample sample = worst_case();
  if (estimate_memory(work, sample, settings, threads, output) <= *budget) return;
  if (stored_sets(work, settings, output) > 0 && !settings.is_local())
    sample = sample_family(set, settings);
  std::string fits = alignments > 1 ? "fewer {replicates} need less; " : "";
  if (output == FamilyOutput::alignment && work.backbone == work.sequences) {
    fits += backbone_that_fits(set, sample, settings, threads, *budget, alignments);
  }
  check_memory(work, sample, settings, threads, budget, output, fits);
}

void check_memory(const PreparedFamily& family, int threads, std::optional<std::size_t> budget,
                  FamilyOutput output, std::size_t alignments) {
  check_memory(family.set(), family.settings, family.plan, threads, budget, output, alignments);
}

void check_memory(const Workload& work, const Sample& sample, const AlignSettings& settings,
                  int threads, std::optional<std::size_t> budget, FamilyOutput output,
                  std::string fits) {
  if (!budget) return;
  const std::uint64_t need = estimate_memory(work, sample, settings, threads, output);
  if (need <= *budget) return;
  AlignSettings lighter = settings;
  lighter.parameters.consistency.set_rounds(0);
  const std::uint64_t least = estimate_memory(work, sample, lighter, 1, output);
  if (least <= *budget) {
    const bool has_rounds = is_aligned(output) && !settings.is_local();
    fits += (has_rounds ? "{consistency=0} with {threads=1} needs " : "{threads=1} needs ") +
            format_bytes(static_cast<double>(least)) + "; ";
  }
  const std::size_t fewer = sequences_that_fit(work, sample, settings, threads, *budget, output);
  if (fewer >= 2) fits += "about " + counted(fewer, "such sequence") + " fit; ";
  throw Error(ErrorKind::out_of_memory,
              "OutOfMemory: " + counted(work.sequences, "sequence") + ", mean length " +
                  std::to_string(work.residues / std::max<std::size_t>(work.sequences, 1)) +
                  ", need about " + format_bytes(static_cast<double>(need)) + "; the limit is " +
                  format_bytes(static_cast<double>(*budget)),
              fits.empty() ? "raise {memory}" : fits + "or raise {memory}");
}

}  // namespace accord
