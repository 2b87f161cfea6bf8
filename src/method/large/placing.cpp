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
#include "method/family_posteriors.hpp"
#include "method/family_size.hpp"
#include "stages/posteriors/expected_accuracy.hpp"

namespace accord {
namespace {

constexpr std::uint32_t kOne = ACCORD_UNITS_OF_ONE;

/// For each pair, by number, the expected_accuracy() that its posteriors had; no value if they had
/// none.
using Accuracies = std::vector<std::optional<std::uint64_t>>;

/// The distance of a pair.
float distance_of(const PosteriorSet& posteriors, const Accuracies& known, std::uint32_t x,
                  std::uint32_t y) {
  const std::size_t number = posteriors.pairs().number(x, y);
  const SparseMatrix& matrix = posteriors[number];
  return known[number] ? expected_accuracy_distance(matrix, *known[number])
                       : expected_accuracy_distance(matrix);
}

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
/// that remote members count only where no near member has a residue.
std::uint32_t weight_at(float distance) {
  const float accuracy = 1.0f - distance;
  const float square = accuracy * accuracy;
  return 1 + static_cast<std::uint32_t>(1000.0f * (square * square));
}

/// The score of a path, as a share of its score if all pairs were certain.
float accuracy_of(std::uint64_t score, std::uint32_t length, std::span<const std::uint32_t> members,
                  std::span<const std::uint32_t> weights) {
  double most = 0;
  for (const std::uint32_t m : members) most += weights[m];
  most *= static_cast<double>(kOne) * length;
  return most > 0 ? static_cast<float>(static_cast<double>(score) / most) : 1.0f;
}

/// For each residue (column of the path's X), the column of Y that it is aligned with, or
/// kInserted.
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

/// Places sequences in one part. An argument `members` limits the number of nearest members of a
/// sequence that are used.
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

  /// The number of cells of the posteriors of a sequence.
  std::uint64_t cells(std::size_t k, std::size_t members) const {
    std::uint64_t residues = 0;
    for (const std::uint32_t place : nearest_of(k, members)) {
      residues += set_.length(part_.members[place]);
    }
    return residues * set_.length(sequences_[k]);
  }

  /// The number of sequences, from the first of `ks` on, that are placed together.
  std::size_t block_size(std::span<const std::size_t> ks, std::size_t members) const {
    std::size_t size = 0;
    for (std::uint64_t sum = 0; size < ks.size() && sum < kPlacedRows; ++size) {
      sum += rows(ks[size], members);
    }
    return size;
  }

  PairSet pairs(std::span<const std::size_t> ks, std::size_t members) const {
    std::vector<PairIndex> pairs;
    for (const std::size_t k : ks) {
      for (const std::uint32_t place : nearest_of(k, members)) {
        const auto [x, y] = std::minmax(part_.members[place], sequences_[k]);
        pairs.push_back({x, y});
      }
    }
    return PairSet::listed(set_.size(), std::move(pairs));
  }

  /// Working memory of a thread.
  struct Scratch {
    ScoreScratch sums;
    std::vector<std::uint32_t> weights;  // [sequence]; set for the members only
  };

  /// Places sequence k with `count` members. Other threads may place others at the same time.
  PlacedSequence place(std::size_t k, std::size_t count, const PosteriorSet& posteriors,
                       const Accuracies& known, Scratch& scratch) {
    const std::uint32_t x = sequences_[k];
    const std::span<const std::uint32_t> nearest = nearest_of(k, count);
    std::vector<std::uint32_t> members;
    for (const std::uint32_t place : nearest) members.push_back(part_.members[place]);
    PlacedSequence placed;
    scratch.weights.resize(set_.size(), 1);
    weigh_members(x, nearest, posteriors, known, placed, scratch.weights);
    column_of_[x].resize(set_.length(x));
    std::iota(column_of_[x].begin(), column_of_[x].end(), 0u);
    const ProfileScores scores =
        profile_scores({std::span(&x, 1), set_.length(x)}, {members, part_.msa.columns}, column_of_,
                       posteriors, scratch.weights, std::span(&scratch.sums, 1));
    column_of_[x] = {};
    const ProfilePath path = best_path(scores);
    placed.column = columns_of(path);
    placed.accuracy = accuracy_of(path.score, set_.length(x), members, scratch.weights);
    if (options_.with_residues)
      placed.residues = residues_of(x, nearest, posteriors, placed.column);
    return placed;
  }

