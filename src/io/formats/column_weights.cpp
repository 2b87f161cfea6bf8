// SPDX-License-Identifier: Apache-2.0
#include "io/formats/column_weights.hpp"

#include <algorithm>
#include <cmath>

namespace accord {

std::vector<int> column_weights(const std::vector<float>& confidence) {
  constexpr double kHighest = 100;
  std::vector<int> weights;
  weights.reserve(confidence.size());
  for (const float c : confidence) {
    weights.push_back(std::isnan(c) ? 1 : std::max(1, static_cast<int>(std::lround(kHighest * c))));
  }
  return weights;
}

std::string format_weights(const std::vector<int>& weights) {
  std::string text;
  for (const int weight : weights) text += std::to_string(weight) + '\n';
  return text;
}

}  // namespace accord
