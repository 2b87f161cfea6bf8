// SPDX-License-Identifier: Apache-2.0
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "core/sparse_matrix.hpp"

namespace accord {

/// Maps the posteriors of the pair models to those that the later stages use: p becomes p^exponent,
/// in units of 2^-16 (see SparseMatrix). The table has the same bytes on all platforms.
/// An exponent below 1 raises small probabilities: cells with a low posterior in both models then
/// count for more in distances, consistency and alignment.
class Calibration {
 public:
  /// The identity.
  Calibration() = default;
  /// The map p^exponent; `exponent` > 0. All objects with one exponent share a table.
  explicit Calibration(double exponent);

  /// Maps the units of a cell, at most 65535. 0 stays 0, and units of at least 1 stay at least 1.
  std::uint32_t operator()(std::uint32_t units) const { return table_ ? (*table_)[units] : units; }

  /// The values of operator() for all units from 0 to 65535.
  std::vector<std::uint16_t> table() const;

  /// The calibrated matrix of a pair with `rows` and `cols` residues. `cells` are its kept cells
  /// before calibration, in any order; the function maps their probabilities.
  SparseMatrix matrix(std::uint32_t rows, std::uint32_t cols,
                      std::span<const PosteriorCell> cells) const;

  /// Whether both share one table, that is, have the same exponent.
  bool operator==(const Calibration&) const = default;

 private:
  std::shared_ptr<const std::vector<std::uint16_t>> table_;  // empty for the identity
};

}  // namespace accord