 private:
  std::span<const std::uint32_t> nearest_of(std::size_t k, std::size_t members) const {
    const std::span<const std::uint32_t> all = nearest_.of(k);
    return all.first(std::min(members, all.size()));
  }

  /// The number of rows of the posteriors of a sequence.
  std::uint64_t rows(std::size_t k, std::size_t members) const {
    std::uint64_t rows = 0;
    for (const std::uint32_t place : nearest_of(k, members)) {
      rows += std::max(set_.length(sequences_[k]), set_.length(part_.members[place]));
    }
    return rows;
  }

  /// Finds the nearest member of a sequence, and sets the weights of its members.
  void weigh_members(std::uint32_t sequence, std::span<const std::uint32_t> nearest,
                     const PosteriorSet& posteriors, const Accuracies& known,
                     PlacedSequence& placed, std::vector<std::uint32_t>& weights) const {
    bool is_first = true;
    for (const std::uint32_t place : nearest) {
      const auto [x, y] = std::minmax(part_.members[place], sequence);
      const float distance = distance_of(posteriors, known, x, y);
      weights[part_.members[place]] = weight_at(distance);
      if (!is_first && !(distance < placed.distance)) continue;
      is_first = false;
      placed.nearest = place;
      placed.distance = distance;
    }
  }

