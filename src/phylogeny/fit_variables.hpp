// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "phylogeny/fit.hpp"

namespace accord {

/// Parameters are at least this when fitted, so that they have logarithms.
inline constexpr double kLeastParameter = 1e-8;

/// The numbers that are fitted, as the optimiser sees them: roots of branch lengths, then
/// logarithms of parameters. The two branches at the root are one.
class FitVariables {
 public:
  /// The variables of all branches of the tree; with FitTarget::all, also those of the parameters
  /// that are not given. The states in later calls must have the tree and the model of `start`.
  /// The root keeps its position on its branch, as a share of the length. The object does not refer
  /// to `start` afterwards.
  FitVariables(const TreeWithModel& start, FitTarget target) : root_(start.tree.nodes() - 1) {
    left_ = start.tree.left.back();
    right_ = start.tree.right.back();
    for (std::uint32_t node = 0; node < root_; ++node) {
      if (node != right_) branches_.push_back(node);
    }
    const double at_root = start.lengths[left_] + start.lengths[right_];
    left_share_ = at_root > 0 ? start.lengths[left_] / at_root : 0.5;
    for (std::size_t k = 0; target == FitTarget::all && k < start.values.size(); ++k) {
      if (!start.model.parameters[k].is_given) parameters_.push_back(k);
    }
  }

  /// The number of variables.
  std::size_t size() const { return branches_.size() + parameters_.size(); }
  /// The fitted parameters: indices in TreeWithModel::values.
  const std::vector<std::size_t>& parameters() const { return parameters_; }

  /// The variables of a state. A length or a parameter outside its range counts as its nearest end.
  std::vector<double> of(const TreeWithModel& state) const {
    std::vector<double> x;
    for (const std::uint32_t node : branches_) {
      const double length = state.lengths[node] + (node == left_ ? state.lengths[right_] : 0);
      x.push_back(std::sqrt(std::clamp(length, kShortestBranch, kLongestBranch)));
    }
    for (const std::size_t k : parameters_) {
      const ModelParameter& range = state.model.parameters[k];
      x.push_back(std::log(std::clamp(state.values[k], least(range), range.most)));
    }
    return x;
  }

  /// Sets the lengths and the fitted parameters of a state by the variables x; all else stays.
  void put(std::span<const double> x, TreeWithModel& state) const {
    for (std::size_t k = 0; k < branches_.size(); ++k) {
      const double length = x[k] * x[k];
      if (branches_[k] == left_) {
        state.lengths[left_] = left_share_ * length;
        state.lengths[right_] = (1 - left_share_) * length;
      } else {
        state.lengths[branches_[k]] = length;
      }
    }
    for (std::size_t k = 0; k < parameters_.size(); ++k) {
      state.values[parameters_[k]] = std::exp(x[branches_.size() + k]);
    }
  }

  /// Sets `low` and `high` to the smallest and the largest value of each variable.
  void bounds(const TreeWithModel& state, std::vector<double>& low,
              std::vector<double>& high) const {
    low.assign(branches_.size(), std::sqrt(kShortestBranch));
    high.assign(branches_.size(), std::sqrt(kLongestBranch));
    for (const std::size_t k : parameters_) {
      low.push_back(std::log(least(state.model.parameters[k])));
      high.push_back(std::log(state.model.parameters[k].most));
    }
  }

  /// Converts slopes by branch lengths ([node]) to slopes by the square roots of the lengths, at
  /// the variables x, and writes these to `out`, at the places before first_parameter().
  void put_slopes(const std::vector<double>& slope, std::span<const double> x,
                  std::span<double> out) const {
    for (std::size_t k = 0; k < branches_.size(); ++k) {
      const double by_length = branches_[k] == left_
                                   ? left_share_ * slope[left_] + (1 - left_share_) * slope[right_]
                                   : slope[branches_[k]];
      out[k] = 2 * x[k] * by_length;
    }
  }
  /// The place of the first parameter among the variables.
  std::size_t first_parameter() const { return branches_.size(); }

 private:
  static double least(const ModelParameter& parameter) {
    return std::max(parameter.least, kLeastParameter);
  }

  std::uint32_t root_, left_ = 0, right_ = 0;
  double left_share_ = 0.5;
  std::vector<std::uint32_t> branches_;
  std::vector<std::size_t> parameters_;
};

}  // namespace accord
