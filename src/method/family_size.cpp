// SPDX-License-Identifier: Apache-2.0
#include "method/family_size.hpp"

#include <algorithm>

namespace accord {
namespace {

/// Whether all pairs together have too many cells. The sum of the products of lengths is (S^2 - Q)
/// / 2, where S is the sum of the lengths and Q the sum of their squares.
bool has_too_many_pairs(std::span<const std::uint32_t> lengths) {
  double sum = 0, squares = 0;
  for (const std::uint32_t length : lengths) {
    sum += length;
    squares += static_cast<double>(length) * length;
  }
  return lengths.size() > kWholeSequences || (sum * sum - squares) / 2 > kWholeCells;
}

std::size_t usual_backbone(std::span<const std::uint32_t> lengths, std::size_t most) {
  std::uint64_t residues = 0;
  for (const std::uint32_t length : lengths) residues += length;
  const std::uint64_t mean = std::max<std::uint64_t>(1, residues / lengths.size());
  return std::clamp<std::size_t>(kBackboneResidues / mean, kLeastBackbone, most);
}

}  // namespace

std::size_t backbone_size(std::span<const std::uint32_t> lengths, const AlignSettings& settings) {
  const bool is_large = settings.large == LargeFamilies::always ||
                        settings.large == LargeFamilies::subsets ||
                        (settings.large == LargeFamilies::automatic && has_too_many_pairs(lengths));
  if (!is_large || lengths.empty()) return lengths.size();
  return std::min(lengths.size(), settings.backbone > 0
                                      ? settings.backbone
                                      : usual_backbone(lengths, settings.large_effort.backbone));
}

std::size_t nearest_count(std::span<const std::uint32_t> lengths, std::size_t most) {
  double cells = 1;  // cells of one pair for each sequence, with a partner of the same length
  for (const std::uint32_t length : lengths) cells += static_cast<double>(length) * length;
  const double affordable = std::min(kPlacedCells / cells, static_cast<double>(most));
  return std::min(most, std::max(kLeastNearest, static_cast<std::size_t>(affordable)));
}

}  // namespace accord
