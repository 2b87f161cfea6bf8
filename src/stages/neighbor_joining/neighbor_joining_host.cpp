// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "base/checked_size.hpp"
#include "base/parallel.hpp"
#include "stages/neighbor_joining/neighbor_joining_call.hpp"
#include "stages/neighbor_joining/neighbor_joining_host_kernels.hpp"
#include "stages/neighbor_joining/tree_of_joins.hpp"

namespace accord {
namespace {

constexpr std::uint64_t kParallelFrom = 1 << 20;  // fewer cells are looked at by one thread
constexpr std::size_t kRowsAtATime = 16;          // rows that a thread takes at a time

/// Matrices with more leaves are joined one after another, by all threads together.
constexpr std::size_t kLeavesOfThread = 1000;

/// Clusters during the joining (names as in neighbor_joining/join.h). Places without a cluster
/// stay in the triangle, where they lose by their row sum, until references are set anew.
class Clusters {
 public:
  Clusters(const DistanceMatrix& distances, const host::Kernels& kernels)
      : kernels_(kernels),
        count_(static_cast<std::uint32_t>(distances.size())),
        distance_(checked_size(accord_nj_row(count_))),
        sum_(count_),
        reference_(count_),
        low_(count_),
        partner_(count_),
        name_(count_) {
    std::iota(name_.begin(), name_.end(), 0u);
    fill_join_units(distances, distance_, sum_);
    refresh();
  }

  /// Joins the best pair.
  accord_join step() {
    const accord_nj_candidate best = best_pair();
    const accord_join join = {name_[best.i], name_[best.j], cell(best.i, best.j), sum_[best.i],
                              sum_[best.j]};
    unite(best.i, best.j);
    return join;
  }

 private:
  std::int32_t factor() const { return static_cast<std::int32_t>(count_) - 2; }
  std::uint32_t places() const { return static_cast<std::uint32_t>(name_.size()); }
  bool in_use(std::uint32_t i) const { return sum_[i] != ACCORD_NJ_GONE; }
  std::int32_t& cell(std::uint32_t i, std::uint32_t k) { return distance_[accord_nj_cell(i, k)]; }

  accord_nj_candidate best_pair() {
    find_promising();
    std::uint64_t cells = 0;
    for (const std::uint32_t i : promising_) cells += i;
    std::vector<accord_nj_candidate> best(promising_.size());
    const auto scan = [&](std::size_t k) { best[k] = scan_row(promising_[k]); };
    if (cells < kParallelFrom) {
      for (std::size_t k = 0; k < best.size(); ++k) scan(k);
    } else {
      parallel_for((best.size() + kRowsAtATime - 1) / kRowsAtATime, [&](std::size_t block, int) {
        const std::size_t first = block * kRowsAtATime;
        for (std::size_t k = first; k < std::min(best.size(), first + kRowsAtATime); ++k) scan(k);
      });
    }
    return *std::min_element(best.begin(), best.end(), accord_nj_before);
  }

  /// Finds the rows that can hold the best pair. The bound comes from the rows that the previous
  /// step looked at.
  void find_promising() {
    std::int64_t limit = ACCORD_NJ_NO_VALUE;
    for (const std::uint32_t i : promising_) {
      if (!in_use(i) || !in_use(partner_[i])) continue;
      const std::int64_t value =
          accord_nj_value(factor(), cell(i, partner_[i]), sum_[partner_[i]]) - sum_[i];
      limit = std::min(limit, value);
    }
    std::int64_t excess = ACCORD_NJ_GONE;
    for (std::uint32_t j = 0; j < places(); ++j) {
      excess = std::max(excess, accord_nj_excess(sum_[j], factor(), reference_[j]));
    }
    promising_.clear();
    for (std::uint32_t i = 1; i < places(); ++i) {
      if (in_use(i) && accord_nj_bound(factor(), low_[i], excess, sum_[i]) <= limit) {
        promising_.push_back(i);
      }
    }
  }

