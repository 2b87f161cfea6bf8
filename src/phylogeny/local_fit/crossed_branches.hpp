// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "phylogeny/local_fit/local_fit.hpp"
#include "phylogeny/local_fit/partial_tree.hpp"

namespace accord::host {

/// The messages of a tree over its branches, computed once for all subtrees that are tried in other
/// places. A message has the likelihoods of the nodes behind a branch, for each state at the near
/// end of the branch or at its middle.
class CrossedBranches {
 public:
  /// Computes all messages, on thread_count() threads. `tree`, the tree of `task` after
  /// fill_above(), must outlive this object and keep its lengths.
  CrossedBranches(const PartialArithmetic& arithmetic, const PartialTree& tree,
                  const LocalFitTask& task);

  /// The message of `node` and all nodes behind it over the whole branch to `from`. `from` is a
  /// neighbour of `node` and an inner node.
  const Partials& whole(std::uint32_t from, std::uint32_t node) const {
    return whole_[side(from, node)];
  }
  /// The same message at the middle of the branch.
  const Partials& half(std::uint32_t from, std::uint32_t node) const {
    return half_[side(from, node)];
  }
  /// The transition matrices of the branch between a and b, one for each category of rates, in
  /// columns; and those of half of the branch.
  const std::vector<double>& transitions(std::uint32_t a, std::uint32_t b) const {
    return transitions_[tree_.branch_between(a, b)];
  }
  const std::vector<double>& half_transitions(std::uint32_t a, std::uint32_t b) const {
    return half_transitions_[tree_.branch_between(a, b)];
  }
  /// The logarithm of the likelihood of the tree: for all patterns, or for those of one block of
  /// ACCORD_PATTERN_BLOCK patterns.
  double total() const { return total_; }
  double total(std::uint32_t block) const { return totals_[block]; }

 private:
  /// The index of a message. It is nodes_ + from if `node` is above `from`, else `node`. So on the
  /// root's branch, where neither is above the other, it is `node` in both directions.
  std::size_t side(std::uint32_t from, std::uint32_t node) const {
    return tree_.is_below(from, node) ? nodes_ + from : node;
  }

  const PartialTree& tree_;
  std::size_t nodes_;
  std::vector<Partials> whole_, half_;
  std::vector<std::vector<double>> transitions_, half_transitions_;  ///< by branch
  double total_;
  std::vector<double> totals_;
};

}  // namespace accord::host
