// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <bit>
#include <tuple>
#include <utility>

#include "base/parallel.hpp"
#include "consistency/transform.h"
#include "engine/host/kernels.hpp"
#include "stages/consistency/consistency_call.hpp"
#include "stages/consistency/residue_terms.hpp"

namespace accord::host {
namespace {

/// Memory for the terms of one range of sequences. The terms of two ranges are in memory at a time.
constexpr std::size_t kRangeBytes = std::size_t{1} << 29;

/// The most successive x's and y's that form a group of pairs, the work of one thread. A group is
/// computed one strip of residues of the x's after another, so that the terms of its y's for a
/// strip stay in the caches for all x's, and for a part of the next strip.
constexpr std::uint32_t kGroupX = 8, kGroupY = 8;

/// One pair of the batch, and where its result goes.
struct ConsistencyTask {
  PairIndex pair;
  std::size_t result;
};

/// Pairs of some x's with some y's, sorted by x, then y.
using Group = std::span<const ConsistencyTask>;

/// The data that all pairs of a round share.
struct Round {
  const Kernels& kernels;
  const PosteriorSet& set;
  const ConsistencyWeights& weights;
  float cutoff;
  std::vector<std::uint32_t> offsets;  // as term_offsets()
  std::vector<float> weight_of;        // w_z of every residue of every intermediate z
  std::vector<std::uint8_t> needed;    // [sequence]: 1 if it is in a pair of the batch
};

/// A set of numbers below a limit, which are taken out in increasing order.
class NumberSet {
 public:
  void make_room(std::size_t limit) {
    if (words_.size() * kBits < limit) words_.resize((limit + kBits - 1) / kBits, 0);
  }
  void add(std::uint32_t number) { add_if(true, number); }
  /// Without a branch, since a processor cannot predict which cells are kept.
  void add_if(bool wanted, std::uint32_t number) {
    words_[number / kBits] |= std::uint64_t{wanted} << number % kBits;
  }
  /// Calls f(number) for each number; the set is empty afterwards.
  template <class F>
  void take_all(F&& f) {
    for (std::size_t w = 0; w < words_.size(); ++w) {
      for (std::uint64_t word = std::exchange(words_[w], 0); word != 0; word &= word - 1) {
        f(static_cast<std::uint32_t>(kBits * w) +
          static_cast<std::uint32_t>(std::countr_zero(word)));
      }
    }
  }

 private:
  static constexpr std::size_t kBits = 64;
  std::vector<std::uint64_t> words_;
};

/// A value for each of kConsistencyRows successive residues of x.
struct alignas(sizeof(float) * kConsistencyRows) StripValues {
  float of[kConsistencyRows];
};

/// The terms of a strip of kConsistencyRows successive residues of x, by residues of the
/// intermediates, as ConsistencyColumns::x.
class StripTable {
 public:
  /// Gives the table the number of all residues of the intermediates. It must be without terms.
  void resize(std::size_t residues) { values_.resize(residues); }
  /// Sets the terms of the residues [first, last) of an x.
  void set(const Round& round, const ResidueTerms& x, std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t i = first; i < last; ++i) {
      for (std::uint32_t t = x.begin[i]; t < x.begin[i + 1]; ++t) {
        const auto [place, value] = x.terms[t];
        const std::uint32_t residue = place / kConsistencyRows;
        values_[residue].of[i - first] =
            accord_consistency_weighted(round.weight_of[residue], value);
      }
    }
  }
  /// Removes the terms of the residues [first, last) of an x, which set() has set.
  void clear(const ResidueTerms& x, std::uint32_t first, std::uint32_t last) {
    for (std::uint32_t t = x.begin[first]; t < x.begin[last]; ++t) {
      values_[x.terms[t].place / kConsistencyRows] = StripValues{};
    }
  }
  const float* values() const { return values_.front().of; }

 private:
  std::vector<StripValues> values_;  // all 0 where no term is
};

/// The cells of kConsistencyRows successive rows of one pair by columns.
class StripCells {
 public:
  /// Computes the new units of the cells of rows [first, last) of a pair. The units of fillers stay
  /// 0.
  void transform(const Round& round, PairIndex pair, std::uint32_t first, std::uint32_t last,
                 const StripTable& x, const ResidueTerms& y, std::span<std::uint16_t> units) {
    read(round, pair, first, last, y);
    if (columns_.empty()) return;
    round.kernels.consistency->add_columns(
        {x.values(), y.begin.data(), y.terms.data(), columns_.data(),
         static_cast<std::uint32_t>(columns_.size()), sums_.front().of});
    const float inverse_total = round.weights.inverse_total(pair.x, pair.y);
    for (const Cell& cell : std::span(cells_).first(kept_)) {
      units[cell.at] = static_cast<std::uint16_t>(
          accord_consistency_finish(sums_[cell.column].of[cell.row], inverse_total, round.cutoff));
    }
    for (std::uint32_t column : columns_) sums_[column] = StripValues{};
  }

