// SPDX-License-Identifier: Apache-2.0
#include "method/large/placing.hpp"

#include <algorithm>
#include <numeric>
#include <optional>
#include <string>
#include <utility>

#include "align/profile_path.hpp"
#include "align/profile_scores.hpp"
#include "base/cpu_budget.hpp"
#include "base/parallel.hpp"
#include "core/posterior_set.hpp"
#include "method/family_size.hpp"
#include "method/pipeline.hpp"
#include "stages/posteriors/expected_accuracy.hpp"

namespace accord {
namespace {

constexpr std::uint32_t kOne = ACCORD_UNITS_OF_ONE;

/// The posteriors of some pairs, with those of their accuracies that are known already, by the
/// number of the pair.
struct Evidence {
  explicit Evidence(PairSet pairs)
      : posteriors(std::move(pairs)), accuracy(posteriors.pairs().size()) {}

  PosteriorSet posteriors;
  std::vector<std::optional<std::uint64_t>> accuracy;

  float distance(std::uint32_t x, std::uint32_t y) const {
    const std::size_t number = posteriors.pairs().number(x, y);
    const SparseMatrix& matrix = posteriors[number];
    return accuracy[number] ? expected_accuracy_distance(matrix, *accuracy[number])
                            : expected_accuracy_distance(matrix);
  }
};

/// Calls f(residue of x, residue of y, units) for the cells of the pair.
template <class F>
void for_each_cell(const PosteriorSet& posteriors, std::uint32_t x, std::uint32_t y, F&& f) {
  const bool is_row = x < y;
  const SparseMatrix& matrix = is_row ? posteriors.at(x, y) : posteriors.at(y, x);
  for (std::uint32_t i = 0; i < matrix.rows(); ++i) {
    matrix.for_each_in_row(
        i, [&](std::uint32_t j, std::uint32_t units) { f(is_row ? i : j, is_row ? j : i, units); });
  }
}

/// The weight of a member at a distance: the fourth power of the expected accuracy of its pair, so
/// that remote ones count where no near one has a say.
std::uint32_t weight_at(float distance) {
  const float accuracy = 1.0f - distance;
  const float square = accuracy * accuracy;
  return 1 + static_cast<std::uint32_t>(1000.0f * (square * square));
}

/// What the sum of a path is of the sum that there were if all were certain.
float accuracy_of(std::uint64_t score, std::uint32_t length, std::span<const std::uint32_t> members,
                  std::span<const std::uint32_t> weights) {
  double most = 0;
  for (const std::uint32_t m : members) most += weights[m];
  most *= static_cast<double>(kOne) * length;
  return most > 0 ? static_cast<float>(static_cast<double>(score) / most) : 1.0f;
}

/// For each residue of the path's X the column of Y that it is aligned with.
std::vector<std::uint32_t> columns_of(const ProfilePath& path) {
  std::vector<std::uint32_t> column_of(path.x_column.size(), kInserted);
  std::size_t column = 0;
  for (std::size_t i = 0; i < column_of.size(); ++i) {
    while (column < path.y_column.size() && path.y_column[column] < path.x_column[i]) ++column;
    if (column == path.y_column.size()) break;
    if (path.y_column[column] == path.x_column[i])
      column_of[i] = static_cast<std::uint32_t>(column);
  }
  return column_of;
}

/// The placing of sequences in one part.
class Placing {
 public:
  Placing(const SequenceSet& set, const AlignedPart& part, std::span<const std::uint32_t> sequences,
          const NearestMembers& nearest, const PlacingOptions& options)
      : set_(set),
        part_(part),
        sequences_(sequences),
        nearest_(nearest),
        options_(options),
        column_of_(set.size()) {
    for (std::size_t m = 0; m < part.members.size(); ++m) {
      column_of_[part.members[m]] = part.msa.column_of[m];
    }
  }

