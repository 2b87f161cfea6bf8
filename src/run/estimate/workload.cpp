// SPDX-License-Identifier: Apache-2.0
#include "run/estimate/workload.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>
#include <vector>

#include "base/parallel.hpp"
#include "engine/host/host_backend.hpp"
#include "io/files/packing.hpp"
#include "io/formats/formats.hpp"
#include "local_pairs/local_layout.h"
#include "method/family_size.hpp"
#include "method/folding/base_pair_track.hpp"
#include "method/large/add_sequences.hpp"
#include "method/large/alike_genomes.hpp"
#include "method/large/placing.hpp"
#include "method/large/subsets.hpp"
#include "method/pieces.hpp"
#include "method/structures/structure_posterior.hpp"
#include "stages/posteriors/posterior_plan.hpp"

namespace accord {
namespace {

constexpr double kIdleLanes = 1.5;  // lane cells for each cell, for pairs in many small blocks

TaskLimits host_limits() { return host::task_limits(HostBackend().processor()); }

/// Working memory of a thread in the local modes: of a task of local alignments of sequences of
/// this length, or of the trace and the columns of two groups.
double local_task_bytes(std::uint32_t longest) {
  constexpr std::uint32_t kLanes = 16;
  constexpr double kGroups = 1 << 24, kOfColumn = 1200;
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

/// The cells of pieces as a share of the cells of whole pairs: the mean over some of the pairs,
/// spread over all. There must be at least one pair.
double mean_share_in_pieces(const SequenceSet& set, const PairSet& pairs) {
  constexpr std::size_t kLookedAt = 16;
  const std::size_t looked_at = std::min(pairs.size(), kLookedAt);
  std::vector<double> shares(looked_at);
  parallel_for(looked_at, [&](std::size_t k, int) {
    shares[k] = share_in_pieces(set, pairs[k * pairs.size() / looked_at]);
  });
  return std::accumulate(shares.begin(), shares.end(), 0.0) / static_cast<double>(looked_at);
}

/// Subtracts the cells that long nucleotide sequences save by pieces. The memory stays that of
/// whole pairs, since cuts may not hold.
void count_pieces(const SequenceSet& set, Workload& work) {
  const std::size_t count = long_sequences(set);
  if (count < 2) return;
  const PairSet long_pairs = PairSet::all(count);
  const double share = mean_share_in_pieces(set, long_pairs);
  std::vector<std::uint32_t> lengths = set.lengths();
  lengths.resize(count);
  const PairWork in_pieces = work_of_pairs(lengths, long_pairs, host_limits());
  work.cells -= (1 - share) * in_pieces.cells;
  work.lane_cells -= (1 - share) * in_pieces.task_cells;
  work.task_lane_cells *= share;
}

/// Counts the superposition of the pairs of a family, or of a backbone of it, whose structures are
/// spread as in the family.
void count_structures(const SequenceSet& set, std::size_t backbone, Workload& work) {
  double sum = 0, squares = 0;
  std::size_t longest[2] = {};  // the lengths fall
  for (std::size_t x = 0, found = 0; x < set.size(); ++x) {
    if (set.trace(x).empty()) continue;
    const std::size_t length = set.length(x);
    sum += static_cast<double>(length);
    squares += static_cast<double>(length) * static_cast<double>(length);
    if (found < 2) longest[found++] = length;
  }
  const double share =
      static_cast<double>(backbone) / static_cast<double>(std::max<std::size_t>(set.size(), 1));
  work.superposed_cells = share * share * (sum * sum - squares) / 2;
  work.superposed_bytes = kSuperposedCellBytes * static_cast<double>(std::min(
                                                     longest[0] * longest[1], kMostStructureCells));
}

/// Counts the folding of the sequences of a family of RNA.
void count_folding(const SequenceSet& set, Workload& work) {
  constexpr double kBytes = 64;  // of a pair of bases, see base_pair_probabilities()
  if (set.type() != ResidueType::rna || set.size() < 2 || set.length(0) > kLongestFolded) return;
  for (const std::uint32_t length : set.lengths()) work.folded_cubes += std::pow(length, 3);
  work.folded_bytes = kBytes * std::pow(set.length(0), 2);
}

/// `count` of the values, spread over all.
std::vector<std::uint32_t> spread_over(const std::vector<std::uint32_t>& values,
                                       std::size_t count) {
  std::vector<std::uint32_t> some;
  for (std::size_t k = 0; k < count; ++k) some.push_back(values[k * values.size() / count]);
  return some;
}

/// The mean number of pairs of a placed sequence: the first of its nearest members, and, for one
/// sequence in five, all of them.
double usual_nearest(const std::vector<std::uint32_t>& lengths, std::size_t members,
                     const LargeEffort& effort) {
  const auto most =
      static_cast<double>(nearest_count(lengths, std::min(effort.most_members, members)));
  const double first = std::min(static_cast<double>(effort.first_members), most);
  return first + 0.2 * (most - first);
}

/// Adds the work of placing the other sequences, each with `nearest` members of its length.
void add_placing(const std::vector<std::uint32_t>& lengths,
                 const std::vector<std::uint32_t>& backbone_lengths, double nearest,
                 Workload& work) {
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
  // The rows of the first members, and as many rows for sequences that are placed again.
  work.placed_rows = std::min(rows, 2.0 * static_cast<double>(kPlacedRows));
}

/// The work of a backbone, with or without its pairs, and of placing each other sequence with
/// `nearest` members.
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

/// The pairs of some of the placed genomes, spread over all, with members of the backbone.
PairSet pairs_of_placed(const SequenceSet& set, std::span<const std::uint32_t> backbone) {
  constexpr std::size_t kLookedAt = 16;
  std::vector<std::uint32_t> others;
  for (const std::uint32_t x : distinct_sequences(set)) {
    if (!std::ranges::binary_search(backbone, x)) others.push_back(x);
  }
  const std::vector<std::uint32_t> some = spread_over(others, std::min(others.size(), kLookedAt));
  const NearestGenomes found = nearest_genomes(set, some, backbone);
  std::vector<PairIndex> pairs;
  for (std::size_t k = 0; k < found.which.size(); ++k) {
    for (const std::uint32_t place : found.nearest.of(k)) {
      const auto [x, y] = std::minmax(some[found.which[k]], backbone[place]);
      pairs.push_back({x, y});
    }
  }
  return PairSet::listed(set.size(), std::move(pairs));
}

/// The work of a family of genomes, whose pairs are computed in pieces, without common
/// subsequences.
Workload work_of_genomes(const SequenceSet& set, std::span<const std::uint32_t> backbone) {
  Workload work =
      backbone_and_others(set, backbone.size(), true, static_cast<double>(kGenomesNearest));
  work.common_words = 0;
  const double of_backbone =
      mean_share_in_pieces(set, PairSet::within(set.size(), {backbone.begin(), backbone.end()}));
  const double of_placed = mean_share_in_pieces(set, pairs_of_placed(set, backbone));
  const double placed_cells = work.placed_lane_cells / kIdleLanes;
  work.cells = of_backbone * (work.cells - placed_cells) + of_placed * placed_cells;
  work.lane_cells *= of_backbone;
  work.task_lane_cells *= of_backbone;
  work.placed_lane_cells *= of_placed;
  return work;
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

Workload workload_of(const SequenceSet& set, const FamilyPlan& plan, const LargeEffort& effort) {
  if (plan.genomes) return work_of_genomes(set, *plan.genomes);
  if (plan.by_subsets) return work_of_subsets(set, plan.backbone);
  Workload work = plan.is_large() ? work_of_backbone(set, plan.backbone, effort) : workload_of(set);
  count_structures(set, plan.backbone, work);
  if (!plan.is_large()) count_folding(set, work);
  return work;
}

Workload workload_of(const PreparedFamily& family) {
  return workload_of(family.set(), family.plan, family.settings.large_effort);
}

Workload work_of_backbone(const SequenceSet& set, std::size_t backbone, const LargeEffort& effort) {
  return backbone_and_others(set, backbone, true, usual_nearest(set.lengths(), backbone, effort));
}

Workload work_of_subsets(const SequenceSet& set, std::size_t most) {
  constexpr double kUsualSize = 0.65;  // of a subset, as a share of the largest
  const std::vector<std::uint32_t> lengths = set.lengths();
  const auto all = static_cast<double>(lengths.size()), largest = static_cast<double>(most);
  Workload work = work_of(spread_over(lengths, most), PairSet::all(most));
  work.sequences = lengths.size();
  work.residues = set.coded().all_codes().size();
  work.repeats = std::max(1.0, kUsualSize * all / largest);
  const double rows = static_cast<double>((most + 1) / 2);  // of each side of a join
  const double groups = std::min(all, static_cast<double>(kGroupRows));
  const double between = groups * groups / 2 + all / (kUsualSize * largest) * rows * rows;
  const double cells_of_pair =
      work.cells / static_cast<double>(std::max<std::uint64_t>(1, work.pairs));
  work.cells = work.repeats * work.cells + between * cells_of_pair;
  work.lane_cells *= work.repeats;
  work.pairs = static_cast<std::uint64_t>(work.repeats * static_cast<double>(work.pairs) + between);
  work.placed_lane_cells = kIdleLanes * between * cells_of_pair;
  const double compared = std::min(all, static_cast<double>(kTreeSequences));
  const double mean = static_cast<double>(work.residues) / all;
  work.common_words = all * compared / 2 * mean * std::ceil(mean / 64);
  return work;
}

Workload work_of_adding(const SequenceSet& set, std::size_t rows, const LargeEffort& effort) {
  // A sequence that is added to a few rows is aligned with all of them.
  const double nearest = rows > kAddingNearest ? usual_nearest(set.lengths(), rows, effort)
                                               : static_cast<double>(rows);
  return backbone_and_others(set, std::min(rows, kAddingRows), false, nearest);
}

double predicted_cells(std::span<const std::uint32_t> lengths, const MethodOptions& method) {
  AlignSettings settings;
  apply_options(method, settings);
  const auto first = static_cast<double>(settings.large_effort.first_members);
  const auto backbone = static_cast<double>(backbone_size(lengths, settings));
  const auto count = static_cast<double>(lengths.size());
  double sum = 0, squares = 0;
  for (const std::uint32_t length : lengths) {
    sum += length;
    squares += static_cast<double>(length) * length;
  }
  if (backbone >= count) return (sum * sum - squares) / 2;
  const double mean = sum / count;  // taken for the backbone, too
  return (backbone * (backbone - 1) / 2 + std::min(first, backbone) * (count - backbone)) * mean *
         mean;
}

double file_letters(const std::string& file, std::uintmax_t bytes) {
  constexpr double kPacked = 3;     // a file packs to about a third
  constexpr double kResidue = 650;  // bytes of a structure: 8 atoms, 80 bytes each
  const std::optional<AlignmentFormat> format = format_of_suffix(file);
  const double letters =
      static_cast<double>(bytes) * ((packing_of_suffix(file) != Packing::none) ? kPacked : 1);
  return format && is_structure(*format) ? letters / kResidue : letters;
}

double file_work(double letters) { return (letters + 1) * (letters + 1); }

double neighbor_joining_work(std::size_t taxa) {
  constexpr double kWorkOfPair = 120;  // 10,000 taxa take 16 threads 3.2 s
  return kWorkOfPair * static_cast<double>(taxa) * static_cast<double>(taxa);
}

}  // namespace accord