 private:
  struct Cell {
    std::uint32_t row, column, at;  // at: among the packed cells of the matrix
  };

  void read(const Round& round, PairIndex pair, std::uint32_t first, std::uint32_t last,
            const ResidueTerms& y) {
    const SparseMatrix& matrix = round.set.at(pair.x, pair.y);
    const std::span<const std::uint32_t> begin = matrix.row_begin(), packed = matrix.packed();
    if (sums_.size() < matrix.cols()) sums_.resize(matrix.cols());
    if (cells_.size() < begin[last] - begin[first]) cells_.resize(begin[last] - begin[first]);
    ranks_.make_room(matrix.cols());
    const float self = round.weights.self(pair.x, pair.y);
    kept_ = 0;
    for (std::uint32_t i = first; i < last; ++i) {
      std::uint32_t column = 0;
      for (std::uint32_t at = begin[i]; at < begin[i + 1]; ++at) {
        column += ACCORD_CELL_STEP(packed[at]);
        const std::uint32_t before = ACCORD_CELL_UNITS(packed[at]);
        // The next cell overwrites a filler, and the sum of a filler begins with 0.
        cells_[kept_] = {i - first, column, at};
        kept_ += before != 0;
        sums_[column].of[i - first] = accord_consistency_start(self, before);
        ranks_.add_if(before != 0, y.rank[column]);
      }
    }
    columns_.clear();
    ranks_.take_all([&](std::uint32_t rank) { columns_.push_back(y.order[rank]); });
  }

  std::vector<Cell> cells_;  // in the order of the matrix; the first kept_ are in use
  std::size_t kept_ = 0;
  NumberSet ranks_;                     // of the columns that have cells
  std::vector<std::uint32_t> columns_;  // that have cells, those with most terms first
  std::vector<StripValues> sums_;       // by column; all 0 where no cell is
};

/// Working memory of one thread.
struct Scratch {
  StripTable table;
  StripCells cells;
};

/// Computes all pairs of a group; `terms` by sequence.
void transform_group(const Round& round, Group group, const std::vector<ResidueTerms>& terms,
                     Scratch& scratch, const ConsistencySink& sink) {
  std::uint32_t longest = 0;
  std::vector<std::vector<std::uint16_t>> units;
  for (const ConsistencyTask& task : group) {
    const SparseMatrix& matrix = round.set.at(task.pair.x, task.pair.y);
    longest = std::max(longest, matrix.rows());
    units.emplace_back(matrix.packed().size(), 0);
  }
  scratch.table.resize(round.offsets.back());
  for (std::uint32_t first = 0; first < longest; first += kConsistencyRows) {
    for (std::size_t p = 0; p < group.size(); ++p) {
      const auto [x, y] = group[p].pair;
      const std::uint32_t last = std::min(first + kConsistencyRows, round.set.at(x, y).rows());
      if (first >= last) continue;
      if (p == 0 || group[p - 1].pair.x != x) scratch.table.set(round, terms[x], first, last);
      scratch.cells.transform(round, group[p].pair, first, last, scratch.table, terms[y], units[p]);
      if (p + 1 == group.size() || group[p + 1].pair.x != x) {
        scratch.table.clear(terms[x], first, last);
      }
    }
  }
  for (std::size_t p = 0; p < group.size(); ++p) sink(group[p].result, units[p]);
}

/// Bytes of the term lists of each sequence that is needed.
std::vector<std::size_t> term_bytes(const Round& round) {
  std::vector<std::size_t> bytes(round.set.sequences(), 0);
  for (std::uint32_t x = 0; x < bytes.size(); ++x) {
    if (!round.needed[x]) continue;
    for (std::uint32_t z : round.weights.intermediates()) {
      if (round.weights.allows_intermediate(x, z))
        bytes[x] += 8 * round.set.at(std::min(x, z), std::max(x, z)).packed().size();
    }
  }
  return bytes;
}

/// Cuts the family into ranges of successive sequences whose terms fit into kRangeBytes each;
/// returns the first sequence of each range, and the number of sequences.
std::vector<std::uint32_t> plan_ranges(const Round& round) {
  const std::vector<std::size_t> bytes = term_bytes(round);
  std::vector<std::uint32_t> first = {0};
  std::size_t range_bytes = 0;
  for (std::uint32_t x = 0; x < bytes.size(); ++x) {
    if (range_bytes + bytes[x] > kRangeBytes && x > first.back()) {
      first.push_back(x);
      range_bytes = 0;
    }
    range_bytes += bytes[x];
  }
  first.push_back(static_cast<std::uint32_t>(bytes.size()));
  return first;
}

/// Sorts pairs into groups.
std::vector<Group> make_groups(std::vector<ConsistencyTask>& tasks) {
  // Enough groups for all threads. A group has as many y's as possible, which share the table of a
  // strip of x.
  const std::size_t wanted = 8 * static_cast<std::size_t>(thread_count());
  std::uint32_t side_x = kGroupX, side_y = kGroupY;
  while (side_x * side_y > 1 && tasks.size() / (side_x * side_y) < wanted) {
    (side_x > 1 ? side_x : side_y) /= 2;
  }
  const auto place = [&](const ConsistencyTask& task) {
    return std::pair(task.pair.y / side_y, task.pair.x / side_x);
  };
  std::sort(tasks.begin(), tasks.end(), [&](const ConsistencyTask& a, const ConsistencyTask& b) {
    return std::tuple(place(a), a.pair.x, a.pair.y) < std::tuple(place(b), b.pair.x, b.pair.y);
  });
  std::vector<Group> groups;
  for (std::size_t first = 0, last = 0; first < tasks.size(); first = last) {
    while (last < tasks.size() && place(tasks[last]) == place(tasks[first])) ++last;
    groups.push_back(Group(tasks).subspan(first, last - first));
  }
  return groups;
}

/// Collects the terms of those sequences of [first, last) that are needed.
void build_terms(const Round& round, std::uint32_t first, std::uint32_t last,
                 std::vector<ResidueTerms>& terms) {
  parallel_for(last - first, [&](std::size_t k, int) {
    const auto x = first + static_cast<std::uint32_t>(k);
    if (round.needed[x]) terms[x] = ResidueTerms(round.set, round.weights, round.offsets, x);
  });
}

}  // namespace

