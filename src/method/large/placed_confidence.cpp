// SPDX-License-Identifier: Apache-2.0
#include "method/large/placed_confidence.hpp"

#include <limits>
#include <vector>

namespace accord {
namespace {

constexpr double kUnit = 1.0 / ACCORD_UNITS_OF_ONE;

/// Sums over the aligned pairs in each column.
struct ColumnSums {
  std::vector<double> probability;
  std::vector<std::uint64_t> pairs;

  explicit ColumnSums(std::size_t columns) : probability(columns, 0.0), pairs(columns, 0) {}

  void add(std::uint32_t column, double sum, std::uint64_t count) {
    probability[column] += sum;
    pairs[column] += count;
  }
};

}  // namespace

Confidence placed_confidence(const Placed& combined, const AlignedPart& part,
                             const Confidence& part_confidence,
                             std::span<const std::uint32_t> sequences,
                             std::span<const PlacedSequence> placed) {
  const Msa& msa = combined.msa;
  Confidence result;
  result.residue.resize(msa.column_of.size());
  result.column_residues.assign(msa.columns, 0);
  for (const auto& row : msa.column_of) {
    for (const std::uint32_t column : row) ++result.column_residues[column];
  }
  ColumnSums sums(msa.columns);
  for (std::uint32_t c = 0; c < part.msa.columns; ++c) {
    const std::uint64_t k = part_confidence.column_residues[c];
    if (k < 2) continue;
    const std::uint64_t pairs = k * (k - 1) / 2;
    sums.add(combined.column_of_part[c], part_confidence.column[c] * static_cast<double>(pairs),
             pairs);
  }
  for (std::size_t m = 0; m < part.members.size(); ++m) {
    result.residue[part.members[m]] = part_confidence.residue[m];
  }
  for (std::size_t k = 0; k < placed.size(); ++k) {
    std::vector<float>& residue = result.residue[sequences[k]];
    for (std::size_t i = 0; i < placed[k].residues.size(); ++i) {
      const auto [pairs, units] = placed[k].residues[i];
      const double sum = units * kUnit;
      residue.push_back(pairs == 0 ? 0.0f : static_cast<float>(sum / pairs));
      if (placed[k].column[i] == kInserted) continue;
      sums.add(msa.column_of[sequences[k]][i], sum, pairs);
    }
  }
  double total = 0;
  for (std::uint32_t c = 0; c < msa.columns; ++c) {
    result.column.push_back(
        sums.pairs[c] == 0
            ? std::numeric_limits<float>::quiet_NaN()
            : static_cast<float>(sums.probability[c] / static_cast<double>(sums.pairs[c])));
    total += sums.probability[c];
    result.pairs += sums.pairs[c];
  }
  result.mean = result.pairs == 0 ? std::numeric_limits<double>::quiet_NaN()
                                  : total / static_cast<double>(result.pairs);
  return result;
}

Confidence unknown_confidence(const AlignedPart& part) {
  Confidence unknown;
  unknown.column.assign(part.msa.columns, std::numeric_limits<float>::quiet_NaN());
  unknown.column_residues.assign(part.msa.columns, 0);
  for (const std::vector<std::uint32_t>& row : part.msa.column_of) {
    unknown.residue.emplace_back(row.size(), std::numeric_limits<float>::quiet_NaN());
  }
  unknown.mean = std::numeric_limits<double>::quiet_NaN();
  return unknown;
}

}  // namespace accord
