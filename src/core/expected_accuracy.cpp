// SPDX-License-Identifier: Apache-2.0
#include "accord/core/expected_accuracy.hpp"

#include <algorithm>
#include <utility>

namespace accord {
namespace {

/// Largest value among the first j columns, under insertions (Fenwick 1994).
class PrefixMaximum {
 public:
  explicit PrefixMaximum(std::uint32_t columns) : tree_(columns + 1, 0) {}

  std::uint64_t before(std::uint32_t column) const {
    std::uint64_t best = 0;
    for (std::uint32_t at = column; at > 0; at &= at - 1) best = std::max(best, tree_[at]);
    return best;
  }
  void insert(std::uint32_t column, std::uint64_t value) {
    for (std::size_t at = column + 1; at < tree_.size(); at += at & (~at + 1)) {
      tree_[at] = std::max(tree_[at], value);
    }
  }

 private:
  std::vector<std::uint64_t> tree_;
};

}  // namespace

std::uint64_t expected_accuracy(const SparseMatrix& posterior) {
  PrefixMaximum best(posterior.cols());
  std::vector<std::pair<std::uint32_t, std::uint64_t>> row;
  for (std::uint32_t i = 0; i < posterior.rows(); ++i) {
    row.clear();
    posterior.for_each_in_row(i, [&](std::uint32_t column, std::uint32_t units) {
      row.emplace_back(column, best.before(column) + units);
    });
    for (const auto& [column, value] : row) best.insert(column, value);
  }
  return best.before(posterior.cols());
}

float expected_accuracy_distance(const SparseMatrix& posterior, std::uint64_t accuracy) {
  const std::uint32_t shorter = std::min(posterior.rows(), posterior.cols());
  if (shorter == 0) return 1.0f;
  const double sum = static_cast<double>(accuracy) / ACCORD_UNITS_OF_ONE;
  return static_cast<float>(std::max(0.0, 1.0 - sum / shorter));
}

std::vector<PosteriorCell> limit_cells(std::vector<PosteriorCell> cells, std::uint32_t rows,
                                       std::uint32_t cols, const SparsityParams& params) {
  if (params.cells_per_residue <= 0) return cells;
  const auto limit =
      static_cast<std::size_t>(params.cells_per_residue * static_cast<float>(std::min(rows, cols)));
  if (cells.size() <= limit || limit == 0) return cells;
  std::vector<float> probabilities;
  probabilities.reserve(cells.size());
  for (const PosteriorCell& cell : cells) probabilities.push_back(cell.probability);
  const auto last = probabilities.begin() + static_cast<std::ptrdiff_t>(limit - 1);
  std::nth_element(probabilities.begin(), last, probabilities.end(), std::greater<>());
  std::erase_if(cells, [&](const PosteriorCell& cell) { return cell.probability < *last; });
  return cells;
}

}  // namespace accord
