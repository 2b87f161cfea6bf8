// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace accord {

/// One row V(i, .) of the recursion V(i, j) = max(V(i-1, j), V(i, j-1), V(i-1, j-1) + P(i, j)).
/// V(i, j) never decreases with j in [0, columns]; the row stores its steps only. V(., 0) = 0.
/// Units   those of P: units of 2^-16 (expected_accuracy), or these times weights (best_path).
/// Reference  the largest expected accuracy of an alignment: Do et al. 2005, Genome Res 15:330.
class StepRow {
 public:
  /// V(0, .) = 0.
  explicit StepRow(std::uint32_t columns)
      : value_(std::size_t{columns} + 1, 0), is_step_(columns / 64 + 1, 0) {
    set(0, 0);
  }

  /// V(i, j): the value of the last step at or before j.
  std::uint64_t at(std::uint32_t j) const {
    std::size_t word = j / 64;
    std::uint64_t bits = is_step_[word] & (~std::uint64_t{0} >> (63 - j % 64));
    while (bits == 0) bits = is_step_[--word];
    return value_[word * 64 + 63 - static_cast<std::size_t>(std::countl_zero(bits))];
  }

  /// Sets a step at j. `value` must not be below the steps before j nor above those behind j.
  void set(std::uint32_t j, std::uint64_t value) {
    value_[j] = value;
    is_step_[j / 64] |= std::uint64_t{1} << (j % 64);
  }
  /// Removes the step at j, which must not be 0.
  void clear(std::uint32_t j) { is_step_[j / 64] &= ~(std::uint64_t{1} << (j % 64)); }

  /// The largest j.
  std::uint32_t columns() const { return static_cast<std::uint32_t>(value_.size() - 1); }

 protected:
  /// First step at or after j, or columns() + 1.
  std::uint32_t next_step(std::uint32_t j) const {
    if (j > columns()) return columns() + 1;
    std::size_t word = j / 64;
    std::uint64_t bits = is_step_[word] & (~std::uint64_t{0} << (j % 64));
    while (bits == 0) {
      if (++word == is_step_.size()) return columns() + 1;
      bits = is_step_[word];
    }
    return static_cast<std::uint32_t>(word * 64 + static_cast<std::size_t>(std::countr_zero(bits)));
  }

  std::vector<std::uint64_t> value_;    ///< valid where a step is
  std::vector<std::uint64_t> is_step_;  ///< one bit per position
};

/// A row that can only rise, by raise(). It returns V(i, j) for any j without a search, because the
/// distance to the last step is unpredictable.
class RisingRow : public StepRow {
 public:
  /// V(0, .) = 0.
  explicit RisingRow(std::uint32_t columns) : StepRow(columns), before_(is_step_.size() + 1, 0) {}

  /// The same as at(j).
  std::uint64_t level(std::uint32_t j) const { return std::max(value_[j], before_[j / 64]); }

  /// Raises V(i, .) to at least `value` from j on: sets a step at j and removes the steps from j on
  /// that are not higher. `value` must not be below V(i, j). Calls removed(column, value) for each
  /// removed step.
  template <class F>
  void raise(std::uint32_t j, std::uint64_t value, F&& removed) {
    std::uint32_t next = next_step(j);
    while (next <= columns() && value_[next] <= value) {
      removed(next, value_[next]);
      clear(next);
      next = next_step(next + 1);
    }
    set(j, value);
    // Values are filled in up to the end of the word of j. Values in later words may stay too low,
    // since level() takes the maximum with before_.
    const std::uint32_t word = j / 64;
    std::fill(value_.begin() + j, value_.begin() + std::min(next, 64 * word + 64), value);
    std::fill(before_.begin() + word + 1, before_.begin() + std::max(word, next / 64) + 1, value);
  }

 private:
  std::vector<std::uint64_t> before_;  ///< V(i, .) just before each word of positions
};

}  // namespace accord
