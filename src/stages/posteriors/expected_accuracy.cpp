// SPDX-License-Identifier: Apache-2.0
#include "stages/posteriors/expected_accuracy.hpp"

#include <algorithm>
#include <vector>

#include "core/step_row.hpp"

namespace accord {

std::uint64_t expected_accuracy(const SparseMatrix& posterior) {
  struct Rise {
    std::uint32_t column;  // 1-based
    std::uint64_t value;
  };
  RisingRow row(posterior.cols());
  std::vector<Rise> rises;
  for (std::uint32_t i = 0; i < posterior.rows(); ++i) {
    const auto cells = posterior.row_begin()[i + 1] - posterior.row_begin()[i];
    if (rises.size() < cells) rises.resize(cells);
    std::size_t count = 0;
    std::uint64_t best = 0;
    // Without a branch, since a processor cannot predict which cells raise a sum.
    posterior.for_each_in_row(i, [&](std::uint32_t column, std::uint32_t units) {
      const std::uint64_t value = row.level(column) + units;
      rises[count] = {column + 1, value};
      count += value > std::max(row.level(column + 1), best);
      best = std::max(best, value);
    });
    // From right to left, so that a step is not set where the next one will remove it.
    while (count-- > 0) row.raise(rises[count].column, rises[count].value, [](auto, auto) {});
  }
  return row.level(posterior.cols());
}

float expected_accuracy_distance(const SparseMatrix& posterior, std::uint64_t accuracy) {
  const std::uint32_t shorter = std::min(posterior.rows(), posterior.cols());
  if (shorter == 0) return 1.0f;
  const double sum = static_cast<double>(accuracy) / ACCORD_UNITS_OF_ONE;
  return static_cast<float>(std::max(0.0, 1.0 - sum / shorter));
}

}  // namespace accord