  /// Rows of the posteriors of a sequence.
  std::uint64_t rows(std::size_t k) const {
    std::uint64_t rows = 0;
    for (const std::uint32_t place : nearest_.of(k)) {
      rows += std::max(set_.length(sequences_[k]), set_.length(part_.members[place]));
    }
    return rows;
  }
  /// Cells of the posteriors of a sequence.
  std::uint64_t cells(std::size_t k) const {
    std::uint64_t residues = 0;
    for (const std::uint32_t place : nearest_.of(k)) residues += set_.length(part_.members[place]);
    return residues * set_.length(sequences_[k]);
  }

  /// Behind the last of the sequences from `begin` on that are placed together.
  std::size_t end_of_block(std::size_t begin) const {
    std::uint64_t sum = 0;
    while (begin < sequences_.size() && sum < kPlacedRows) sum += rows(begin++);
    return begin;
  }

  PairSet pairs(std::size_t begin, std::size_t end) const {
    std::vector<PairIndex> pairs;
    for (std::size_t k = begin; k < end; ++k) {
      for (const std::uint32_t place : nearest_.of(k)) {
        const auto [x, y] = std::minmax(part_.members[place], sequences_[k]);
        pairs.push_back({x, y});
      }
    }
    return PairSet::listed(set_.size(), std::move(pairs));
  }

  /// Working memory of a thread.
  struct Scratch {
    ScoreScratch sums;
    std::vector<std::uint32_t> weights;  // of all sequences; those of the members count
  };

  /// Places a sequence; other threads may place others meanwhile.
  PlacedSequence place(std::size_t k, const Evidence& evidence, Scratch& scratch) {
    const PosteriorSet& posteriors = evidence.posteriors;
    const std::uint32_t x = sequences_[k];
    std::vector<std::uint32_t> members;
    for (const std::uint32_t place : nearest_.of(k)) members.push_back(part_.members[place]);
    PlacedSequence placed;
    scratch.weights.resize(set_.size(), 1);
    weigh_members(k, evidence, placed, scratch.weights);
    column_of_[x].resize(set_.length(x));
    std::iota(column_of_[x].begin(), column_of_[x].end(), 0u);
    const ProfileScores scores =
        profile_scores({std::span(&x, 1), set_.length(x)}, {members, part_.msa.columns}, column_of_,
                       posteriors, scratch.weights, std::span(&scratch.sums, 1));
    column_of_[x] = {};
    const ProfilePath path = best_path(scores);
    placed.column = columns_of(path);
    placed.accuracy = accuracy_of(path.score, set_.length(x), members, scratch.weights);
    if (options_.with_residues) placed.residues = residues_of(k, posteriors, placed.column);
    return placed;
  }

 private:
  /// Finds the nearest member of a sequence, and sets the weights of its members.
  void weigh_members(std::size_t k, const Evidence& evidence, PlacedSequence& placed,
                     std::vector<std::uint32_t>& weights) const {
    bool is_first = true;
    for (const std::uint32_t place : nearest_.of(k)) {
      const auto [x, y] = std::minmax(part_.members[place], sequences_[k]);
      const float distance = evidence.distance(x, y);
      weights[part_.members[place]] = weight_at(distance);
      if (!is_first && !(distance < placed.distance)) continue;
      is_first = false;
      placed.nearest = place;
      placed.distance = distance;
    }
  }

  std::vector<PlacedResidue> residues_of(std::size_t k, const PosteriorSet& posteriors,
                                         std::span<const std::uint32_t> column) const {
    std::vector<PlacedResidue> residues(column.size());
    for (const std::uint32_t place : nearest_.of(k)) {
      const std::uint32_t member = part_.members[place];
      const std::vector<std::uint32_t>& others = column_of_[member];
      std::vector<std::uint32_t> aligned(column.size(), 0);
      for_each_cell(posteriors, sequences_[k], member,
                    [&](std::uint32_t i, std::uint32_t j, std::uint32_t units) {
                      if (column[i] == kInserted || column[i] == others[j]) aligned[i] += units;
                    });
      for (std::size_t i = 0; i < column.size(); ++i) {
        if (column[i] == kInserted) {
          residues[i].units += kOne - std::min(aligned[i], kOne);
          ++residues[i].pairs;
        } else if (std::binary_search(others.begin(), others.end(), column[i])) {
          residues[i].units += aligned[i];
          ++residues[i].pairs;
        }
      }
    }
    return residues;
  }