/// Rounds of the weighted consistency transform (formula and order of the sums in
/// consistency/transform.h).
///
/// The terms of every residue are a sparse vector over the residues of all intermediates. Eight
/// successive residues of x are computed together: each term of a residue j of y is looked up among
/// the terms of the eight residues, and added to all eight sums at once.
/// Cost    for each pair, each eight residues of x and each j that has cells with them: M r vector
///         operations for M intermediates and r cells per row; memory 8 bytes for each cell of the
///         intermediates with two ranges of sequences, at most about 1 GiB at a time, and for each
///         thread 32 bytes for each residue of the intermediates.
void compute(const Processor& processor, const ConsistencyCall& call) {
  if (call.cutoffs.size() > 1) {
    return transform_in_rounds(call, [&](const ConsistencyCall& one) { compute(processor, one); });
  }
  const PosteriorSet& current = call.current;
  const ConsistencyWeights& weights = call.weights;
  const std::span<const std::uint32_t> intermediates = weights.intermediates();
  Round round{*processor.wide,
              current,
              weights,
              call.cutoffs.front(),
              term_offsets(current, intermediates),
              {},
              std::vector<std::uint8_t>(current.sequences(), 0)};
  for (std::size_t m = 0; m < intermediates.size(); ++m) {
    round.weight_of.resize(round.offsets[m + 1], weights.weights()[intermediates[m]]);
  }
  for (const auto [x, y] : call.pairs) round.needed[x] = round.needed[y] = 1;
  const std::vector<std::uint32_t> ranges = plan_ranges(round);
  std::vector<ResidueTerms> terms(current.sequences());
  std::vector<Scratch> scratch(static_cast<std::size_t>(thread_count()));
  for (std::size_t of_y = 0; of_y + 1 < ranges.size(); ++of_y) {
    build_terms(round, ranges[of_y], ranges[of_y + 1], terms);
    for (std::size_t of_x = 0; of_x <= of_y; ++of_x) {
      std::vector<ConsistencyTask> tasks;
      for (std::size_t k = 0; k < call.pairs.size(); ++k) {
        const auto [x, y] = call.pairs[k];
        const bool here =
            x >= ranges[of_x] && x < ranges[of_x + 1] && y >= ranges[of_y] && y < ranges[of_y + 1];
        if (here) tasks.push_back({call.pairs[k], k});
      }
      if (of_x < of_y) build_terms(round, ranges[of_x], ranges[of_x + 1], terms);
      const std::vector<Group> groups = make_groups(tasks);
      parallel_for(groups.size(), [&](std::size_t g, int thread) {
        transform_group(round, groups[g], terms, scratch[static_cast<std::size_t>(thread)],
                        call.sink);
      });
      for (std::uint32_t x = ranges[of_x]; x < ranges[of_x + 1]; ++x) terms[x] = {};
    }
  }
}

}  // namespace accord::host
