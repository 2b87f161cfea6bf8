// SPDX-License-Identifier: Apache-2.0
#include "app/estimate/estimate.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <vector>

#include "accord/base/error.hpp"
#include "base/cpu_budget.hpp"
#include "base/timer.hpp"
#include "engine/host/host_backend.hpp"
#include "io/files/packing.hpp"
#include "method/family_size.hpp"
#include "method/large/add_sequences.hpp"
#include "method/large/alike_genomes.hpp"
#include "method/large/placing.hpp"
#include "method/pieces.hpp"
#include "method/pipeline.hpp"
#include "stages/consistency/request.hpp"
#include "stages/posteriors/host.hpp"
#include "stages/posteriors/plan.hpp"

namespace accord {
namespace {

constexpr double kMebibyte = 1024.0 * 1024.0;
constexpr double kCellBytes = 4;  // of a posterior set, and of a row of it

/// Sequences spread over the canonical order, which is that of the lengths; of each at most so many
/// residues.
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

TaskLimits host_limits() { return host::task_limits(HostBackend().processor()); }

bool is_aligned(Purpose purpose) {
  return purpose == Purpose::alignment || purpose == Purpose::core;
}

/// Posterior sets that are in memory at the same time.
double stored_sets(const Workload& work, const AlignSettings& settings, Purpose purpose) {
  if (purpose == Purpose::confidence) return 1;
  if (!is_aligned(purpose)) return 0;
  const int rounds = settings.parameters.consistency.rounds_for(work.backbone);
  return consistency_sets(rounds, settings.confidence);
}

/// Memory of the distances of a pair and of what is made of them: 2 bytes for each of N^2, as much
/// for a tree; the text of a square has 9 bytes for each.
double distance_bytes(Purpose purpose) { return purpose == Purpose::distances ? 2 + 9 : 2 + 2; }

/// The number of sequences that the consistency transform goes through.
double intermediates_of(const Workload& work, const AlignSettings& settings) {
  const int most = settings.parameters.consistency.intermediates;
  const auto n = static_cast<double>(work.backbone);
  return most == 0 ? n : std::min<double>(most, n);
}

/// Working memory of a thread in the local modes: a task of local alignments of sequences of this
/// length, and then the trace and the columns of two groups.
double local_task_bytes(std::uint32_t longest) {
  constexpr std::uint32_t kLanes = 16;
  constexpr double kGroups = 16 * kMebibyte, kOfColumn = 1200;
  const accord_local_plan plan = accord_plan_local(longest, longest, kLanes, 8 << 20);
  const double kept = std::sqrt(static_cast<double>(longest)) * 30.0;  // rows of two groups
  return std::max(static_cast<double>(accord_local_bytes(plan, longest, kLanes)),
                  kGroups + (kOfColumn + kept) * 2 * longest);
}

Workload work_of(const std::vector<std::uint32_t>& lengths, const PairSet& wanted) {
  const TaskLimits limits = host_limits();
  const PairWork pairs = work_of_pairs(lengths, wanted, limits);
  Workload work;
  work.sequences = work.backbone = lengths.size();
  for (const std::uint32_t length : lengths) work.residues += length;
  work.pairs = wanted.size();
  work.cells = pairs.cells;
  work.lane_cells = pairs.task_cells;
  work.rows = pairs.rows;
  work.local_task_bytes = local_task_bytes(lengths.empty() ? 0 : lengths.front());
  if (const auto [x, y] = pairs.largest; x < y) {
    const std::vector<std::uint32_t> pair = {lengths[x], lengths[y]};
    const PairBlock block{1, 0, 1};
    work.task_bytes =
        static_cast<double>(plan_pair_tasks(pair, {&block, 1}, limits).front().work_bytes);
    work.task_lane_cells = work_of_pairs(pair, PairSet::all(2), limits).task_cells;
  }
  return work;
}

/// The cells of pieces as a share of those of whole pairs, as far as the first pairs of the so many
/// longest sequences show; at least two of them.
double mean_share_in_pieces(const SequenceSet& set, std::size_t sequences) {
  constexpr std::size_t kLookedAt = 3;
  const auto looked_at = static_cast<std::uint32_t>(std::min(sequences - 1, kLookedAt));
  double share = 0;
  for (std::uint32_t y = 1; y <= looked_at; ++y) share += share_in_pieces(set, {0, y}) / looked_at;
  return share;
}

/// Takes off what the pairs of long nucleotide sequences save by being computed in pieces. Memory
/// stays that of whole pairs: seams may not hold.
void count_pieces(const SequenceSet& set, Workload& work) {
  const std::size_t count = long_sequences(set);
  if (count < 2) return;
  const double share = mean_share_in_pieces(set, count);
  std::vector<std::uint32_t> lengths = set.lengths();
  lengths.resize(count);
  const PairWork in_pieces = work_of_pairs(lengths, PairSet::all(count), host_limits());
  work.cells -= (1 - share) * in_pieces.cells;
  work.lane_cells -= (1 - share) * in_pieces.task_cells;
  work.task_lane_cells *= share;
}

/// So many of the lengths, spread over all.
std::vector<std::uint32_t> spread_over(const std::vector<std::uint32_t>& lengths,
                                       std::size_t count) {
  std::vector<std::uint32_t> some;
  for (std::size_t k = 0; k < count; ++k) some.push_back(lengths[k * lengths.size() / count]);
  return some;
}

/// The pairs of a sequence beside the backbone, on average: the first of its nearest members, and
/// for one of five all of them.
double usual_nearest(const std::vector<std::uint32_t>& lengths, std::size_t members) {
  const auto most = nearest_count(lengths, std::min(kMostNearest, members));
  return static_cast<double>(std::min(kFirstNearest, most)) + 0.2 * static_cast<double>(most);
}

/// Adds the work of the sequences beside the backbone, each with `nearest` members, as if it were
/// as long as these.
void add_placing(const std::vector<std::uint32_t>& lengths,
                 const std::vector<std::uint32_t>& backbone_lengths, double nearest,
                 Workload& work) {
  constexpr double kIdleLanes = 1.5;  // of pairs that come from many small blocks
  double backbone_words = 0;
  for (const std::uint32_t length : backbone_lengths) backbone_words += (length + 63) / 64;
  const double others = static_cast<double>(lengths.size() - backbone_lengths.size()) /
                        static_cast<double>(lengths.size());
  double rows = 0, cells = 0;
  for (const double length : lengths) {
    rows += others * nearest * length;
    cells += others * nearest * length * length;
    work.common_words += others * backbone_words * length;
  }
  work.pairs += static_cast<std::uint64_t>(others * nearest * static_cast<double>(lengths.size()));
  work.cells += cells;
  work.placed_lane_cells = kIdleLanes * cells;
  // Of the first members, and as many of all members of those that are placed again.
  work.placed_rows = std::min(rows, 2.0 * static_cast<double>(kPlacedRows));
}

/// The work of a backbone, with its pairs or without, and of placing the other sequences with so
/// many members each.
Workload backbone_and_others(const SequenceSet& set, std::size_t backbone, bool with_pairs,
                             double nearest) {
  const std::vector<std::uint32_t> lengths = set.lengths();
  const std::vector<std::uint32_t> some = spread_over(lengths, std::min(backbone, lengths.size()));
  Workload work =
      work_of(some, with_pairs ? PairSet::all(some.size()) : PairSet::listed(some.size(), {}));
  work.sequences = lengths.size();
  work.residues = set.coded().all_codes().size();
  add_placing(lengths, some, nearest, work);
  return work;
}

/// The work of a family of genomes with a backbone of so many: whose pairs are computed in pieces,
/// and no common subsequences.
Workload work_of_genomes(const SequenceSet& set, std::size_t backbone) {
  Workload work = backbone_and_others(set, backbone, true, static_cast<double>(kGenomesNearest));
  work.common_words = 0;
  const double share = mean_share_in_pieces(set, set.size());
  for (double* cells :
       {&work.cells, &work.lane_cells, &work.task_lane_cells, &work.placed_lane_cells}) {
    *cells *= share;
  }
  return work;
}

/// What a backbone would need, if it fits into the budget: the beginning of a hint, or nothing.
std::string backbone_that_fits(const SequenceSet& set, const Sample& sample,
                               const AlignSettings& settings, int threads, std::size_t budget) {
  AlignSettings with_backbone = settings;
  with_backbone.large = LargeFamilies::always;
  const Workload work = workload_of(set, with_backbone);
  const std::size_t need =
      estimate_memory(work, sample, with_backbone, threads, Purpose::alignment);
  if (work.backbone == work.sequences || need > budget) return {};
  return "{large=always} needs " + format_bytes(static_cast<double>(need)) + "; ";
}

}  // namespace

Workload workload_of(const SequenceSet& set, const PairSet& wanted) {
  return work_of(set.lengths(), wanted);
}

Workload workload_of(const SequenceSet& set) {
  Workload work = workload_of(set, PairSet::all(set.size()));
  count_pieces(set, work);
  return work;
}

Workload workload_of(const SequenceSet& set, const AlignSettings& settings) {
  if (const auto genomes = genome_backbone(set, settings)) {
    return work_of_genomes(set, genomes->size());
  }
  const std::size_t backbone = backbone_size(set.lengths(), settings);
  return backbone == set.size() ? workload_of(set) : work_of_backbone(set, backbone);
}

Workload work_of_backbone(const SequenceSet& set, std::size_t backbone) {
  return backbone_and_others(set, backbone, true, usual_nearest(set.lengths(), backbone));
}

Workload work_of_adding(const SequenceSet& set, std::size_t rows) {
  // A sequence that is added to a few rows is aligned with all of them.
  const double nearest =
      rows > kAddingNearest ? usual_nearest(set.lengths(), rows) : static_cast<double>(rows);
  return backbone_and_others(set, std::min(rows, kAddingRows), false, nearest);
}

Sample worst_case() {
  Sample sample;
  sample.cells_per_row = 12;
  return sample;
}

Sample sample_family(const SequenceSet& set, const AlignSettings& settings) {
  // Enough that the vector lanes of the host are used, few enough to be quick.
  constexpr std::size_t kMostSequences = 17, kFewestSequences = 3;
  constexpr double kMostCells = 3e7, kFewestCells = 1e5;
  constexpr std::size_t kMostResidues = 1200;  // the rate of longer ones is that of these
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
  double seconds = 0;
  for (int run = 0; run < 2; ++run) {  // the first one fills the caches, and is not counted
    const double before = process_cpu_seconds();
    kept = compute_posteriors(family, PairSet::all(some.size()), scheduler).cells();
    seconds = std::max(1e-4, process_cpu_seconds() - before);
  }
  sample.cells_per_row = static_cast<double>(kept) / work.rows;
  sample.lane_cells_per_second = work.lane_cells / seconds;
  sample.is_measured = true;
  return sample;
}

double predicted_cells(std::span<const std::uint32_t> lengths, const MethodOptions& method) {
  AlignSettings settings;
  settings.large = method.large;
  settings.backbone = static_cast<std::size_t>(method.backbone);
  const auto backbone = static_cast<double>(backbone_size(lengths, settings));
  const auto count = static_cast<double>(lengths.size());
  double sum = 0, squares = 0;
  for (const std::uint32_t length : lengths) {
    sum += length;
    squares += static_cast<double>(length) * length;
  }
  if (backbone >= count) return (sum * sum - squares) / 2;
  const double mean = sum / count;  // of the backbone, too
  return (backbone * (backbone - 1) / 2 + kFirstNearest * (count - backbone)) * mean * mean;
}

double file_letters(const std::string& file, std::uintmax_t bytes) {
  constexpr double kPacked = 3;  // a file packs to about a third
  return static_cast<double>(bytes) * ((packing_of_suffix(file) != Packing::none) ? kPacked : 1);
}

double file_work(double letters) { return (letters + 1) * (letters + 1); }

double neighbor_joining_work(std::size_t taxa) {
  constexpr double kWorkOfPair = 120;  // 10,000 taxa take 16 threads 3.2 s
  return kWorkOfPair * static_cast<double>(taxa) * static_cast<double>(taxa);
}

double host_seconds(double work, int threads) {
  constexpr double kWorkPerSecond = 2.5e8;
  return work / (kWorkPerSecond * threads);
}

std::size_t family_memory(const Workload& work, const Sample& sample, const AlignSettings& settings,
                          int threads, Purpose purpose) {
  constexpr double kMostLists = 1024 * kMebibyte;  // of the host's consistency transform
  const double stored = stored_bytes(work, sample.cells_per_row);
  const auto n = static_cast<double>(work.backbone);
  const double sets = stored_sets(work, settings, purpose);
  const double lists =
      sets > 1 ? std::min(2.5 * stored * intermediates_of(work, settings) / n, kMostLists) : 0;
  const double kept =
      sets > 1 ? ConsistencyRequest::kept_bytes(work.rows * sample.cells_per_row) : 0;
  // Of a residue: letters, codes, columns, confidence, and these once more as they are written. A
  // large family also has where each residue was placed: 34 bytes in all of a million sequences.
  // Beside a core, 7 bytes of 100,000 sequences.
  const double row_bytes = purpose == Purpose::core ? 9 : work.backbone < work.sequences ? 48 : 24;
  const double placed =
      purpose == Purpose::core ? 0 : kCellBytes * work.placed_rows * (sample.cells_per_row + 1);
  if (is_aligned(purpose) && settings.is_local()) {
    // Of a row of a pair its importance, and before that the segments; then posteriors for the
    // confidence.
    constexpr double kOfRow = 12;
    return static_cast<std::size_t>(
        kOfRow * work.rows + (settings.confidence ? stored : 0) + placed +
        threads * std::max(work.local_task_bytes, settings.confidence ? work.task_bytes : 0) +
        distance_bytes(purpose) * n * n + row_bytes * static_cast<double>(work.residues));
  }
  return static_cast<std::size_t>(stored * sets + lists + kept + placed +
                                  threads * work.task_bytes + distance_bytes(purpose) * n * n +
                                  row_bytes * static_cast<double>(work.residues));
}

std::size_t program_memory(int threads) {
  constexpr double kProgram = 16 * kMebibyte, kThread = 8 * kMebibyte;
  return static_cast<std::size_t>(kProgram + kThread * threads);
}

std::size_t estimate_memory(const Workload& work, const Sample& sample,
                            const AlignSettings& settings, int threads, Purpose purpose) {
  return program_memory(threads) + family_memory(work, sample, settings, threads, purpose);
}

namespace {

/// The same in the local modes.
double local_seconds(const Workload& work, const Sample& sample, const AlignSettings& settings,
                     int threads) {
  // In lane cells, as above.
  constexpr double kPairCells = 0.15;   // a cell of a pair
  constexpr double kGroupCells = 1.5;   // a cell of two groups, which have more columns
  constexpr double kPlacedCells = 1.5;  // of each, in a large family
  const auto backbone = static_cast<double>(work.backbone);
  const double length = static_cast<double>(work.residues) /
                        static_cast<double>(std::max<std::size_t>(work.sequences, 1));
  const double groups = backbone * (1 + 2.0 * settings.local_rounds);
  const double confidence = settings.confidence ? work.lane_cells : 0;
  return (kPairCells * work.lane_cells + kGroupCells * groups * length * length + confidence +
          kPlacedCells * work.placed_lane_cells) /
         (threads * sample.lane_cells_per_second);
}

}  // namespace

double estimate_seconds(const Workload& work, const Sample& sample, const AlignSettings& settings,
                        int threads) {
  // All in lane cells, whose time the sample knows for this machine.
  constexpr double kTermCells = 0.8;  // a kept cell with an intermediate, in the transform
  constexpr double kSplitCells = 0.3, kResidueCells = 60;  // of each, in an iteration of refinement
  constexpr double kPlacedCells = 1.5, kWordCells = 0.5;   // of each, in a large family
  if (settings.is_local()) return local_seconds(work, sample, settings, threads);
  const Parameters& parameters = settings.parameters;
  const double kept = work.rows * sample.cells_per_row;
  const double terms =
      parameters.consistency.rounds_for(work.backbone) * intermediates_of(work, settings) * kept;
  const double iteration =
      kSplitCells * kept + kResidueCells * static_cast<double>(work.residues) *
                               static_cast<double>(work.backbone) /
                               static_cast<double>(std::max<std::size_t>(work.sequences, 1));
  const double posteriors = std::max(work.lane_cells / threads, work.task_lane_cells);
  const double placing = kPlacedCells * work.placed_lane_cells + kWordCells * work.common_words;
  return (posteriors +
          (kTermCells * terms + parameters.refine_iterations * iteration + placing) / threads) /
         sample.lane_cells_per_second;
}

std::string format_bytes(double bytes) {
  char text[48];
  if (bytes >= 1024 * kMebibyte) {
    std::snprintf(text, sizeof text, "%.1f GiB", bytes / (1024 * kMebibyte));
  } else {
    std::snprintf(text, sizeof text, "%.0f MiB", std::ceil(bytes / kMebibyte));
  }
  return text;
}

void check_memory(const SequenceSet& set, const AlignSettings& settings, int threads,
                  std::optional<std::size_t> budget, Purpose purpose) {
  if (!budget) return;
  const Workload work = is_aligned(purpose) ? workload_of(set, settings) : workload_of(set);
  Sample sample = worst_case();
  if (estimate_memory(work, sample, settings, threads, purpose) <= *budget) return;
  if (stored_sets(work, settings, purpose) > 0 && !settings.is_local())
    sample = sample_family(set, settings);
  std::string fits;
  if (purpose == Purpose::alignment && work.backbone == work.sequences) {
    fits = backbone_that_fits(set, sample, settings, threads, *budget);
  }
  check_memory(work, sample, settings, threads, budget, purpose, fits);
}

void check_memory(const Workload& work, const Sample& sample, const AlignSettings& settings,
                  int threads, std::optional<std::size_t> budget, Purpose purpose,
                  std::string fits) {
  if (!budget) return;
  const std::size_t need = estimate_memory(work, sample, settings, threads, purpose);
  if (need <= *budget) return;
  AlignSettings lighter = settings;
  lighter.parameters.consistency.set_rounds(0);
  const std::size_t least = estimate_memory(work, sample, lighter, 1, purpose);
  if (least <= *budget) {
    const bool has_rounds = is_aligned(purpose) && !settings.is_local();
    fits += (has_rounds ? "{consistency=0} with {threads=1} needs " : "{threads=1} needs ") +
            format_bytes(static_cast<double>(least)) + "; ";
  }
  const double share = std::sqrt(static_cast<double>(*budget) / static_cast<double>(need));
  const auto fewer = static_cast<std::size_t>(static_cast<double>(work.sequences) * share * 0.95);
  if (fewer >= 2) fits += "about " + std::to_string(fewer) + " such sequences fit; ";
  throw Error(ErrorKind::out_of_memory,
              "OutOfMemory: " + std::to_string(work.sequences) + " sequences, mean length " +
                  std::to_string(work.residues / std::max<std::size_t>(work.sequences, 1)) +
                  ", need about " + format_bytes(static_cast<double>(need)) + "; the limit is " +
                  format_bytes(static_cast<double>(*budget)),
              fits.empty() ? "raise {memory}" : fits + "or raise {memory}");
}

}  // namespace accord
