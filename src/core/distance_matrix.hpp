// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstddef>
#include <span>
#include <vector>

namespace accord {

/// Symmetric matrix of pairwise distances with a zero diagonal, stored as one triangle.
///
/// Units   1 - expected accuracy, in [0, 1], for distances that accord computes.
/// Cost    2 N^2 bytes.
class DistanceMatrix {
 public:
  DistanceMatrix() = default;
  /// A matrix for `size` sequences, in which all distances are 0.
  explicit DistanceMatrix(std::size_t size)
      : size_(size), values_(size * (size - (size > 0)) / 2, 0.0f) {}

  std::size_t size() const noexcept { return size_; }

  /// Distance of x and y, in either order.
  float at(std::size_t x, std::size_t y) const { return x == y ? 0.0f : values_[index(x, y)]; }
  /// Distances of y to 0, 1, ..., y - 1.
  std::span<const float> before(std::size_t y) const {
    return std::span(values_).subspan(y == 0 ? 0 : index(y, 0), y);
  }
  /// Sets the distance of two different sequences, in either order.
  void set(std::size_t x, std::size_t y, float distance) { values_[index(x, y)] = distance; }

 private:
  static std::size_t index(std::size_t x, std::size_t y) {
    return x < y ? y * (y - 1) / 2 + x : x * (x - 1) / 2 + y;
  }

  std::size_t size_ = 0;
  std::vector<float> values_;
};

}  // namespace accord