  std::vector<PlacedResidue> residues_of(std::uint32_t sequence,
                                         std::span<const std::uint32_t> nearest,
                                         const PosteriorSet& posteriors,
                                         std::span<const std::uint32_t> column) const {
    std::vector<PlacedResidue> residues(column.size());
    for (const std::uint32_t place : nearest) {
      const std::uint32_t member = part_.members[place];
      const std::vector<std::uint32_t>& others = column_of_[member];
      std::vector<std::uint32_t> aligned(column.size(), 0);
      for_each_cell(posteriors, sequence, member,
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
  std::vector<std::vector<std::uint32_t>> column_of_;  // of members and the placed sequence
};

/// Reports computed cells to the progress of a stage; each cell counts as `work` cells.
class CellProgress : public ProgressListener {
 public:
  CellProgress(ProgressListener& stage, double work) : stage_(stage), work_(work) {}
  void begin(const std::string&, const std::string&, std::uint64_t, std::uint64_t) override {}
  void advance(std::uint64_t, std::uint64_t cells) override {
    stage_.advance(0, static_cast<std::uint64_t>(work_ * static_cast<double>(cells)));
  }

 private:
  ProgressListener& stage_;
  const double work_;
};

/// Places all sequences, in blocks that fit into memory.
class Blocks {
 public:
  Blocks(const PosteriorFamily& family, Placing& placing, std::size_t members,
         std::size_t sequences, float sure_accuracy, Scheduler& scheduler,
         ProgressListener* progress)
      : family_(family),
        placing_(placing),
        members_(members),
        sure_accuracy_(sure_accuracy),
        scheduler_(scheduler),
        progress_(progress),
        placed_(sequences) {}

  /// Places all sequences: each block with `first` members, then its unsure sequences with all
  /// members.
  std::vector<PlacedSequence> place_all(std::size_t first) {
    std::vector<std::size_t> ks(placed_.size());
    std::iota(ks.begin(), ks.end(), std::size_t{0});
    if (progress_ != nullptr) progress_->begin("place", "sequences", ks.size(), cells(ks, first));
    // The progress was announced as the cells of the first step. A block reports as many cells as
    // its first step has, divided between both steps. The share of the second step is estimated
    // from the blocks before, or, for the first block, from usual families.
    constexpr double kUsual = 0.8;
    double computed = 0, later = 0;
    for (std::span<const std::size_t> left = ks; !left.empty();) {
      const auto block = left.first(placing_.block_size(left, first));
      const double expected = first == members_ ? 0 : computed > 0 ? later / computed : kUsual;
      PosteriorSet posteriors(placing_.pairs(block, first));
      place(block, first, posteriors.pairs(), posteriors, 1 / (1 + expected));
      const auto of_block = static_cast<double>(cells(block, first));
      computed += of_block;
      later += place_unsure(block, first, posteriors, of_block * expected / (1 + expected));
      left = left.subspan(block.size());
    }
    return std::move(placed_);
  }

 private:
  std::uint64_t cells(std::span<const std::size_t> ks, std::size_t members) const {
    std::uint64_t sum = 0;
    for (const std::size_t k : ks) sum += placing_.cells(k, members);
    return sum;
  }

  /// Places the unsure sequences of a block with all members, and reports `work` cells of progress
  /// in total. Returns the number of computed cells.
  double place_unsure(std::span<const std::size_t> block, std::size_t first, PosteriorSet& known,
                      double work) {
    std::vector<std::size_t> unsure;
    std::ranges::copy_if(block, std::back_inserter(unsure),
                         [&](std::size_t k) { return !is_final(k, first); });
    const auto more = static_cast<double>(cells(unsure, members_) - cells(unsure, first));
    if (progress_ != nullptr && more == 0) progress_->advance(0, static_cast<std::uint64_t>(work));
    for (std::span<const std::size_t> left = unsure; !left.empty();) {
      const auto part = left.first(placing_.block_size(left, members_));
      PosteriorSet posteriors(placing_.pairs(part, members_));
      std::vector<PairIndex> others;
      for (std::size_t p = 0; p < posteriors.pairs().size(); ++p) {
        const PairIndex pair = posteriors.pairs()[p];
        const std::optional<std::size_t> number = known.pairs().find(pair.x, pair.y);
        if (number) {
          posteriors[p] = std::move(known[*number]);
        } else {
          others.push_back(pair);
        }
      }
      place(part, members_, PairSet::listed(posteriors.sequences(), std::move(others)), posteriors,
            more > 0 ? work / more : 0);
      left = left.subspan(part.size());
    }
    return more;
  }

  /// Computes the `wanted` pairs of `posteriors`, then places some sequences. Each computed cell is
  /// reported as `work` cells.
  void place(std::span<const std::size_t> ks, std::size_t members, const PairSet& wanted,
             PosteriorSet& posteriors, double work) {
    std::optional<CellProgress> of_cells;
    if (progress_ != nullptr) of_cells.emplace(*progress_, work);
    Accuracies known(posteriors.pairs().size());
    const PosteriorSink keep = [&](std::uint32_t x, std::uint32_t y, PairPosterior pair) {
      const std::size_t number = posteriors.pairs().number(x, y);
      known[number] = pair.accuracy;
      posteriors[number] = std::move(pair.matrix);
    };
    for_each_posterior(family_, wanted, scheduler_, keep, of_cells ? &*of_cells : nullptr);
    // The number of threads may change between blocks.
    scratch_.resize(std::max(scratch_.size(), static_cast<std::size_t>(thread_count())));
    parallel_for(ks.size(), [&](std::size_t d, int thread) {
      placed_[ks[d]] = placing_.place(ks[d], members, posteriors, known,
                                      scratch_[static_cast<std::size_t>(thread)]);
      if (progress_ != nullptr && is_final(ks[d], members)) progress_->advance(1, 0);
    });
    rebalance_cpus();
  }

  /// Whether sequence k, placed with `members` members, keeps its place.
  bool is_final(std::size_t k, std::size_t members) const {
    return members == members_ || !(placed_[k].accuracy < sure_accuracy_);
  }

  const PosteriorFamily& family_;
  Placing& placing_;
  const std::size_t members_;
  const float sure_accuracy_;
  Scheduler& scheduler_;
  ProgressListener* progress_;
  std::vector<Placing::Scratch> scratch_;
  std::vector<PlacedSequence> placed_;
};

}  // namespace

std::vector<PlacedSequence> place_sequences(const PosteriorFamily& family, const AlignedPart& part,
                                            std::span<const std::uint32_t> sequences,
                                            const NearestMembers& nearest,
                                            const PlacingOptions& options, Scheduler& scheduler,
                                            ProgressListener* progress) {
  Placing placing(family.set, part, sequences, nearest, options);
  const std::size_t members = nearest.most();
  Blocks blocks(family, placing, members, sequences.size(), options.sure_accuracy, scheduler,
                progress);
  return blocks.place_all(options.first_members > 0 ? std::min(options.first_members, members)
                                                    : members);
}

}  // namespace accord