  const SequenceSet& set_;
  const AlignedPart& part_;
  const std::span<const std::uint32_t> sequences_;
  const NearestMembers& nearest_;
  const PlacingOptions options_;
  std::vector<std::vector<std::uint32_t>> column_of_;  // of members and of who is being placed
};

/// Tells how many cells of the posteriors of a stage are computed.
class CellProgress : public ProgressListener {
 public:
  explicit CellProgress(ProgressListener& stage) : stage_(stage) {}
  void begin(const std::string&, const std::string&, std::uint64_t, std::uint64_t) override {}
  void advance(std::uint64_t, std::uint64_t cells) override { stage_.advance(0, cells); }

 private:
  ProgressListener& stage_;
};

}  // namespace

std::vector<PlacedSequence> place_sequences(const PosteriorFamily& family, const AlignedPart& part,
                                            std::span<const std::uint32_t> sequences,
                                            const NearestMembers& nearest,
                                            const PlacingOptions& options, Scheduler& scheduler,
                                            ProgressListener* progress) {
  Placing placing(family.set, part, sequences, nearest, options);
  if (progress != nullptr) {
    std::uint64_t cells = 0;
    for (std::size_t k = 0; k < sequences.size(); ++k) cells += placing.cells(k);
    progress->begin("place", "sequences", sequences.size(), cells);
  }
  std::optional<CellProgress> of_cells;
  if (progress != nullptr) of_cells.emplace(*progress);
  std::vector<PlacedSequence> placed(sequences.size());
  std::vector<Placing::Scratch> scratch;
  for (std::size_t begin = 0; begin < sequences.size();) {
    const std::size_t end = placing.end_of_block(begin);
    Evidence evidence(placing.pairs(begin, end));
    const PairSet& pairs = evidence.posteriors.pairs();
    const MatrixSink keep = [&](std::uint32_t x, std::uint32_t y, PairPosterior pair) {
      const std::size_t number = pairs.number(x, y);
      evidence.accuracy[number] = pair.accuracy;
      evidence.posteriors[number] = std::move(pair.matrix);
    };
    for_each_posterior(family, pairs, scheduler, keep, of_cells ? &*of_cells : nullptr);
    // The CPUs of a family come and go.
    scratch.resize(std::max(scratch.size(), static_cast<std::size_t>(thread_count())));
    parallel_for(end - begin, [&](std::size_t offset, int thread) {
      const std::size_t k = begin + offset;
      placed[k] = placing.place(k, evidence, scratch[static_cast<std::size_t>(thread)]);
      if (progress != nullptr) progress->advance(1, 0);
    });
    rebalance_cpus();
    begin = end;
  }
  return placed;
}

std::vector<PlacedSequence> place_in_steps(const PosteriorFamily& family, const AlignedPart& part,
                                           std::span<const std::uint32_t> sequences,
                                           const NearestMembers& nearest,
                                           const PlacingOptions& options, Scheduler& scheduler,
                                           ProgressListener* progress) {
  std::vector<PlacedSequence> placed = place_sequences(
      family, part, sequences, nearest.first(kFirstNearest), options, scheduler, progress);
  if (nearest.each <= kFirstNearest) return placed;
  std::vector<std::size_t> unsure;
  std::vector<std::uint32_t> of_unsure;
  for (std::size_t k = 0; k < placed.size(); ++k) {
    if (!(placed[k].accuracy < kSureAccuracy)) continue;
    unsure.push_back(k);
    of_unsure.push_back(sequences[k]);
  }
  if (unsure.empty()) return placed;
  std::vector<PlacedSequence> again = place_sequences(
      family, part, of_unsure, nearest.of_some(unsure), options, scheduler, progress);
  for (std::size_t d = 0; d < unsure.size(); ++d) placed[unsure[d]] = std::move(again[d]);
  return placed;
}

}  // namespace accord
