// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/sparse_matrix.hpp"

namespace accord {

/// The monotonic map from the posteriors of the pair models to those that the method goes on with:
/// p becomes p^exponent, in units of 2^-16 (see SparseMatrix). The same table on all platforms.
///
/// An exponent below 1 lifts small probabilities: cells that both models doubt count for more in
/// distances, consistency and alignment.
class Calibration {
 public:
  /// The identity.
  Calibration() = default;
  /// `exponent` > 0. Tables are made once and shared.
  explicit Calibration(double exponent);

  /// Units of a cell after the map; at least 1 for units of at least 1, and 0 for 0.
  std::uint32_t operator()(std::uint32_t units) const { return table_ ? (*table_)[units] : units; }

  /// What operator() gives for all units from 0 to 65535.
  std::vector<std::uint16_t> table() const;

  /// The matrix of a pair from the cells that were kept (see SparseMatrix).
  SparseMatrix matrix(std::uint32_t rows, std::uint32_t cols,
                      std::span<const PosteriorCell> cells) const;

  /// Whether the table is the same one.
  bool operator==(const Calibration&) const = default;

 private:
  std::shared_ptr<const std::vector<std::uint16_t>> table_;  // none: the identity
};

}  // namespace accord