  /// The best pair of place i > 0 and one before it.
  accord_nj_candidate scan_row(std::uint32_t i) {
    const std::int32_t* const distance = distance_.data() + accord_nj_row(i);
    host::TriangleRow row = {distance, sum_.data(), reference_.data(), i, factor(), 0, 0};
    kernels_.neighbor_joining->scan_row(row);
    low_[i] = row.low;
    std::uint32_t j = 0;
    while (accord_nj_value(factor(), distance[j], sum_[j]) != row.least) ++j;
    partner_[i] = j;
    return {row.least - sum_[i], i, j};
  }

  /// Puts the union of the clusters in i and j, j < i, into place i.
  void unite(std::uint32_t i, std::uint32_t j) {
    const std::int32_t between = cell(i, j);
    reference_[i] = accord_nj_union_reference(sum_[i], sum_[j], between, count_);
    low_[i] = ACCORD_NJ_FARTHEST;
    sum_[j] = ACCORD_NJ_GONE;
    std::int64_t sum = 0;
    for (std::uint32_t k = 0; k < places(); ++k) {
      if (k == i || !in_use(k)) continue;
      std::int32_t& to_i = cell(k, i);
      const std::int32_t to_j = cell(k, j);
      const std::int32_t now = accord_nj_distance(to_i, to_j, between);
      sum_[k] += static_cast<std::int64_t>(now) - to_i - to_j;
      sum += now;
      to_i = now;
      if (k < i) {
        low_[i] = std::min(low_[i], now - reference_[k]);
      } else {
        low_[k] = std::min(low_[k], now - reference_[i]);
      }
    }
    sum_[i] = sum;
    --count_;
    if (accord_nj_refreshes(count_)) refresh();
  }

  /// Removes the places without a cluster, keeps the order of the others, and sets references.
  void refresh() {
    std::vector<std::uint32_t> kept;
    kept.reserve(count_);
    for (std::uint32_t from = 0; from < places(); ++from) {
      if (!in_use(from)) continue;
      const auto i = static_cast<std::uint32_t>(kept.size());
      std::int32_t* const row = distance_.data() + accord_nj_row(i);
      const std::int32_t* const old = distance_.data() + accord_nj_row(from);
      for (std::uint32_t j = 0; i != from && j < i; ++j) row[j] = old[kept[j]];
      kept.push_back(from);
      sum_[i] = sum_[from];
      name_[i] = name_[from];
      reference_[i] = accord_nj_reference(sum_[i], factor());
      low_[i] = ACCORD_NJ_LOWEST;
    }
    sum_.resize(count_);
    name_.resize(count_);
    promising_.clear();
  }

  const host::Kernels& kernels_;
  std::uint32_t count_;                 ///< clusters left
  std::vector<std::int32_t> distance_;  ///< triangle of the places
  std::vector<std::int64_t> sum_;       ///< R_i; ACCORD_NJ_GONE for a place without a cluster
  std::vector<std::int32_t> reference_;
  std::vector<std::int32_t> low_;
  std::vector<std::uint32_t> partner_;    ///< of the best pair when the row was last looked at
  std::vector<std::uint32_t> name_;       ///< the first number of a place
  std::vector<std::uint32_t> promising_;  ///< rows that the last step looked at
};

}  // namespace

GuideTree neighbor_joining(const DistanceMatrix& distances, const host::Kernels& kernels) {
  const auto leaves = static_cast<std::uint32_t>(distances.size());
  std::vector<accord_join> joins;
  if (leaves >= 2) {
    Clusters clusters(distances, kernels);
    joins.resize(accord_nj_steps(leaves));
    for (accord_join& join : joins) join = clusters.step();
  }
  return tree_of_joins(leaves, joins);
}

namespace host {

void compute(const Processor& processor, const NeighborJoiningCall& call) {
  std::vector<std::size_t> small;
  for (std::size_t k = 0; k < call.matrices.size(); ++k) {
    if (call.matrices[k]->size() <= kLeavesOfThread) {
      small.push_back(k);
    } else {
      call.trees[k] = neighbor_joining(*call.matrices[k], *processor.wide);
    }
  }
  parallel_for(small.size(), [&](std::size_t index, int) {
    const std::size_t k = small[index];
    call.trees[k] = neighbor_joining(*call.matrices[k], *processor.wide);
  });
}

}  // namespace host
}  // namespace accord
