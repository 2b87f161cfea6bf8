// SPDX-License-Identifier: Apache-2.0
#include "models/calibration.hpp"

#include <algorithm>
#include <map>
#include <mutex>
#include <numeric>

#include "base/portable_math.hpp"
#include "shared/layout.h"

namespace accord {
namespace {

constexpr std::uint32_t kUnits = ACCORD_UNITS_OF_ONE;
using PowerTable = std::vector<std::uint16_t>;

PowerTable make_table(double exponent) {
  PowerTable table(kUnits, 0);
  for (std::uint32_t units = 1; units < kUnits; ++units) {
    const double mapped = portable_pow(static_cast<double>(units) / kUnits, exponent) * kUnits;
    table[units] = static_cast<std::uint16_t>(std::clamp(mapped + 0.5, 1.0, 65535.0));
  }
  return table;
}

/// Returns the table of an exponent, made at first use. Making a table takes as long as aligning a
/// small family, and a batch has many small families.
std::shared_ptr<const PowerTable> shared_table(double exponent) {
  static std::mutex mutex;
  static std::map<double, std::shared_ptr<const PowerTable>> tables;
  const std::lock_guard lock(mutex);
  std::shared_ptr<const PowerTable>& table = tables[exponent];
  if (!table) table = std::make_shared<const PowerTable>(make_table(exponent));
  return table;
}

}  // namespace

Calibration::Calibration(double exponent) {
  if (exponent != 1) table_ = shared_table(exponent);
}

std::vector<std::uint16_t> Calibration::table() const {
  if (table_) return *table_;
  PowerTable identity(kUnits);
  std::iota(identity.begin(), identity.end(), std::uint16_t{0});
  return identity;
}

SparseMatrix Calibration::matrix(std::uint32_t rows, std::uint32_t cols,
                                 std::span<const PosteriorCell> cells) const {
  SparseMatrix matrix(rows, cols, cells);
  if (table_) matrix.map_units([&](std::uint32_t units) { return (*this)(units); });
  return matrix;
}

}  // namespace accord
